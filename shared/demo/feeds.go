package demo

import (
	"encoding/xml"
	"net/http"
	"time"
)

// The sites with a feed also have a sitemap, and name it in robots.txt.

type rssFeed struct {
	XMLName xml.Name `xml:"rss"`
	Version string   `xml:"version,attr"`
	Channel struct {
		Title       string    `xml:"title"`
		Link        string    `xml:"link"`
		Description string    `xml:"description"`
		Items       []rssItem `xml:"item"`
	} `xml:"channel"`
}

type rssItem struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	Description string `xml:"description"`
	Published   string `xml:"pubDate"`
}

// rss returns the feed of the newest finance articles.
func (s *site) rss() response {
	var feed rssFeed
	feed.Version = "2.0"
	feed.Channel.Title = s.name
	feed.Channel.Link = s.url("/")
	feed.Channel.Description = s.motto
	for _, sec := range s.sections {
		if !sec.topic {
			continue
		}
		listed := sec.listed()
		for _, a := range listed[:min(15, len(listed))] {
			feed.Channel.Items = append(feed.Channel.Items, rssItem{
				Title: a.title, Link: s.url(a.path()), Description: a.desc,
				Published: inChina(a.when).Format(time.RFC1123Z),
			})
		}
	}
	return xmlResponse("application/rss+xml; charset=utf-8", feed)
}

type urlSet struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	News    string       `xml:"xmlns:news,attr"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod"`
	Name    string `xml:"news:news>news:publication>news:name"`
	Lang    string `xml:"news:news>news:publication>news:language"`
	Date    string `xml:"news:news>news:publication_date"`
	Title   string `xml:"news:news>news:title"`
}

// sitemap returns the news sitemap of all listed articles.
func (s *site) sitemap() response {
	set := urlSet{News: "http://www.google.com/schemas/sitemap-news/0.9"}
	for _, a := range s.articles {
		if a.hidden {
			continue
		}
		at := inChina(a.when).Format(time.RFC3339)
		set.URLs = append(set.URLs, sitemapURL{
			Loc: s.url(a.path()), LastMod: at, Name: s.name, Lang: "zh", Date: at, Title: a.title,
		})
	}
	return xmlResponse("application/xml; charset=utf-8", set)
}

// inChina gives a wall-clock time the zone that the sites mean.
func inChina(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.FixedZone("", 8*60*60))
}

func xmlResponse(mime string, v any) response {
	body, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		return failed(err)
	}
	return response{status: http.StatusOK, mime: mime, body: append([]byte(xml.Header), body...)}
}

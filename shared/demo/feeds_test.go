package demo

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"

	"sluice/shared/web/hosts"
)

func TestRobots(t *testing.T) {
	w := New()
	tests := map[string]struct {
		url     string
		allowed bool
	}{
		"forbidden, finance":  {"http://www.caijing.demo.test/neibu/yanbao.html", false},
		"forbidden, specials": {"http://zhuanti.demo.test/neibu/pingji.html", false},
		"home":                {"http://www.caijing.demo.test/", true},
		"only a delay":        {"http://www.haidao.demo.test/caijing/", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			host, _, _ := strings.Cut(strings.TrimPrefix(tt.url, "http://"), "/")
			res := get(t, w, "http://"+host+"/robots.txt")
			if res.code != http.StatusOK {
				t.Fatalf("robots.txt answers %d", res.code)
			}
			if got := hosts.ParseRules(res.body).Allowed(tt.url); got != tt.allowed {
				t.Errorf("allowed = %v, want %v by\n%s", got, tt.allowed, res.body)
			}
			before := w.Account().Denied
			if get(t, w, tt.url); (w.Account().Denied == before) != tt.allowed {
				t.Errorf("the account and robots.txt differ about %s", tt.url)
			}
		})
	}
	if res := get(t, w, "http://tiyu.demo.test/robots.txt"); res.code != http.StatusNotFound {
		t.Errorf("a site without rules answers %d, want 404", res.code)
	}
	if body := get(t, w, "http://www.haidao.demo.test/robots.txt").body; !strings.Contains(string(body), "\nCrawl-delay: 0.5\n") {
		t.Errorf("haidao states no Crawl-delay: %q", body)
	}
}

func TestFeed(t *testing.T) {
	w := New()
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(get(t, w, "http://www.caijing.demo.test/rss.xml").body))
	if err != nil {
		t.Fatal(err)
	}
	if len(feed.Items) != 15 {
		t.Fatalf("%d items, want 15", len(feed.Items))
	}
	for _, it := range feed.Items {
		if code := get(t, w, it.Link).code; code != http.StatusOK || it.Title == "" || it.PublishedParsed == nil {
			t.Errorf("item %q of %v at %s answers %d", it.Title, it.PublishedParsed, it.Link, code)
		}
	}
}

func TestSitemap(t *testing.T) {
	w := New()
	maps := hosts.ParseRules(get(t, w, "http://www.caijing.demo.test/robots.txt").body).Sitemaps()
	if len(maps) != 1 {
		t.Fatalf("robots.txt names the sitemaps %q, want one", maps)
	}
	var set struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []struct {
			Loc   string `xml:"loc"`
			Title string `xml:"http://www.google.com/schemas/sitemap-news/0.9 news>title"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(get(t, w, maps[0]).body, &set); err != nil {
		t.Fatal(err)
	}
	if want := len(w.sites["www.caijing."+Domain].articles); len(set.URLs) != want {
		t.Errorf("%d URLs, want %d", len(set.URLs), want)
	}
	for _, u := range set.URLs {
		if code := get(t, w, u.Loc).code; code != http.StatusOK || u.Title == "" {
			t.Errorf("%s (%q) answers %d", u.Loc, u.Title, code)
		}
	}
}

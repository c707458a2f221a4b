package body

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// metas is what the head and the machine-readable parts of a page declare.
type metas struct {
	title    string
	headline string   // og:title, often without the site's tail
	site     string   // og:site_name
	dates    []string // most trustworthy first within their kind
	author   string
	source   string
}

// dateMetas are the names, properties and itemprops that hold the date of
// publication, lower case. Dates of modification are left out.
var dateMetas = map[string]bool{
	"article:published_time": true, "og:article:published_time": true, "og:published_time": true, "og:release_date": true,
	"pubdate": true, "publishdate": true, "publish_date": true, "publish-date": true, "pub_date": true, "publishtime": true, "publish_time": true,
	"publication_date": true, "datepublished": true, "dc.date": true, "dc.date.issued": true, "dcterms.issued": true,
	"weibo:article:create_at": true, "weibo: article:create_at": true, "article.published": true, "apub:time": true, "bytedance:published_time": true,
	"firstpublishedtime": true, "releasedate": true, "sailthru.date": true, "parsely-pub-date": true,
}

// readMetas reads them from the tree of a page.
func readMetas(root *html.Node) *metas {
	f := finder{}
	f.walk(root)
	m := &f.metas
	m.dates = append(m.dates, f.properties...)
	for _, data := range f.linked {
		m.dates = append(m.dates, m.linkedData(data)...)
	}
	// A page of comments has a <time> for each: the first ones are the article's.
	m.dates = append(m.dates, f.times[:min(3, len(f.times))]...)
	return m
}

// finder collects what a page declares, in the order of the page.
type finder struct {
	metas      metas
	titled     bool
	properties []string // dates of elements that are datePublished
	times      []string
	linked     []string // JSON-LD
}

func (f *finder) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			f.element(c)
			f.walk(c)
		}
	}
}

func (f *finder) element(n *html.Node) {
	m := &f.metas
	switch n.DataAtom {
	case atom.Title:
		if !f.titled && n.Parent.DataAtom == atom.Head {
			f.titled, m.title = true, strings.Join(strings.Fields(childText(n)), " ")
		}
	case atom.Meta:
		m.meta(n)
	case atom.Script:
		if strings.EqualFold(attr(n, "type"), "application/ld+json") {
			f.linked = append(f.linked, childText(n))
		}
	case atom.Time:
		if date, ok := attribute(n, "datetime"); ok {
			f.times = append(f.times, date)
		}
	}
	if attr(n, "itemprop") == "datePublished" {
		if date := attr(n, "datetime"); date != "" {
			f.properties = append(f.properties, date)
		}
	}
}

// childText returns the text of an element that has no other elements.
func childText(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.Type == html.TextNode {
		return c.Data
	}
	return ""
}

func (m *metas) meta(n *html.Node) {
	content := strings.TrimSpace(attr(n, "content"))
	if content == "" || len(content) > 500 {
		return
	}
	for _, key := range []string{"name", "property", "itemprop"} {
		name := strings.ToLower(strings.TrimSpace(attr(n, key)))
		switch {
		case name == "":
		case dateMetas[name]:
			m.dates = append(m.dates, content)
		case m.headline == "" && name == "og:title":
			m.headline = content
		case m.site == "" && (name == "og:site_name" || name == "application-name"):
			m.site = content
		case m.author == "" && (name == "author" || name == "article:author" || name == "og:article:author" || name == "dc.creator"):
			m.author = personName(content)
		case m.source == "" && (name == "contentsource" || name == "source" || name == "mediaid" || name == "article:source"):
			m.source = mediumName(content)
		}
	}
}

// linkedData reads JSON-LD: the dates of publication in it, and its author.
func (m *metas) linkedData(data string) (dates []string) {
	var v any
	if len(data) > 1<<20 || json.Unmarshal([]byte(strings.TrimSpace(data)), &v) != nil {
		return nil
	}
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > 8 || len(dates) > 8 {
			return
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case map[string]any:
			for _, key := range []string{"datePublished", "pubDate", "upDate"} {
				if s, ok := v[key].(string); ok {
					dates = append(dates, s)
					break
				}
			}
			if m.author == "" {
				m.author = personName(ldName(v["author"]))
			}
			visit(v["@graph"], depth+1)
			visit(v["mainEntity"], depth+1)
		}
	}
	visit(v, 0)
	return dates
}

// ldName returns the name of a JSON-LD person: text, object or the first of a list.
func ldName(v any) string {
	for range 3 {
		switch t := v.(type) {
		case string:
			return t
		case []any:
			if len(t) == 0 {
				return ""
			}
			v = t[0]
		case map[string]any:
			v = t["name"]
		}
	}
	return ""
}

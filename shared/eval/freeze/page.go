package freeze

import (
	"encoding/xml"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// passed is a page that was not archived. Its description has the words that made it
// relevant, where it was, so that it is so again.
func passed(e *ledger.Entry, t *step.Trace, links []link) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><meta charset=utf-8><title>%s</title>", html.EscapeString(t.Title))
	if t.Relevance != nil && e.Rule != reading.RuleDescription && e.Rule != reading.RuleLanguage {
		b.WriteString(`<meta name=description content="`)
		for _, c := range t.Relevance.Top {
			b.WriteString(html.EscapeString(c.Word) + " ")
		}
		b.WriteString(`">`)
	}
	b.WriteString("</head><body>\n")
	for _, l := range links {
		if !l.source {
			fmt.Fprintf(&b, "<a href=\"%s\">%s</a>\n", html.EscapeString(l.url), html.EscapeString(l.anchor))
		}
	}
	b.WriteString("</body></html>\n")
	return []byte(b.String())
}

// feed is a source of links.
func feed(links []link) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>` + "\n")
	escape := func(s string) {
		_ = xml.EscapeText(&b, []byte(s)) // to memory
	}
	for _, l := range links {
		if l.source {
			continue
		}
		b.WriteString("<item><title>")
		escape(l.anchor)
		b.WriteString("</title><link>")
		escape(l.url)
		b.WriteString("</link></item>\n")
	}
	b.WriteString("</channel></rss>\n")
	return []byte(b.String())
}

// target is the URL that a page redirects to. It is not ok if there is none that
// can be fetched.
func target(from, to string) (url string, ok bool) {
	u, err := urlnorm.Parse(from)
	if err != nil || to == "" {
		return "", false
	}
	at, err := u.Resolve(to, nil)
	return at.String(), err == nil
}

// robot adds a line about the path of a URL to the robots.txt of its host.
func (f *freezer) robot(url string, line func(path string) string) error {
	u, err := urlnorm.Parse(url)
	if err != nil {
		return fmt.Errorf("read URL: %w", err)
	}
	origin := u.Scheme() + "://" + u.Authority()
	f.robots[origin+"/robots.txt"] += line(strings.TrimPrefix(url, origin)) + "\n"
	return nil
}

// writeRobots adds the robots.txt of every host that needs one.
func (f *freezer) writeRobots() error {
	for _, url := range slices.Sorted(maps.Keys(f.robots)) {
		if f.seen[url] {
			continue
		}
		p := &frozenweb.Page{URL: url, Type: "text/plain", Body: []byte("User-agent: *\n" + f.robots[url]), Label: frozenweb.None, Kind: "other"}
		if err := f.add(p, &f.result.Sources); err != nil {
			return err
		}
	}
	return nil
}

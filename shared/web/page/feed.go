package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"
)

// maxFeed limits the bytes of a feed, which, unlike a sitemap, is read as a
// whole.
const maxFeed = 10 << 20

// parseFeed reads RSS, Atom or RDF. It reads the complete items of a truncated
// feed.
func parseFeed(text []byte, c *collector) error {
	text = withoutDeclaration(text)
	broken := len(text) > maxFeed
	var err error
	if !broken {
		if err = readFeed(text, c); err == nil {
			return nil
		}
	}
	whole, ok := completeItems(text[:min(len(text), maxFeed)])
	if !ok {
		return err
	}
	return readFeed(whole, c)
}

func readFeed(text []byte, c *collector) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parse feed: %v", r)
		}
	}()
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("parse feed: %w", err)
	}
	for _, item := range feed.Items {
		c.add(itemLink(item), Entry{
			Title:       plain(item.Title),
			Description: plain(first(item.Description, item.Content)),
			Time:        itemTime(item),
		})
	}
	return nil
}

// itemLink returns the link of an item; some feeds have it only as their
// identifier.
func itemLink(item *gofeed.Item) string {
	if link := strings.TrimSpace(item.Link); link != "" {
		return link
	}
	for _, l := range item.Links {
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
	}
	if id := strings.TrimSpace(item.GUID); isURLLine([]byte(id)) {
		return id
	}
	return ""
}

// zone finds a time zone after the time of a date: an offset, Z or a name.
var zone = regexp.MustCompile(`(?i):\d\d(?:\.\d+)?\s*(?:[+-]\d\d:?\d\d|Z\b|UTC?|GMT|[ECMP][SD]T|[JKHB]S?T|CES?T|MSK)`)

// itemTime returns when an item was published, else updated. A date without
// zone is parsed as UTC by the library but means +08:00 in Chinese feeds, and
// so does CST.
func itemTime(item *gofeed.Item) time.Time {
	parsed, raw := item.PublishedParsed, item.Published
	if parsed == nil {
		parsed, raw = item.UpdatedParsed, item.Updated
	}
	if parsed == nil {
		return time.Time{}
	}
	t := parsed.UTC()
	switch {
	case strings.Contains(raw, "CST"):
		// The library takes CST for the American one.
		t = t.Add(-6 * time.Hour)
	case zone.MatchString(raw):
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, chinaTime())
}

// plain returns the text of a piece of HTML, as titles and descriptions of
// feeds may be.
func plain(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var f folded
	f.reset(maxSourceText)
	z := html.NewTokenizer(strings.NewReader(s))
	for f.runes < maxSourceText {
		switch z.Next() {
		case html.ErrorToken:
			return f.String()
		case html.TextToken:
			f.add(string(z.Text()))
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "script" || string(name) == "style" {
				z.Next()
			}
			f.breakWord()
		}
	}
	return f.String()
}

// withoutDeclaration drops the XML declaration, whose encoding is no longer
// true.
func withoutDeclaration(text []byte) []byte {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if bytes.HasPrefix(trimmed, []byte("<?xml")) {
		if _, rest, ok := bytes.Cut(trimmed, []byte("?>")); ok {
			return rest
		}
	}
	return trimmed
}

// completeItems cuts a broken feed after its last complete item and closes it.
func completeItems(text []byte) ([]byte, bool) {
	for _, f := range []struct{ item, close string }{
		{"</item>", "</channel></rss>"},
		{"</entry>", "</feed>"},
	} {
		i := bytes.LastIndex(text, []byte(f.item))
		if i < 0 {
			continue
		}
		closing := f.close
		if root, _ := rootElement(text); root == "rdf" {
			closing = "</rdf:RDF>"
		}
		return append(bytes.Clone(text[:i+len(f.item)]), closing...), true
	}
	return nil, false
}

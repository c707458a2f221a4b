package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"time"
)

// parseSitemap reads urlset and sitemapindex as a stream of raw tokens, without
// a tree, matching of end tags or namespaces, so that memory is constant and a
// broken document is read as far as possible. The decoder only knows the five
// entities of XML.
func parseSitemap(text []byte, c *collector) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	// The text is UTF-8 by now, regardless of its declaration.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var s sitemapEntry
	rooted := false
	for !c.full() {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if !rooted {
				rooted, s.prefix = true, t.Name.Space
			}
			s.start(t.Name)
		case xml.CharData:
			s.text(t)
		case xml.EndElement:
			if s.end(t.Name) {
				c.add(s.loc, s.entry)
			}
		}
	}
	return nil
}

// sitemapEntry is the <url> or <sitemap> being read.
type sitemapEntry struct {
	prefix string // of the document's own elements; those of extensions have others
	inside bool
	field  *string // destination of character data, nil for ignored elements
	loc    string
	mod    string
	entry  Entry
}

func (s *sitemapEntry) start(n xml.Name) {
	if n.Space == s.prefix && (n.Local == "url" || n.Local == "sitemap") {
		*s = sitemapEntry{prefix: s.prefix, inside: true}
		s.entry.Sitemap = n.Local == "sitemap"
		return
	}
	if !s.inside {
		return
	}
	s.field = nil
	switch {
	case n.Local == "loc" && n.Space == s.prefix:
		s.field = &s.loc
	case n.Local == "lastmod", n.Local == "publication_date":
		// A publication date comes after lastmod and is more precise.
		s.mod, s.field = "", &s.mod
	case n.Local == "title":
		s.field = &s.entry.Title
	case n.Local == "description", n.Local == "caption", n.Local == "keywords" && s.entry.Description == "":
		s.field = &s.entry.Description
	}
	if s.field == &s.entry.Title || s.field == &s.entry.Description {
		if *s.field != "" {
			s.field = nil // the first of several images
		}
	}
}

func (s *sitemapEntry) text(data []byte) {
	if s.field != nil && len(*s.field)+len(data) <= maxHref {
		*s.field += string(data)
	}
}

// end says whether the element that ends here completes an entry.
func (s *sitemapEntry) end(n xml.Name) bool {
	s.field = nil
	if !s.inside || n.Space != s.prefix || n.Local != "url" && n.Local != "sitemap" {
		return false
	}
	s.inside = false
	s.loc = strings.TrimSpace(s.loc)
	s.entry.Time = w3cTime(s.mod)
	return true
}

// w3cTime parses the W3C date-time format at any precision; it returns the zero
// time for other formats.
func w3cTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.ParseInLocation(layout, s, chinaTime()); err == nil {
			return t
		}
	}
	return time.Time{}
}

// chinaTime is the zone of times without a zone.
func chinaTime() *time.Location { return time.FixedZone("", 8*60*60) }

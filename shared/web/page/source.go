package page

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"sluice/shared/fault"
	"sluice/shared/web/urlnorm"
)

// Limits of a source of links, those of sitemaps.org.
const (
	maxEntries    = 50_000
	maxSource     = 50 << 20 // bytes, decompressed
	maxSourceText = 500      // runes of an entry's title or description
)

// Entry is one URL that a sitemap, feed or list names. Title and Description
// are plain text, white space folded.
type Entry struct {
	URL         urlnorm.URL
	Title       string
	Description string
	Sitemap     bool      // the URL is itself a sitemap: the entry of an index
	Time        time.Time // published or last changed; zero when not said
}

// ParseSource reads a source of links: sitemap or sitemap index (with the
// titles of its news, image and video extensions), RSS, Atom, RDF, or a text
// with a URL a line; each may be compressed with gzip and in any charset that
// Decode reads. Relative URLs are resolved against base; repetitions and URLs
// that urlnorm refuses are left out. Times without a zone mean +08:00, as
// Chinese sites imply.
//
// At most maxEntries entries and 50 MB of decompressed text are read. A
// truncated source keeps the entries before the end. Entities declared in a
// document are not expanded. An error is permanent: the body is not a source of
// links (its kind is returned as Sniff sees it), or nothing in it is readable.
func ParseSource(body []byte, contentType string, base urlnorm.URL) ([]Entry, Kind, error) {
	kind := Sniff(body, contentType, base.String())
	parse := parseURLList
	switch kind {
	case Sitemap:
		parse = parseSitemap
	case Feed:
		parse = parseFeed
	case URLList:
	default:
		return nil, kind, sourceError(base, errors.New("neither sitemap nor feed nor list of URLs"))
	}
	if bytes.HasPrefix(body, []byte(gzipMagic)) {
		// A broken end must not lose what came before it.
		body, _ = gunzip(body, maxSource)
	}
	text, _ := Decode(body[:min(len(body), maxSource)], contentType)
	c := collector{base: base, seen: map[urlnorm.URL]bool{}}
	if err := parse(text, &c); err != nil && len(c.entries) == 0 {
		return nil, kind, sourceError(base, err)
	}
	return c.entries, kind, nil
}

func sourceError(base urlnorm.URL, err error) error {
	if !base.IsZero() { // else a file, which the caller names
		err = fmt.Errorf("read source %s: %w", base, err)
	}
	return fault.New(fault.Permanent, "bad_source", err)
}

// collector gathers entries within the limits.
type collector struct {
	base    urlnorm.URL
	entries []Entry
	seen    map[urlnorm.URL]bool
}

func (c *collector) full() bool { return len(c.entries) == maxEntries }

// add resolves ref and keeps the entry unless its URL was there before.
func (c *collector) add(ref string, e Entry) {
	if c.full() || ref == "" || len(ref) > maxHref {
		return
	}
	u, err := c.base.Resolve(ref, nil)
	if err != nil || u.IsZero() || c.seen[u] {
		return
	}
	c.seen[u] = true
	e.URL = u
	e.Title = fold(e.Title, maxSourceText)
	e.Description = fold(e.Description, maxSourceText)
	c.entries = append(c.entries, e)
}

// parseURLList reads a URL a line and skips other lines.
func parseURLList(text []byte, c *collector) error {
	for line := range bytes.Lines(text) {
		if c.full() {
			break
		}
		if line = bytes.TrimSpace(line); isURLLine(line) {
			c.add(string(line), Entry{})
		}
	}
	return nil
}

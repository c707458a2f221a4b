package seeding

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Limits of an object.
const (
	maxText  = 50 << 20 // bytes, unpacked
	maxSeeds = 200_000
)

var (
	errNoURL    = errors.New("there is no URL in it")
	errTooMany  = fmt.Errorf("more than %d URLs: make several objects of it", maxSeeds)
	errTooLarge = fmt.Errorf("more than %d MiB unpacked: make several objects of it", maxText>>20)
)

const (
	gzipMagic = "\x1f\x8b"
	byteOrder = "\xef\xbb\xbf" // that some editors put at the start of a text
)

// parse reads a sitemap, a feed, or a list with a URL a line, perhaps with gzip.
func parse(data []byte) (seeds []frontier.Link, bad job.BadSeeds, err error) {
	if bytes.HasPrefix(data, []byte(gzipMagic)) {
		if data, err = unpack(data); err != nil {
			return nil, bad, err
		}
	}
	base, err := urlnorm.Parse(nowhere)
	if err != nil {
		return nil, bad, err
	}
	switch page.Sniff(data, "", nowhere) {
	case page.Sitemap, page.Feed:
		seeds, err = parseSource(data, base)
	default:
		seeds, bad, err = parseLines(bytes.TrimPrefix(data, []byte(byteOrder)))
	}
	if err == nil && len(seeds) == 0 {
		if err = errNoURL; bad.Lines > 0 {
			err = fmt.Errorf("%w: %s", errNoURL, bad.First)
		}
	}
	return seeds, bad, err
}

// nowhere is the base of a source's relative URLs, which are useless.
const nowhere = "http://seeds.invalid/"

func parseSource(data []byte, base urlnorm.URL) ([]frontier.Link, error) {
	entries, _, err := page.ParseSource(data, "", base)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	var seeds []frontier.Link
	for _, e := range entries {
		if e.URL.Host() == base.Host() {
			continue
		}
		l := Link(e.URL.String())
		l.Anchor, l.IsSource = e.Title, e.Sitemap
		seeds = append(seeds, l)
	}
	return seeds, nil
}

// parseLines reads a URL a line. It skips blank lines, comments after "#", and
// other lines, which it counts: manual lists contain notes.
func parseLines(data []byte) (seeds []frontier.Link, bad job.BadSeeds, err error) {
	seen := map[urlnorm.URL]bool{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		u, err := urlnorm.Given(string(line))
		if err != nil {
			if bad.Lines++; bad.Lines == 1 {
				bad.First = fmt.Sprintf("line %d: %v", n, err)
			}
			continue
		}
		if seen[u] {
			continue
		}
		if len(seeds) == maxSeeds {
			return nil, bad, errTooMany
		}
		seen[u] = true
		seeds = append(seeds, Link(u.String()))
	}
	return seeds, bad, nil
}

func unpack(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("unpack: %w", err)
	case len(text) > maxText:
		return nil, errTooLarge
	}
	return text, nil
}

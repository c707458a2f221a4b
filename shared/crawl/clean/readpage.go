package clean

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// recordsOfPage is how many consecutive records a page has at most: the
// response, the request, what a browser showed, and the metadata about how a crawl
// found it.
const recordsOfPage = 4

// ReadPage reads the page whose response is at a place of a WARC file below
// dir, with the trace that a crawl of ours wrote after it.
func ReadPage(dir string, at corpus.Location) (*Page, error) {
	name := filepath.FromSlash(at.File)
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("read page: %q is not a file below the crawl's folder", at.File)
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("read page: %w", err)
	}
	p, err := PageAt(io.NewSectionReader(f, at.Offset, 1<<62), at)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read page at byte %d of %s: %w", at.Offset, at.File, err)
	}
	return p, nil
}

// PageAt reads a page from its place in a WARC file on, as ReadPage does.
func PageAt(r io.Reader, at corpus.Location) (*Page, error) {
	var p *Page
	var id string
	records := 0
	for rec, err := range corpus.ReadWARC(r) {
		switch {
		case err != nil && p == nil:
			return nil, err
		case err != nil:
			return p, nil // later records do not belong to the page
		case p == nil && (rec.Type != "response" || rec.Offset != 0):
			return nil, errors.New("there is no response at this place")
		case p == nil:
			rec.Offset, rec.Length = at.Offset, at.Length
			p, id = NewPage(rec, at.File), rec.ID
		case rec.Type == "response":
			return p, nil // of the next page
		case id != "" && rec.Shows() == id:
			p.Show(rec.Block)
		case rec.Type == "metadata" && rec.ConcurrentTo == id:
			p.Trace(rec.Block)
			return p, nil
		}
		if records++; records == recordsOfPage {
			break
		}
	}
	if p == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return p, nil
}

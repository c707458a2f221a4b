package local

import (
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// archive reads the pages that a crawl and those before have kept in its folder.
type archive struct {
	dir    string
	reader *reading.Reader
}

var _ step.Archive = archive{}

// Digest implements step.Archive: it reads the WARC record of the page again.
func (a archive) Digest(e *ledger.Entry) string {
	page, err := clean.ReadPage(a.dir, corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length})
	if err != nil {
		return ""
	}
	page.Keep()
	return page.Pending(a.reader).Digest()
}

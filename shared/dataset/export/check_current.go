package export

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"sluice/shared/state/corpus"
)

// current checks a document that counts.
func (k *folderChecker) current(d *corpus.Document, file string, line int) {
	if k.ledger != nil {
		listed, again := k.roll.meet(markOf(d.FinalURL, d.WARC))
		switch {
		case again:
			k.res.wrong("%s, line %d: %.200s is there already", file, line, d.FinalURL)
			return
		case !listed && !k.f.Open:
			k.res.wrong("%s, line %d: the ledger does not say how %.200s was found", file, line, d.FinalURL)
		}
	}
	k.res.Records++
	if !k.located {
		return
	}
	at := d.WARC
	switch err := k.archive.response(at.File, at.Offset, at.Length, d.FinalURL); {
	case err == nil:
		k.res.Located++
	case k.f.Ledger == nil && at.File != "" && !strings.HasPrefix(at.File, corpus.ArchiveFolder+"/"):
		// It was sifted: the archive is where it was.
	case errors.Is(err, fs.ErrNotExist):
		k.gone[at.File]++
	default:
		k.res.wrong("%s, line %d (%.200s): %v", file, line, d.FinalURL, err)
	}
}

// missing names the records that the ledger points at and the files lack.
func (k *folderChecker) missing(ctx context.Context) {
	if k.ledger == nil {
		return
	}
	err := k.roll.missing(ctx, func(p Pointed) {
		k.res.wrong("%.200s is not in %s: the ledger points at it, its response is at %d of %s", p.URL, corpus.DocumentFolder, p.WARC.Offset, p.WARC.File)
	})
	if err != nil {
		k.res.wrong("%v", err)
	}
}

// counts compares the folder with what the crawl has counted.
func (k *folderChecker) counts() {
	if k.ledger == nil || k.f.Open || k.f.Crawl == nil {
		return
	}
	if listed := int64(len(k.roll.met)); listed < k.f.Crawl.Kept {
		k.res.wrong("the crawl says that it has kept %d documents, its ledger points at %d", k.f.Crawl.Kept, listed)
	}
	switch {
	case k.res.Rejects >= k.f.Rejected:
	case k.res.Rejects == 0:
		k.res.wrong("%s has none of the %d pages that the crawl has refused", corpus.RejectFolder, k.f.Rejected)
	default: // a crawl that was killed may have refused two pages by one record
		k.res.note("%s has %d records, the crawl has refused %d pages", corpus.RejectFolder, k.res.Rejects, k.f.Rejected)
	}
}

package sift

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"unicode/utf8"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// archive reads a WARC file.
type archive struct {
	src   *source
	yield func(*task, error) bool
	over  bool  // no further pages are wanted
	first error // damage

	// The last response, until the records that belong to it have passed.
	page    *clean.Page
	id, uri string
	weight  int64

	responses, texts int
}

// records reads the pages of a WARC file: its responses, resources that are HTML,
// revisits of a payload that another record has, and its conversions to text. Of the other records only those are used in which a crawl of ours tells
// how it came to a page.
func (src *source) records(yield func(*task, error) bool) {
	a := &archive{src: src, yield: yield}
	for rec, err := range corpus.ReadWARC(src.text) {
		var damage *corpus.Damage
		switch {
		case errors.As(err, &damage):
			a.damaged(damage.Offset, err)
		case err != nil:
			a.flush()
			a.give(src.broken(src.name, err))
			return
		default:
			a.add(rec)
		}
		if a.over {
			return
		}
	}
	a.flush()
	switch {
	case src.seen.Records > 0:
	case a.first != nil:
		a.give(nil, unreadable("read %s: no record can be read: %w", src.path, a.first))
	default:
		a.give(nil, unreadable("read %s: it has no records", src.path))
	}
	if a.texts > 0 && a.responses == 0 {
		src.kind = WET
	}
}

func (a *archive) give(t *task, err error) { a.over = a.over || !a.yield(t, err) || err != nil }

// flush gives the last response away.
func (a *archive) flush() {
	if a.page != nil && !a.over {
		a.give(&task{weight: a.weight, once: true, page: a.page, uri: a.uri}, nil)
	}
	a.page = nil
}

// begin takes a response; file is the archive that holds its payload.
func (a *archive) begin(rec *corpus.Record, file string) {
	a.flush()
	a.page, a.id, a.uri, a.weight = clean.NewPage(rec, file), rec.ID, rec.TargetURI, int64(len(rec.Block))
}

// add takes a record.
func (a *archive) add(rec *corpus.Record) {
	a.src.seen.Records++
	media := strings.ToLower(rec.ContentType)
	switch {
	case rec.HasHTTP():
		a.begin(a.located(rec), a.src.name)
		a.responses++
		return
	case isRevisit(rec):
		a.revisit(rec)
		return
	case rec.Type == "conversion" && strings.HasPrefix(media, "text/plain"):
		a.flush()
		a.texts++
		a.give(&task{weight: int64(len(rec.Block)), once: true, read: a.converted(a.located(rec))}, nil)
		return
	case a.responses+a.texts == 0 && isWAT(rec, media):
		a.give(nil, unreadable("read %s: it is WAT, which has no texts: name the WARC or WET file that belongs to it", a.src.path))
	case a.page != nil && a.id != "" && rec.Shows() == a.id:
		a.page.Show(rec.Block)
		a.weight += int64(len(rec.Block))
		return
	case rec.Type == "metadata" && a.page != nil && rec.ConcurrentTo == a.id:
		a.page.Trace(rec.Block)
	}
	a.src.seen.skip(typeName(rec.Type))
}

// located is a record with its place in the input. In an input that has to be
// unpacked as a whole records have no places.
func (a *archive) located(rec *corpus.Record) *corpus.Record {
	if a.src.packed {
		rec.Offset, rec.Length = 0, 0
	}
	return rec
}

// damaged gives away that a place cannot be read.
func (a *archive) damaged(offset int64, err error) {
	a.flush()
	a.first = cmp.Or(a.first, err)
	if !a.over {
		a.give(&task{read: clean.Damaged(a.src.name, offset, err).Read}, nil)
	}
}

// typeName is the type of a record, of those that there are.
func typeName(kind string) string {
	switch kind {
	case "warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation":
		return kind
	}
	return "other"
}

// isWAT recognises Common Crawl's metadata files by a record of them.
func isWAT(rec *corpus.Record, media string) bool {
	return rec.Type == "metadata" && strings.HasPrefix(media, "application/json") &&
		bytes.Contains(rec.Block[:min(len(rec.Block), kindSize)], []byte(`"Envelope"`))
}

// converted reads the text that replaces a page.
func (a *archive) converted(rec *corpus.Record) func(*reading.Reader) (*corpus.Document, *corpus.Reject) {
	place := corpus.Location{File: a.src.name, Offset: rec.Offset, Length: rec.Length}
	return func(r *reading.Reader) (*corpus.Document, *corpus.Reject) {
		t := &reading.PlainText{Link: frontier.Link{URL: rec.TargetURI}, At: rec.Date}
		var err error
		if t.URL, err = urlnorm.Parse(rec.TargetURI); err != nil {
			return nil, rejectOf(t, r, "bad_url", err.Error())
		}
		if t.URL.String() != rec.TargetURI {
			t.Link.URL, t.Link.Origin = t.URL.String(), rec.TargetURI
		}
		text, _ := page.Decode(rec.Block, rec.ContentType)
		t.Title, t.Text = cutTitle(string(text))
		d, reject := judge(r, t, func() (*reading.Result, error) { return r.ReadPlain(t), nil })
		if d != nil {
			d.WARC = place
		}
		return d, reject
	}
}

// titleRunes is how long a title is at most.
const titleRunes = 120

// cutTitle splits off the first line: in WET files it is the <title>, for pages
// that have one. A long one, or one of sentences, is text.
func cutTitle(text string) (title, rest string) {
	text = strings.TrimSpace(text)
	title, rest, more := strings.Cut(text, "\n")
	title = strings.TrimSpace(title)
	if !more || utf8.RuneCountInString(title) > titleRunes || strings.Contains(title, "。") {
		return "", text
	}
	return title, rest
}

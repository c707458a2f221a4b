package clean

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// maxDecoded is the largest size of a page's body, in bytes.
const maxDecoded = 16 << 20

// Page is a page of a WARC file: a response with its trace, or a reject.
type Page struct {
	url    string // "" if unreadable
	ours   bool   // a crawl of ours wrote it, so it has an end
	counts bool   // it belongs into the corpus or among the rejects
	kept   bool   // the step kept it, by the crawl's topic at the time

	accepted bool // see Accept

	reject  *corpus.Reject
	before  *corpus.Reject      // what the step has made of a page that is accepted
	refused *reading.SecondLook // by the end of the crawl

	at        time.Time
	link      frontier.Link
	site      optout.Site // statements of its files at the time of the fetch
	version   int         // of the document; 0: the first
	place     corpus.Location
	truncated bool // by its own archive
	response  *corpus.HTTPResponse
	shown     []byte // mark-up that a browser showed in place of the response's; nil: none did
}

// Limits of the pages of a segment in memory.
const (
	windowBytes = 16 << 20
	windowPages = 500
)

// window is a run of consecutive pages, with the data of their segment.
type window struct {
	key   string
	pages []*Page
	byID  map[string]*Page
	size  int // bytes

	decided Decisions
}

// windows finds the pages of a segment, some at a time. A damaged place becomes
// a reject that names it; an object without a readable record is not a segment.
func windows(r io.Reader, key string, decided Decisions) iter.Seq2[[]*Page, error] {
	return func(yield func([]*Page, error) bool) {
		w := window{key: key, byID: map[string]*Page{}, decided: decided}
		records := 0
		var first error // damage
		for rec, err := range corpus.ReadWARC(r) {
			var damage *corpus.Damage
			switch {
			case errors.As(err, &damage):
				first = cmp.Or(first, err)
				w.pages = append(w.pages, Damaged(key, damage.Offset, err))
				continue
			case err != nil:
				yield(nil, err)
				return
			}
			records++
			if rec.Type == "response" && (w.size >= windowBytes || len(w.pages) >= windowPages) {
				if !yield(w.pages, nil) {
					return
				}
				w = window{key: key, byID: map[string]*Page{}, decided: decided}
			}
			w.add(rec)
		}
		switch {
		case records == 0 && first != nil:
			yield(nil, fault.New(fault.Poison, "not_warc", fmt.Errorf("no record can be read: %w", first)))
		case len(w.pages) > 0:
			yield(w.pages, nil)
		}
	}
}

// add adds a record. The records of a response follow it.
func (w *window) add(rec *corpus.Record) {
	switch rec.Type {
	case "response":
		p := NewPage(rec, w.key)
		w.pages, w.byID[rec.ID] = append(w.pages, p), p
		w.size += len(rec.Block)
	case "conversion":
		if p := w.byID[rec.Shows()]; p != nil {
			p.Show(rec.Block)
			w.size += len(rec.Block)
		}
	case "metadata":
		p := w.byID[rec.ConcurrentTo]
		reject, err := rec.Reject()
		switch {
		case err != nil:
			w.pages = append(w.pages, Damaged(w.key, rec.Offset, err))
		case p != nil && reject != nil:
			p.refuse(reject, w.decided[p.place.Offset].Accepted)
		case p != nil:
			p.Trace(rec.Block)
		case reject != nil:
			w.pages = append(w.pages, &Page{url: reject.FinalURL, ours: true, reject: reject})
		}
	}
}

// refuse notes that the step rejected the page, which is not read again unless the end of
// the crawl has accepted it.
func (p *Page) refuse(reject *corpus.Reject, accepted bool) {
	reject.WARC, p.ours = p.place, true
	if accepted {
		p.before = reject
		return
	}
	p.reject, p.response, p.shown = reject, nil, nil
}

// Damaged is the page that stood at a place of a file that cannot be read: a
// reject by corpus.RuleDamaged.
func Damaged(file string, offset int64, err error) *Page {
	return &Page{counts: true, reject: &corpus.Reject{
		URL: fmt.Sprintf("%s#%d", file, offset), Rule: corpus.RuleDamaged, Detail: err.Error(),
	}}
}

// NewPage returns the page of a response record; file is how the documents name
// the WARC file.
func NewPage(rec *corpus.Record, file string) *Page {
	resp, err := rec.HTTP()
	if err != nil {
		return Damaged(file, rec.Offset, err)
	}
	return &Page{
		url: rec.TargetURI, at: rec.Date, link: frontier.Link{URL: rec.TargetURI}, response: resp,
		place: corpus.Location{File: file, Offset: rec.Offset, Length: rec.Length}, truncated: rec.Truncated != "",
	}
}

// Trace reads how a crawl of ours found the page, from the block of its
// metadata record. It ignores metadata of other crawlers.
func (p *Page) Trace(block []byte) {
	var t step.Trace
	if err := json.Unmarshal(block, &t); err == nil && t.Link.URL == p.url {
		p.link, p.site, p.version, p.ours = t.Link, t.Site, t.Version, true
	}
}

// Arrival decodes and parses the page, or says by which rule that fails.
func (p *Page) Arrival() (a *reading.Arrival, rule string, err error) {
	u, err := urlnorm.Parse(p.url)
	if err != nil {
		return nil, "bad_url", err
	}
	if !p.ours && u.String() != p.url {
		// By its canonical URL the document is the one that a crawl would find.
		p.link.URL, p.link.Origin = u.String(), p.url
	}
	if p.response.Status != http.StatusOK {
		return nil, fmt.Sprintf("http_%d", p.response.Status), nil
	}
	contentType, data, err := p.Served()
	if err != nil {
		return nil, "encoding", err
	}
	if page.Sniff(data, contentType, p.url) != page.HTML {
		return nil, reading.RuleNotHTML, fmt.Errorf("content type %q", contentType)
	}
	text, parsed, err := page.Read(data, contentType, u)
	if err != nil {
		return nil, reading.RuleNotHTML, err
	}
	return &reading.Arrival{
		Link: p.link, URL: u, At: p.at, Text: text, Page: parsed, Header: p.response.Header, Site: p.site, Version: p.version, Kept: p.kept, Accepted: p.accepted,
	}, "", nil
}

// Show makes the page what a browser showed.
func (p *Page) Show(markup []byte) { p.shown = markup }

// URL is that of the page, "" if it is unreadable.
func (p *Page) URL() string { return p.url }

// Served returns the Content-Type of the page and its body without content
// coding: as a browser showed it, if one did.
func (p *Page) Served() (contentType string, body []byte, err error) {
	switch {
	case p.response == nil:
		return "", nil, errors.New(p.reject.Detail)
	case p.shown != nil:
		return page.TypeUTF8, p.shown, nil
	}
	body, err = p.body()
	return p.response.Header.Get("Content-Type"), body, err
}

// body undoes the content coding. Archives cut bodies off and say so, and some
// undo the coding but keep its header.
func (p *Page) body() ([]byte, error) {
	raw := p.response.Body
	data, err := fetch.Decode(p.response.Header, raw, maxDecoded)
	switch {
	case err == nil, p.truncated && len(data) > 0:
		return data, nil
	case len(raw) <= maxDecoded && page.Sniff(raw, "", p.url) == page.HTML:
		return raw, nil
	}
	return nil, err
}

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

	"sluice/shared/corpus"
	"sluice/shared/crawl"
	"sluice/shared/fault"
	"sluice/shared/fetch"
	"sluice/shared/frontier"
	"sluice/shared/page"
	"sluice/shared/urlnorm"
)

// maxDecoded is what the body of a page may measure.
const maxDecoded = 16 << 20

// found is a page of a segment: a response with its trace, or a reject.
type found struct {
	url    string // "" where nothing can be read
	ours   bool   // a crawl of ours wrote it, so it has an end
	counts bool   // it belongs into the corpus or among the rejects
	kept   bool   // the step kept it, by the topic that the crawl had then

	reject *corpus.Reject

	at       time.Time
	link     frontier.Link
	place    corpus.Location
	response *corpus.HTTPResponse
}

// What is read of a segment at a time: the memory that it takes.
const (
	windowBytes = 16 << 20
	windowPages = 500
)

// window is a number of pages that follow each other, with what their segment
// says of them.
type window struct {
	key   string
	pages []*found
	byID  map[string]*found
	size  int // bytes
}

// windows finds the pages of a segment, some at a time. What is damaged becomes
// a reject that names its place; an object in which no record can be read is no
// segment.
func windows(r io.Reader, key string) iter.Seq2[[]*found, error] {
	return func(yield func([]*found, error) bool) {
		w := window{key: key, byID: map[string]*found{}}
		records := 0
		var first error // damage
		for rec, err := range corpus.ReadWARC(r) {
			var damage *corpus.Damage
			switch {
			case errors.As(err, &damage):
				first = cmp.Or(first, err)
				w.pages = append(w.pages, damaged(key, damage.Offset, err))
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
				w = window{key: key, byID: map[string]*found{}}
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

// add takes a record. What belongs to a response follows it.
func (w *window) add(rec *corpus.Record) {
	switch rec.Type {
	case "response":
		p := response(rec, w.key)
		w.pages, w.byID[rec.ID] = append(w.pages, p), p
		w.size += len(rec.Block)
	case "metadata":
		if p := w.byID[rec.ConcurrentTo]; p != nil {
			p.trace(rec.Block)
			return
		}
		reject, err := rec.Reject()
		switch {
		case err != nil:
			w.pages = append(w.pages, damaged(w.key, rec.Offset, err))
		case reject != nil:
			w.pages = append(w.pages, &found{url: reject.FinalURL, ours: true, reject: reject})
		}
	}
}

// damaged is the reject of a place that cannot be read.
func damaged(key string, offset int64, err error) *found {
	return &found{counts: true, reject: &corpus.Reject{
		URL: fmt.Sprintf("%s#%d", key, offset), Rule: corpus.RuleDamaged, Detail: err.Error(),
	}}
}

func response(rec *corpus.Record, key string) *found {
	resp, err := rec.HTTP()
	if err != nil {
		return damaged(key, rec.Offset, err)
	}
	return &found{
		url: rec.TargetURI, at: rec.Date, link: frontier.Link{URL: rec.TargetURI}, response: resp,
		place: corpus.Location{File: key, Offset: rec.Offset, Length: rec.Length},
	}
}

// trace takes over how a crawl of ours came to the page.
func (p *found) trace(block []byte) {
	var t crawl.Trace
	if err := json.Unmarshal(block, &t); err == nil && t.Link.URL == p.url {
		p.link, p.ours = t.Link, true
	}
}

// arrival decodes and parses the page, or says by which rule that fails.
func (p *found) arrival() (a *crawl.Arrival, rule string, err error) {
	u, err := urlnorm.Parse(p.url)
	if err != nil {
		return nil, "bad_url", err
	}
	if p.response.Status != http.StatusOK {
		return nil, fmt.Sprintf("http_%d", p.response.Status), nil
	}
	data, err := fetch.Decode(p.response.Header, p.response.Body, maxDecoded)
	if err != nil {
		return nil, "encoding", err
	}
	contentType := p.response.Header.Get("Content-Type")
	if page.Sniff(data, contentType, p.url) != page.HTML {
		return nil, crawl.RuleNotHTML, fmt.Errorf("content type %q", contentType)
	}
	text, charset := page.Decode(data, contentType)
	parsed, err := page.Parse(text, charset, u)
	if err != nil {
		return nil, crawl.RuleNotHTML, err
	}
	return &crawl.Arrival{Link: p.link, URL: u, At: p.at, Text: text, Page: parsed, Kept: p.kept}, "", nil
}

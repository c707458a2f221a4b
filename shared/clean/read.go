package clean

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"sluice/shared/corpus"
	"sluice/shared/crawl"
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

	reject *corpus.Reject

	at       time.Time
	link     frontier.Link
	place    corpus.Location
	response *corpus.HTTPResponse
}

// read finds the pages of a segment. What is damaged becomes a reject that
// names its place.
func read(r io.Reader, key string) ([]*found, error) {
	var pages []*found
	byID := map[string]*found{}
	for rec, err := range corpus.ReadWARC(r) {
		var damage *corpus.Damage
		switch {
		case errors.As(err, &damage):
			pages = append(pages, damaged(key, damage.Offset, err))
			continue
		case err != nil:
			return nil, err
		}
		switch rec.Type {
		case "response":
			p := response(rec, key)
			pages, byID[rec.ID] = append(pages, p), p
		case "metadata":
			if p := byID[rec.ConcurrentTo]; p != nil {
				p.trace(rec.Block)
				continue
			}
			reject, err := rec.Reject()
			switch {
			case err != nil:
				pages = append(pages, damaged(key, rec.Offset, err))
			case reject != nil:
				pages = append(pages, &found{url: reject.FinalURL, ours: true, reject: reject})
			}
		}
	}
	return pages, nil
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
	return &crawl.Arrival{Link: p.link, URL: u, At: p.at, Text: text, Page: parsed}, "", nil
}

package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
)

// atOnce is how many pages are looked up at a time.
const atOnce = 500

// decide judges the pages of the crawl itself, not of those that it refreshes. Decisions
// of the look before that still hold are made again.
func (v *review) decide(ctx context.Context) error {
	result := v.judge.Result()
	v.look.Result = &result
	for docs, err := range chunks(ctx, v, corpus.DocumentFolder, v.document) {
		if err = errors.Join(err, v.documents(ctx, docs)); err != nil {
			return err
		}
	}
	for rejects, err := range chunks(ctx, v, corpus.RejectFolder, v.reject) {
		if err = errors.Join(err, v.rejects(ctx, rejects)); err != nil {
			return err
		}
	}
	for name, before := range v.before.Segments { // to be made again as if there had been no look
		if len(before) > 0 && v.look.Segments[name] == nil {
			v.look.Segments[name] = clean.Decisions{}
		}
	}
	return nil
}

// candidate is a page about which there may be something to decide.
type candidate struct {
	url      string
	at       corpus.Location
	decision clean.Decision
	again    bool // the look before has decided it, and so does this one
	previous string
}

// chunks reads the lines of a part of the crawl, and yields what judge makes of them, some at a time.
func chunks(ctx context.Context, v *review, part string, judge func(line []byte) (*candidate, error)) iter.Seq2[[]*candidate, error] {
	return func(yield func([]*candidate, error) bool) {
		var some []*candidate
		for line, err := range v.pages.of(ctx, part, v.job.ID) {
			var c *candidate
			if err == nil {
				c, err = judge(line)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if c == nil {
				continue
			}
			if some = append(some, c); len(some) == atOnce {
				if !yield(some, nil) {
					return
				}
				some = nil
			}
		}
		if len(some) > 0 {
			yield(some, nil)
		}
	}
}

// document judges a document: nil if it stays one without a decision.
func (v *review) document(line []byte) (*candidate, error) {
	d := new(corpus.Document)
	if err := json.Unmarshal(line, d); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("document: %w", err))
	}
	value, threshold := v.judge.Document(d)
	c := &candidate{url: d.FinalURL, at: d.WARC}
	if value < threshold {
		c.decision.Refused = &reading.SecondLook{Value: value, Threshold: threshold}
		return c, nil
	}
	c.decision.Accepted, c.again = true, true
	if !v.decided(d.WARC).Accepted {
		return nil, nil
	}
	return c, nil
}

// reject judges a reject: nil if it stays one without a decision.
func (v *review) reject(line []byte) (*candidate, error) {
	r := new(corpus.Reject)
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("reject: %w", err))
	}
	c := &candidate{url: r.FinalURL, at: r.WARC, previous: r.Previous}
	switch before := v.decided(r.WARC); {
	case v.judge.Accepts(r):
		c.decision.Accepted = true
	case before.Refused != nil:
		c.decision.Refused, c.again = before.Refused, true
	case before.Accepted: // and not cleaned since: its end says that it is a document
		value, threshold := v.judge.Reject(r)
		c.decision.Refused = &reading.SecondLook{Value: value, Threshold: threshold}
	default:
		return nil, nil
	}
	return c, nil
}

// decided is the decision of the look before.
func (v *review) decided(at corpus.Location) clean.Decision {
	return v.before.Segments[v.name(at)][at.Offset]
}

// documents notes decisions about documents that the ledger points at.
func (v *review) documents(ctx context.Context, some []*candidate) error {
	return v.current(ctx, some, func(c *candidate, e *ledger.Entry) {
		if e.Verdict == ledger.Kept {
			v.note(c)
			if !c.again {
				v.look.Result.Removed++
			}
		}
	})
}

// rejects notes decisions about rejects.
func (v *review) rejects(ctx context.Context, some []*candidate) error {
	return v.current(ctx, some, func(c *candidate, e *ledger.Entry) {
		switch {
		case c.decision.Refused != nil:
			v.note(c)
		case e.Length == 0 || e.Verdict != ledger.Passed && e.Verdict != ledger.Kept || !v.makesDocument(c.at):
		default:
			v.note(c)
			v.accepted = append(v.accepted, ledger.Accepted{URL: c.url, Change: secondlook.Change(len(v.job.RefreshOf) > 0, c.previous)})
			v.look.Result.Added++
		}
	})
}

// current calls f for pages whose end is that in their place.
func (v *review) current(ctx context.Context, some []*candidate, f func(c *candidate, e *ledger.Entry)) error {
	urls := make([]string, len(some))
	for i, c := range some {
		urls[i] = c.url
	}
	entries, err := v.ports.Ledger.Entries(ctx, v.job.ID, urls)
	if err != nil {
		return fmt.Errorf("look up pages: %w", err)
	}
	for i, e := range entries {
		if e != nil && e.Segment == some[i].at.File && e.Offset == some[i].at.Offset {
			f(some[i], e)
		}
	}
	return nil
}

// name is that of the segment of a place.
func (v *review) name(at corpus.Location) string {
	return strings.TrimPrefix(at.File, corpus.RawFolder+"/"+v.job.ID+"/")
}

func (v *review) note(c *candidate) {
	name := v.name(c.at)
	if v.look.Segments[name] == nil {
		v.look.Segments[name] = clean.Decisions{}
	}
	v.look.Segments[name][c.at.Offset] = c.decision
}

// makesDocument reports whether a page that was held is a document, or is none for other
// reasons.
func (v *review) makesDocument(at corpus.Location) bool {
	page, err := v.pages.page(at)
	if err != nil {
		return false
	}
	d, err := secondlook.Made(page, v.reader, func(string) (*boilerplate.Learned, error) { return nil, nil })
	return d != nil && err == nil
}

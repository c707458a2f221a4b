package clean

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"sluice/shared/crawl/reading"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
)

// Look is what the second look of a crawl on a stack has decided. The corpus is made by
// it from then on, so that it does not matter how often a segment is cleaned.
type Look struct {
	Number int64     `json:"number"` // see job.Look
	At     time.Time `json:"at"`     // when it was decided: the segments are cleaned since then

	Result *job.SecondLook `json:"result,omitempty"` // nil: forgotten, with pages that it learned from

	Segments map[string]Decisions `json:"segments"` // by name
}

// Decisions are those about the pages of a segment, by the offset of the response.
type Decisions map[int64]Decision

// Decision moves a page: a reject becomes a document, or a document a reject.
type Decision struct {
	Accepted bool                `json:"accepted,omitempty"`
	Refused  *reading.SecondLook `json:"refused,omitempty"`
}

// LookKey is the key of the look of a crawl.
func LookKey(crawl string) string { return corpus.LookFolder + "/" + crawl + ".json" }

// Keys are those of the segments of a crawl that it concerns.
func (l *Look) Keys(crawl string) []string {
	keys := slices.Sorted(maps.Keys(l.Segments))
	for i, name := range keys {
		keys[i] = rawFolder + crawl + "/" + name
	}
	return keys
}

// Undone reports whether a segment, last cleaned at a time of S3, which counts seconds, is
// still to be cleaned as the look has decided.
func (l *Look) Undone(segment string, cleaned time.Time) bool {
	return l.Segments[segment] != nil && cleaned.Before(l.At.Truncate(time.Second))
}

// Refused counts the documents that it has refused.
func (l *Look) Refused() (n int64) {
	for _, decisions := range l.Segments {
		for _, d := range decisions {
			if d.Refused != nil {
				n++
			}
		}
	}
	return n
}

// Opener opens objects of the bucket.
type Opener interface {
	// Open opens an object. The fault of one that is gone is Permanent.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
}

// maxLook is the largest size of a look, in bytes: a decision takes some 70.
const maxLook = 64 << 20

// ReadLook reads the look of a crawl; an empty one if there is none.
func ReadLook(ctx context.Context, from Opener, crawl string) (*Look, error) {
	l := new(Look)
	body, err := from.Open(ctx, LookKey(crawl))
	if f := fault.Of(err); f != nil {
		if f.Class == fault.Permanent {
			return l, nil
		}
		return nil, fmt.Errorf("read look: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(body, maxLook))
	if err = errors.Join(err, body.Close()); err == nil {
		err = json.Unmarshal(data, l)
	}
	if err != nil {
		return nil, fmt.Errorf("read look of %s: %w", crawl, err)
	}
	return l, nil
}

// decisions reads those about a segment.
func (c *Cleaner) decisions(ctx context.Context, j *job.Job, name string) (Decisions, error) {
	if j.Look.Asked == 0 && j.Look.Made == 0 {
		return nil, nil
	}
	l, err := ReadLook(ctx, c.ports.Objects, j.ID)
	if err != nil {
		return nil, err
	}
	return l.Segments[name], nil
}

// decide applies a decision to a page that counts.
func (p *Page) decide(d Decision) {
	p.refused = d.Refused
	if d.Accepted {
		p.Accept()
	}
}

// decided is the output of a page after the decision about it.
func (p *Page) decided(d *corpus.Document, r *corpus.Reject) (*corpus.Document, *corpus.Reject) {
	switch {
	case d == nil && p.before != nil: // what it held makes no document without the lines of its host
		p.before.Rule, p.before.Detail = reading.RuleSecondLook, "accepted, but "+r.Rule+": "+r.Detail
		return nil, p.before
	case p.refused == nil:
		return d, r
	case d != nil:
		return nil, p.refused.Refuse(d, p.at)
	}
	if reading.Held(r) { // an earlier look had accepted it
		r.Rule, r.Detail = reading.RuleSecondLook, p.refused.Detail()
	}
	return nil, r
}

package s3corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

var _ ledger.Decisions = (*Segments)(nil)

// maxReads is how many segments are read at a time.
const maxReads = 8

// Drop implements ledger.Decisions. The decisions are stored once a later Sync
// of the crawl returns, and cost no separate request.
func (s *Segments) Drop(ctx context.Context, crawl string, ds []ledger.Decision) error {
	if err := ctx.Err(); err != nil || len(ds) == 0 {
		return err
	}
	drops := make([]drop, len(ds))
	for i := range ds {
		line, err := json.Marshal(&ds[i])
		if err != nil {
			return fault.New(fault.Permanent, "decision", fmt.Errorf("encode decision about %s: %w", ds[i].Link.URL, err))
		}
		drops[i] = drop{order: ds[i].Link.Order(), line: line}
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.group(crawl)
	if err := g.room(ctx); err != nil {
		return fmt.Errorf("drop %d links: %w", len(ds), err)
	}
	seg := g.segment()
	for i, d := range drops {
		seg.drop(ds[i].Link.URL, d)
	}
	g.advance()
	return nil
}

// Dropped implements ledger.Decisions. It reads every segment of the crawl:
// fast enough for a person, not for a crawl.
func (s *Segments) Dropped(ctx context.Context, crawl, url string) (*ledger.Decision, error) {
	held, err := s.held(crawl, url) // first: it may move to S3 meanwhile
	if err != nil {
		return nil, fmt.Errorf("look up decision about %s: %w", url, err)
	}
	var keys []string
	for obj, err := range s.objects.List(ctx, SegmentPrefix(crawl)) {
		if err != nil {
			return nil, fmt.Errorf("look up decision about %s: %w", url, err)
		}
		if strings.HasSuffix(obj.Key, segmentSuffix) {
			keys = append(keys, obj.Key)
		}
	}
	found := make([]*ledger.Decision, len(keys), len(keys)+len(held))
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(maxReads)
	for i, key := range keys {
		reads.Go(func() (err error) {
			found[i], err = s.droppedIn(ctx, key, url)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, fmt.Errorf("look up decision about %s: %w", url, err)
	}
	return best(append(found, held...)), nil
}

// held returns the decisions about a URL that are not in S3, older ones first.
func (s *Segments) held(crawl, url string) ([]*ledger.Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[crawl]
	if g == nil {
		return nil, nil
	}
	var found []*ledger.Decision
	for _, seg := range []*segment{g.sealed, g.open} {
		if seg == nil {
			continue
		}
		d, ok := seg.drops[url]
		if !ok {
			continue
		}
		decision, err := readDecision(d.line)
		if err != nil {
			return nil, err
		}
		found = append(found, decision)
	}
	return found, nil
}

// droppedIn returns the decision about a URL in a segment, nil if none.
func (s *Segments) droppedIn(ctx context.Context, key, url string) (*ledger.Decision, error) {
	body, err := s.objects.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	quoted, err := json.Marshal(url)
	if err != nil {
		return nil, fmt.Errorf("encode URL: %w", err)
	}
	var found []*ledger.Decision
	for rec, err := range corpus.ReadWARC(body) {
		if err != nil {
			return nil, fmt.Errorf("read segment %s: %w", key, err)
		}
		for _, line := range rec.Decisions() {
			if !bytes.Contains(line, quoted) {
				continue
			}
			d, err := readDecision(line)
			if err != nil {
				return nil, fmt.Errorf("read segment %s: %w", key, err)
			}
			if d.Link.URL == url {
				found = append(found, d)
			}
		}
	}
	return best(found), nil
}

func readDecision(line []byte) (*ledger.Decision, error) {
	d := new(ledger.Decision)
	if err := json.Unmarshal(line, d); err != nil {
		return nil, fault.New(fault.Permanent, "decision", fmt.Errorf("decode decision: %w", err))
	}
	return d, nil
}

// best returns the decision about the best link, the first of equals; nil if
// there is none.
func best(ds []*ledger.Decision) *ledger.Decision {
	var best *ledger.Decision
	for _, d := range ds {
		if d != nil && (best == nil || d.Link.Order().Compare(best.Link.Order()) < 0) {
			best = d
		}
	}
	return best
}

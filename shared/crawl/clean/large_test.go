package clean_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"sluice/shared/crawl/clean"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// counted tells how many ends were asked for at a time.
type counted struct {
	*stack
	asked []int
}

func (c *counted) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	c.asked = append(c.asked, len(urls))
	return c.stack.Entries(ctx, crawl, urls)
}

// A segment of any size is cleaned some pages at a time: repeats are found across
// them, and what belongs to a page stays with it.
func TestManyPages(t *testing.T) {
	s := newStack(t)
	var xs []*corpus.Exchange
	const pages = 1300
	for i := range pages {
		url := fmt.Sprintf("http://a.test/%d", i)
		xs = append(xs, page(url, "股市", true))
		s.ends[url] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
	}
	s.put(t, append(xs, xs[0])) // the first again, a thousand pages later
	c := &counted{stack: s}
	ports := s.ports()
	ports.Ends = c
	cleaner := clean.New(ports, clean.Options{})
	if err := cleaner.Segment(t.Context(), segment, false); err != nil {
		t.Fatal(err)
	}
	if len(c.asked) != 3 {
		t.Errorf("pages were read %v at a time", c.asked)
	}
	docs := s.documents(t)
	for _, d := range docs {
		if d.Path.Anchor != "股市" {
			t.Fatalf("%s lost its trace", d.FinalURL)
		}
	}
	if len(docs) != pages {
		t.Errorf("%d documents, want %d", len(docs), pages)
	}
}

// A segment too large for the time of a function comes to an end with it.
func TestNoTimeLeft(t *testing.T) {
	s := newStack(t)
	s.put(t, []*corpus.Exchange{page("http://b.test/1", "股市", false)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := clean.New(s.ports(), clean.Options{})
	if err := c.Segment(ctx, segment, false); !errors.Is(err, context.Canceled) {
		t.Errorf("Segment() = %v", err)
	}
	if len(s.objects) != 1 {
		t.Error("something was written")
	}
}

// A page that was refused at first and kept when it was fetched again, in one
// segment, is there as what the ledger says.
func TestTwoFates(t *testing.T) {
	for _, tt := range []struct {
		verdict   ledger.Verdict
		documents int
	}{{ledger.Kept, 1}, {ledger.Rejected, 0}} {
		s := newStack(t)
		const url = "http://a.test/1"
		s.put(t, []*corpus.Exchange{page(url, "股市", true)}, &corpus.Reject{URL: url, FinalURL: url, Rule: "http_404"})
		s.ends[url] = &ledger.Entry{Segment: segment, Verdict: tt.verdict}
		if err := s.clean(t, false); err != nil {
			t.Fatal(err)
		}
		if docs, rejects := len(s.documents(t)), len(s.rejects(t)); docs != tt.documents || rejects != 1-tt.documents {
			t.Errorf("%s: %d documents and %d rejects", tt.verdict, docs, rejects)
		}
	}
}

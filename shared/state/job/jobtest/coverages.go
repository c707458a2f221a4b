package jobtest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/conformance"
	"sluice/shared/state/job"
)

// Coverages is the adapter under test.
type Coverages struct {
	job.Coverages

	// Again returns another adapter of the same store, that of a process which starts
	// later.
	Again func() job.Coverages
}

// RunCoverages checks an adapter against the contract of job.Coverages. Each check gets
// a fresh, empty one.
func RunCoverages(t *testing.T, open func(t *testing.T) Coverages) {
	conformance.Run(t, []conformance.Check[Coverages]{
		// A crawl that has kept nothing has no coverage.
		{Name: "nothing is covered", Check: func(t *testing.T, c Coverages) { wantCovered(t, c, job.Coverage{}) }},
		// Parts of a crawl are kept by many processes.
		{Name: "all parts count", Check: checkParts},
		// A page is counted again after a crash, and kept by a resumed crawl.
		{Name: "adding again changes nothing", Check: checkAgain},
		// A refresh begins anew.
		{Name: "crawls are apart", Check: checkApart},
		// What is stored must not grow with the crawl.
		{Name: "a sample of a large crawl", Check: checkLarge},
		{Name: "16 at once each count", Check: checkCoverRace},
		// Functions end at their deadline.
		{Name: "a context that has ended", Check: checkCoverContext},
	}, open)
}

// part returns a coverage by n documents and words, from different ones on.
func part(from, n uint32) (c job.Coverage) {
	for i := from; i < from+n; i++ {
		h := i * 0x9E3779B1 // no two have the same
		c = c.With(job.Coverage{Documents: job.Sample{h}, Words: job.Sample{^h}})
	}
	return c
}

func cover(t *testing.T, c job.Coverages, crawl string, part job.Coverage) {
	t.Helper()
	if err := c.Cover(t.Context(), crawl, part); err != nil {
		t.Fatalf("Cover: %v", err)
	}
}

// wantCovered checks what is covered of crawl c, here and in a later process.
func wantCovered(t *testing.T, c Coverages, want job.Coverage) {
	t.Helper()
	for name, from := range map[string]job.Coverages{"here": c, "again": c.Again()} {
		got, err := from.Covered(t.Context(), "c")
		if err != nil {
			t.Fatalf("Covered: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("covered, %s (-want +got):\n%s", name, diff)
		}
	}
}

func checkParts(t *testing.T, c Coverages) {
	cover(t, c, "c", part(0, 3))
	cover(t, c, "c", job.Coverage{Documents: part(3, 1).Documents})
	cover(t, c, "c", job.Coverage{Words: part(3, 1).Words})
	cover(t, c.Again(), "c", part(4, 2))
	cover(t, c.Again(), "c", job.Coverage{})
	wantCovered(t, Coverages{c.Again(), c.Again}, part(0, 6))
}

func checkAgain(t *testing.T, c Coverages) {
	cover(t, c, "c", part(0, 3))
	cover(t, c, "c", part(1, 2))
	cover(t, c.Again(), "c", part(0, 2))
	wantCovered(t, c, part(0, 3))
}

func checkApart(t *testing.T, c Coverages) {
	cover(t, c, "c", part(0, 3))
	cover(t, c, "d", part(3, 3))
	wantCovered(t, c, part(0, 3))
}

func checkLarge(t *testing.T, c Coverages) {
	for from := uint32(0); from < 5000; from += 250 {
		cover(t, c, "c", part(from, 250))
	}
	want := part(0, 5000)
	if n := want.Documents.Count(); len(want.Words) != job.SampleSize || n < 4500 || n > 5500 {
		t.Errorf("of 5,000 members a sample has %d and counts %d", len(want.Words), n)
	}
	wantCovered(t, c, want)
}

func checkCoverRace(t *testing.T, c Coverages) {
	var wg sync.WaitGroup
	for i := range uint32(16) {
		wg.Go(func() {
			for j := range uint32(8) {
				if err := c.Cover(t.Context(), "c", part(i*40+j*5, 5)); err != nil {
					t.Errorf("Cover: %v", err)
				}
			}
		})
	}
	wg.Wait()
	wantCovered(t, c, part(0, 640))
}

func checkCoverContext(t *testing.T, c Coverages) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Again().Covered(ctx, "c")
	for name, err := range map[string]error{"Cover": c.Cover(ctx, "c", part(0, 1)), "Covered": err} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
}

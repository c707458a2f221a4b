package worker_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// A crawl that refreshes another finds its documents unchanged, gone or new;
// one that refreshes that one knows what both know.
func TestRefreshOf(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const pages = 8
		w := tree(1, pages)
		c := newCloud(t, w)
		refresh := func(id, of string, want map[ledger.Change]int64) {
			t.Helper()
			if _, err := c.corpus.Turn(); err != nil { // a crawl has a store of its own
				t.Fatal(err)
			}
			w.mu.Lock()
			clear(w.asked)
			w.robots = 0
			w.mu.Unlock()
			c.message(t, fmt.Sprintf(start, id, `,"refresh_of":"`+of+`"`))
			c.run(t, 2)
			wantEnd(t, c, id, job.ReasonFrontierEmpty)
			got := maps.Clone(c.totals(t, id).Changes)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", id, diff)
			}
			if w.robots != 1 {
				t.Errorf("%s asked for robots.txt %d times, want once", id, w.robots)
			}
			wantManners(t, c)
		}
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.run(t, 2)
		if got := c.totals(t, "one"); got.Verdicts[ledger.Kept] != pages || got.Changes != nil {
			t.Fatalf("first crawl: %+v", got)
		}
		w.pages = pages - 2
		refresh("two", "one", map[ledger.Change]int64{ledger.Unchanged: pages - 2, ledger.Gone: 2})
		w.pages = pages + 1
		refresh("three", "two", map[ledger.Change]int64{ledger.Unchanged: pages - 2, ledger.New: 2}) // what was gone is back
		if diff := cmp.Diff([]string{"two", "one"}, c.job(t, "three").RefreshOf); diff != "" {
			t.Errorf("refreshed crawls (-want +got):\n%s", diff)
		}

		w.mu.Lock()
		clear(w.asked)
		w.mu.Unlock()
		c.message(t, fmt.Sprintf(start, "four", `,"refresh_of":"three","revisit":"sources"`))
		c.run(t, 2)
		wantEnd(t, c, "four", job.ReasonFrontierEmpty)
		if got := c.totals(t, "four"); got.Fetched != 1 || got.Changes[ledger.Unchanged] != 1 {
			t.Errorf("a refresh of sources fetched %d pages with changes %v, want the seed alone", got.Fetched, got.Changes)
		}
	})
}

// A crawl that does not exist cannot be refreshed, and a second start is no refresh.
func TestRefreshOfNothing(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := newCloud(t, tree(1, 2))
		for _, of := range []string{"nobody", "one"} {
			err := c.seeder.Message(t.Context(), fmt.Appendf(nil, start, "one", `,"refresh_of":"`+of+`"`))
			if f := fault.Of(err); f == nil || f.Class != fault.Poison {
				t.Errorf("refresh of %s: %v, want poison", of, err)
			}
		}
		c.message(t, fmt.Sprintf(start, "one", ""))
		c.message(t, fmt.Sprintf(start, "two", `,"refresh_of":"one"`))
		c.message(t, fmt.Sprintf(start, "two", `,"refresh_of":"one"`)) // delivered twice
		err := c.seeder.Message(t.Context(), fmt.Appendf(nil, start, "one", `,"refresh_of":"two"`))
		if f := fault.Of(err); f == nil || f.Class != fault.Poison {
			t.Errorf("a second start as a refresh: %v, want poison", err)
		}
	})
}

package operator

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"sluice/shared/console"
	"sluice/shared/state/ledger"
)

// A schedule makes hundreds of refreshes, each of the hundred before it: every crawl is read
// once for the status of a stack, not once for each of its refreshes.
func TestTallies(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	reads := map[string]int{}
	all := &tallies{of: map[string]func() (console.Generation, error){}, read: func(_ context.Context, id string) (console.Generation, error) {
		mu.Lock()
		defer mu.Unlock()
		reads[id]++
		return console.Generation{Totals: &ledger.Totals{Fetched: int64(len(id))}}, nil
	}}
	want := map[string]int{}
	var g errgroup.Group
	for i := range 20 {
		want[fmt.Sprintf("c-%d", i)] = 1
		g.Go(func() error {
			for j := range i + 1 {
				id := fmt.Sprintf("c-%d", j)
				if got, err := all.get(t.Context(), id); err != nil || got.Fetched != int64(len(id)) {
					return fmt.Errorf("%s: %+v, %w", id, got, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

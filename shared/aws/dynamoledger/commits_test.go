package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
)

// writes are the keys of each write, sorted.
type writes struct {
	mu  sync.Mutex
	all [][]string
}

func (w *writes) note(ends []*ending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var keys []string
	for _, e := range ends {
		keys = append(keys, e.key)
	}
	slices.Sort(keys)
	w.all = append(w.all, keys)
}

func endings(keys ...string) []*ending {
	var out []*ending
	for _, k := range keys {
		out = append(out, &ending{key: k})
	}
	return out
}

// Calls at a time are one write; an item is in it once.
func TestCommitsShare(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		var c commits
		var w writes
		var calls sync.WaitGroup
		for i, keys := range [][]string{{"a", "b"}, {"b", "c"}, {"d"}} {
			calls.Go(func() {
				err := c.add(t.Context(), "crawl", endings(keys...), func(_ context.Context, _ string, ends []*ending) error {
					w.note(ends)
					return nil
				})
				if err != nil {
					t.Errorf("call %d: %v", i, err)
				}
			})
		}
		calls.Wait()
		if diff := cmp.Diff([][]string{{"a", "b", "c", "d"}, {"b"}}, w.all); diff != "" {
			t.Errorf("writes (-want +got):\n%s", diff)
		}
	})
}

// A bad end fails only the call that added it.
func TestCommitsFailApart(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		var c commits
		bad := errors.New("bad")
		errs := make([]error, 3)
		var calls sync.WaitGroup
		for i := range errs {
			calls.Go(func() {
				errs[i] = c.add(t.Context(), "crawl", endings(fmt.Sprint(i)), func(_ context.Context, _ string, ends []*ending) error {
					if slices.ContainsFunc(ends, func(e *ending) bool { return e.key == "1" }) {
						return bad
					}
					return nil
				})
			})
		}
		calls.Wait()
		for i, err := range errs {
			if (err != nil) != (i == 1) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

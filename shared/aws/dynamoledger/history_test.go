package dynamoledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/ledger"
)

// end completes pages of a round.
func end(t *testing.T, s *Store, crawl string, round int, relevant bool, urls ...string) {
	t.Helper()
	var ends []ledger.End
	for _, u := range urls {
		e := keptEntry
		e.Round, e.Relevant, e.Trace = round, relevant, fmt.Appendf(nil, `{"link":{"url":%q}}`, u)
		ends = append(ends, ledger.End{URL: u, Entry: &e})
	}
	refused, err := s.Ledger().Complete(t.Context(), crawl, ends)
	if err = errors.Join(append(refused, err)...); err != nil {
		t.Fatal(err)
	}
}

func pagesOf(name string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://%s.test/%d", name, i))
	}
	return urls
}

// The index is read when totals have been read. Until then a process draws from what it read and
// what it has added.
func TestHistoryIsReadWithTotals(t *testing.T) {
	s, p, _ := metered(t)
	drawn := func() []string {
		t.Helper()
		got, err := s.Ledger().Sample(t.Context(), "c", 0, 1000, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(slices.Values(got))
	}
	first, own, others := pagesOf("first", leastWindow), pagesOf("own", 5), pagesOf("others", 5)
	end(t, s, "c", 0, true, first...)
	drawn()
	end(t, s, "c", 0, true, own...)
	end(t, New(s.client, s.opts), "c", 0, true, others...)
	p.reset()
	if diff := cmp.Diff(slices.Sorted(slices.Values(slices.Concat(first, own))), drawn()); diff != "" {
		t.Errorf("before totals are read (-want +got):\n%s", diff)
	}
	wantBill(t, p, "a draw", bill{})
	if _, err := s.Ledger().Totals(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(slices.Concat(first, own, others))), drawn()); diff != "" {
		t.Errorf("after that (-want +got):\n%s", diff)
	}
}

// The index has all pages of a short history, and a part of a long one, which is less the
// longer that is; all of it is drawn from. Pages with a round are all in it.
func TestHistoryIsSampled(t *testing.T) {
	s := open(t, newClock())
	drawn := func(round int) []string {
		t.Helper()
		s.pools.Forget("c") // as when totals are read
		got, err := s.Ledger().Sample(t.Context(), "c", round, 1000, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(slices.Values(got))
	}
	below := func(share uint64, urls []string) []string {
		return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return onCircle(u) > math.MaxUint64/share })))
	}
	first, later := pagesOf("first", 100), pagesOf("later", 100)
	end(t, s, "c", 0, true, first...)
	if diff := cmp.Diff(slices.Sorted(slices.Values(first)), drawn(0)); diff != "" {
		t.Errorf("a short history (-want +got):\n%s", diff)
	}
	s.relevant.Put("c", 2*indexed)
	end(t, s, "c", 0, true, later...)
	if diff := cmp.Diff(below(2, slices.Concat(first, later)), drawn(0)); diff != "" {
		t.Errorf("twice as long as the index (-want +got):\n%s", diff)
	}
	s.relevant.Forget("c")
	if diff := cmp.Diff(slices.Sorted(slices.Values(slices.Concat(first, below(2, later)))), drawn(0)); diff != "" {
		t.Errorf("in the index (-want +got):\n%s", diff)
	}
	s.relevant.Put("c", 8*indexed)
	if diff := cmp.Diff(below(8, slices.Concat(first, later)), drawn(0)); diff != "" {
		t.Errorf("eight times as long (-want +got):\n%s", diff)
	}
	rounds := pagesOf("rounds", 50)
	end(t, s, "c", 1, true, rounds...)
	if got := drawn(2); !slices.Equal(slices.DeleteFunc(got, func(u string) bool { return !slices.Contains(rounds, u) }), slices.Sorted(slices.Values(rounds))) {
		t.Errorf("of a round %d pages are drawn, want all 50", len(got))
	}
}

// Forecasts reckon with as many pages in the index.
func TestForecastsKnowTheIndex(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "console", "cost", "rates.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rates struct {
		Pages int `json:"history_pages"`
	}
	if err := json.Unmarshal(text, &rates); err != nil || rates.Pages != indexed {
		t.Errorf("history_pages is %d, %v, want %d", rates.Pages, err, indexed)
	}
}

// Totals tell how long the history is.
func TestTotalsBoundTheIndex(t *testing.T) {
	s := open(t, newClock())
	end(t, s, "c", 0, true, pagesOf("a", 30)...)
	if _, err := s.Ledger().Totals(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if n, _ := s.relevant.Get("c"); n != 30 {
		t.Errorf("%d pages are known, want 30", n)
	}
}

func TestEachEnd(t *testing.T) {
	s := open(t, newClock())
	relevant, others := pagesOf("a", 30), pagesOf("b", 20)
	end(t, s, "c", 0, true, relevant...)
	end(t, s, "c", 0, false, others...)
	end(t, s, "c-2", 0, true, pagesOf("d", 10)...)
	if err := s.Ledger().MarkQueued(t.Context(), "c", pagesOf("e", 5)); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for ends, err := range s.Ledger().EachEnd(t.Context(), "c") {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range ends {
			if _, twice := got[e.URL]; twice {
				t.Errorf("%s comes twice", e.URL)
			}
			got[e.URL] = e.Entry.Relevant
		}
	}
	want := map[string]bool{}
	for _, u := range relevant {
		want[u] = true
	}
	for _, u := range others {
		want[u] = false
	}
	if !maps.Equal(want, got) {
		t.Errorf("ends of %d URLs, want %d:\n%s", len(got), len(want), cmp.Diff(want, got))
	}
}

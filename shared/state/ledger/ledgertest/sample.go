package ledgertest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/short"
	"sluice/shared/state/ledger"
)

func sample(t *testing.T, h *Harness, crawl string, round, n int, seed uint64) []string {
	t.Helper()
	got, err := h.Sample(t.Context(), crawl, round, n, rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		t.Fatalf("Sample: %v", err)
	}
	return got
}

func remember(t *testing.T, h *Harness, crawl string, round int, urls ...string) {
	t.Helper()
	for _, u := range urls {
		complete(t, h, crawl, u, &ledger.Entry{Verdict: ledger.Kept, Relevant: true, Round: round})
	}
}

// wantSet checks the URLs of a sample, in any order.
func wantSet(t *testing.T, got []string, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sample (-want +got):\n%s", diff)
	}
}

func checkSampleEmpty(t *testing.T, h *Harness) {
	for _, round := range []int{0, 1, 5} {
		if got := sample(t, h, crawl, round, 10, 1); len(got) != 0 {
			t.Errorf("sample of an empty history in round %d: %v", round, got)
		}
	}
	complete(t, h, crawl, url(1), &ledger.Entry{Verdict: ledger.Passed, Fetched: true})
	if got := sample(t, h, crawl, 0, 10, 1); len(got) != 0 {
		t.Errorf("sample has a page that is not relevant: %v", got)
	}
}

func checkSample(t *testing.T, h *Harness) {
	all := urls(0, 40)
	remember(t, h, crawl, 0, all...)
	complete(t, h, crawl, url(40), &ledger.Entry{Verdict: ledger.Passed, Fetched: true})
	wantSet(t, sample(t, h, crawl, 0, 40, 1), all)
	wantSet(t, sample(t, h, crawl, 0, 1000, 2), all)
	for _, n := range []int{-1, 0, 1, 7, 39} {
		got := sample(t, h, crawl, 0, n, uint64(n+9))
		if len(got) != max(n, 0) {
			t.Errorf("sample of %d has %d URLs", n, len(got))
		}
		seen := map[string]bool{}
		for _, u := range got {
			if seen[u] || !slices.Contains(all, u) {
				t.Errorf("sample of %d: %s is drawn twice or not in the history", n, u)
			}
			seen[u] = true
		}
	}
}

// checkSampleUniform counts how often each of 200 URLs is drawn. Without
// replacement the sum of squares is smaller than under independent draws by
// (N−n)/(N−1), so it is divided by that before the comparison with the
// chi-square quantile (199 degrees of freedom, p = 0.0001 on either side).
func checkSampleUniform(t *testing.T, h *Harness) {
	const size, low, high = 200, 133, 282.0
	all := urls(0, size)
	remember(t, h, crawl, 0, all...)
	for _, n := range []int{1, 5, 50, 150} {
		rng := rand.New(rand.NewPCG(20200330, uint64(n)))
		draws := max(20, short.Of(t, 4000, 1000)/n)
		count := map[string]int{}
		for range draws {
			got, err := h.Sample(t.Context(), crawl, 0, n, rng)
			if err != nil {
				t.Fatalf("Sample: %v", err)
			}
			for _, u := range got {
				count[u]++
			}
		}
		expected := float64(draws*n) / size
		chi := 0.0
		for _, u := range all {
			d := float64(count[u]) - expected
			chi += d * d / expected
		}
		chi *= float64(size-1) / float64(size-n)
		high := high + size*expected*h.Skew*h.Skew
		if chi < low || chi > high {
			t.Errorf("samples of %d: chi-square is %.0f, want between %d and %.0f", n, chi, low, high)
		}
	}
}

func checkSampleSeed(t *testing.T, h *Harness) {
	remember(t, h, crawl, 0, urls(0, 100)...)
	first := sample(t, h, crawl, 0, 10, 7)
	if diff := cmp.Diff(first, sample(t, h, crawl, 0, 10, 7)); diff != "" {
		t.Errorf("two draws from one state of the generator differ:\n%s", diff)
	}
	if cmp.Equal(first, sample(t, h, crawl, 0, 10, 8)) {
		t.Errorf("another seed draws the same sample %v", first)
	}
}

func checkSampleRounds(t *testing.T, h *Harness) {
	remember(t, h, crawl, 1, urls(0, 5)...)
	wantSet(t, sample(t, h, crawl, 1, 100, 1), nil)
	wantSet(t, sample(t, h, crawl, 2, 100, 1), urls(0, 5))
	remember(t, h, crawl, 2, urls(5, 8)...)
	wantSet(t, sample(t, h, crawl, 2, 100, 1), urls(0, 5))
	remember(t, h, crawl, 4, urls(8, 20)...)
	wantSet(t, sample(t, h, crawl, 1, 100, 1), nil)
	wantSet(t, sample(t, h, crawl, 3, 100, 1), urls(0, 8))
	wantSet(t, sample(t, h, crawl, 4, 100, 1), urls(0, 8))
	wantSet(t, sample(t, h, crawl, 5, 100, 1), urls(0, 20))
	wantSet(t, sample(t, h, crawl, 9, 100, 1), urls(0, 20))
	wantSet(t, sample(t, h, crawl, 0, 100, 1), urls(0, 20))
}

// checkSampleOrder completes the same pages in many orders, some of them with
// draws in between.
func checkSampleOrder(t *testing.T, h *Harness) {
	crawls := []string{"forward", "backward", "shuffled", "drawn"}
	want := map[int][]string{}
	for _, crawl := range crawls {
		for round := 1; round <= 3; round++ {
			pages := urls(round*100, round*100+30)
			switch crawl {
			case "backward":
				slices.Reverse(pages)
			case "shuffled":
				rng := rand.New(rand.NewPCG(1, 2))
				rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
			}
			for i, u := range pages {
				remember(t, h, crawl, round, u)
				if crawl == "drawn" && i%7 == 0 {
					sample(t, h, crawl, round, 5, uint64(i))
				}
			}
			got := sample(t, h, crawl, round+1, 10, uint64(round))
			if want[round] == nil {
				want[round] = got
			}
			if diff := cmp.Diff(want[round], got); diff != "" {
				t.Errorf("%s: sample after round %d (-%s +%s):\n%s", crawl, round, crawls[0], crawl, diff)
			}
		}
	}
}

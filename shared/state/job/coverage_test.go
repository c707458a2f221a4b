package job

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/ledger"
)

// wordsOf returns n words, from different ones on.
func wordsOf(from, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", from+i)
	}
	return words
}

// A sample counts a set of any size, in whatever parts its members come and however often
// they are added.
func TestSample(t *testing.T) {
	for _, n := range []int{0, 1, SampleSize - 1, SampleSize, 2000, 100_000} {
		words := CoverageOf(0, wordsOf(0, n)).Words
		if got := float64(words.Count()); math.Abs(got-float64(n)) > 0.15*float64(n) || n < SampleSize && int(got) != n {
			t.Errorf("%d words count %v", n, got)
		}
		if len(words) > SampleSize || !slices.IsSorted(words) {
			t.Errorf("the sample of %d words has %d hashes", n, len(words))
		}
		var parts Sample
		for _, i := range rand.Perm(n/50 + 1) {
			part := CoverageOf(0, wordsOf(50*i, min(50, n-50*i))).Words
			parts = parts.With(part...).With(part...)
		}
		if diff := cmp.Diff(words, parts); diff != "" {
			t.Errorf("sample of %d words by parts (-whole +parts):\n%s", n, diff)
		}
	}
}

// A sample does not change what it is made from.
func TestSampleIsAnother(t *testing.T) {
	a := Sample{2, 4}
	if b := a.With(3, 1, 3); !slices.Equal(b, Sample{1, 2, 3, 4}) || !slices.Equal(a, Sample{2, 4}) {
		t.Errorf("%v with 3 and 1 is %v", a, b)
	}
}

func TestGrown(t *testing.T) {
	totals := &ledger.Totals{
		Verdicts: map[ledger.Verdict]int64{ledger.Kept: 30, ledger.Passed: 5, ledger.Rejected: 7, ledger.Redirected: 9},
		Rules:    map[string]int64{"http_404": 4},
		Changes:  map[ledger.Change]int64{ledger.Unchanged: 10, ledger.New: 20},
	}
	want := Growth{Harvest{Read: 38, Kept: 20}, 1, 3}
	if got := Grown(totals, CoverageOf(1<<40, wordsOf(0, 3))); got != want {
		t.Errorf("grown to %+v, want %+v", got, want)
	}
}

// growth is the growth by one period.
func growth(read, kept, documents, words int64) Growth {
	return Growth{Harvest{Read: read, Kept: kept}, documents, words}
}

func TestGrowthWatch(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before int64 // documents
		period Growth
		ends   bool // the period
		want   bool
	}{
		{"all is new", 0, growth(1000, 400, 400, 4000), true, false},
		{"nothing is new", 500, growth(1000, 400, 0, 0), true, true},
		{"hardly anything is", 500, growth(1000, 400, 40, 40), true, true},
		{"few pages are kept, all new", 100, growth(1000, 8, 8, 30), true, false},
		{"few pages are kept, none new", 100, growth(1000, 8, 0, 0), true, true},
		{"copies with other words", 500, growth(1000, 400, 10, 41), true, false},
		{"other documents of the same words", 500, growth(1000, 400, 41, 0), true, false},
		{"nothing is kept", 0, growth(1000, 0, 0, 0), true, false},
		{"a short period", 500, growth(999, 400, 0, 0), false, false},
		{"a short one of a large crawl", 16_000, growth(3000, 999, 0, 0), false, false},
		{"a long one of a large crawl", 16_000, growth(3001, 1000, 0, 0), true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &GrowthWatch{Began: growth(5000, 3000, tt.before, 20_000)}
			now := w.Began
			now.Read, now.Kept, now.Documents, now.Words = now.Read+tt.period.Read, now.Kept+tt.period.Kept, now.Documents+tt.period.Documents, now.Words+tt.period.Words
			if got := w.Go(now); got != tt.want || (w.Last == tt.period) != tt.ends {
				t.Errorf("ends %t, the last period is %+v", got, w.Last)
			}
			now.Read, now.Kept, now.Documents, now.Words = now.Read+5000, now.Kept+2000, now.Documents+2000, now.Words+9000
			if got := w.Go(now); got != tt.want {
				t.Errorf("later it ends %t", got)
			}
		})
	}
}

package compile

import (
	"math"
	"testing"
)

// The others that a page links to count by their relevance beside that of their sites, and with
// five that are like these; the mean over pages that link to a text counts with one.
func TestCocited(t *testing.T) {
	t.Parallel()
	const on, off, gone, alone Address = 1, 2, 3, 4
	texts := []numbered{
		{address: on, place: "a.test/x", times: 1},
		{address: off, place: "a.test/x", times: 4},
		{address: alone, place: "a.test/x", times: 1},
		{address: 5, place: "b.test", times: 1},
	}
	s := &Samples{}
	for _, links := range [][]Address{{on, off}, {gone, off}, nil, {off, 5}} {
		s.Add(Sample{Links: links})
	}
	if s.Len() != 0 {
		t.Fatalf("%d texts without words", s.Len())
	}
	k := kinds{nil, map[string]total{siteOf("a.test/x"): {sum: 1.2, pages: 6}, siteOf("b.test"): {}}}
	got := k.cocited(s, texts, []float64{0.6, 0.1, 0.4, 0})
	for i, want := range []float64{
		((4*0.5+5)/9.0 + 1) / 2,
		((3+5)/6.0 + 1 + 1 + 1) / 4, // the second links to no other text, that of the last is as its site
		1,
		((4*0.5+5)/9.0 + 1) / 2,
	} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("text %d: %v, want %v", i, got[i], want)
		}
	}
}

package compile

import (
	"fmt"
	"math"
	"testing"
)

// Two texts have no learned word. One is like texts that have, the other like texts
// that do not.
func TestFeedbackOfTextsAlike(t *testing.T) {
	t.Parallel()
	f, prose, err := feedbackOf(t, 30, 30)
	if err != nil {
		t.Fatal(err)
	}
	f.weights = map[string]float64{"利率": 1}
	like, unlike := prose.Words("贷款，存款，银行"), prose.Words("气温，游客，公园")
	if v := f.cosine(like); v != 0 {
		t.Fatalf("its own words are worth %v", v)
	}
	if on, off := f.Value("", like), f.Value("", unlike); on <= f.Threshold || off != 0 {
		t.Errorf("relevance %v of a text like those on the topic, %v of one like the others, threshold %v", on, off, f.Threshold)
	}
}

// The texts most like one count the more, the more they are; rare words make two
// texts alike, and words that may not count do not.
func TestAlike(t *testing.T) {
	t.Parallel()
	s := &Samples{}
	for i := range 90 {
		words := []string{"everywhere", "stop"}
		switch {
		case i < 30:
			words = append(words, "loan", "bank")
		case i < 60:
			words = append(words, "rain", "cloud")
		}
		s.Add(Sample{Body: words})
	}
	worth := func(words []string) float64 {
		if words[len(words)-1] == "bank" {
			return 1
		}
		return 0
	}
	a := newAlike(s, func(form string) bool { return form != "stop" }, worth)
	for _, test := range []struct {
		words []string
		want  float64
	}{
		{[]string{"loan"}, 1},
		{[]string{"everywhere", "bank", "unknown"}, 1},
		{[]string{"cloud"}, 0},
		{[]string{"stop"}, 0},
		{nil, 0},
	} {
		if got := a.value(test.words); got != test.want {
			t.Errorf("%q: %v, want %v", test.words, got, test.want)
		}
	}
}

// A word of texts that represent more is less rare: texts that share it count less.
func TestAlikeRepresents(t *testing.T) {
	t.Parallel()
	s := &Samples{}
	for range 9 {
		s.Add(Sample{Body: []string{"loan"}})
		s.Add(Sample{Body: []string{"rain"}, Times: 4})
	}
	worth := func(words []string) float64 {
		if words[0] == "loan" {
			return 1
		}
		return 0
	}
	a := newAlike(s, func(string) bool { return true }, worth)
	loan, rain := math.Log(46/9.5), math.Log(46/36.5)
	if got, want := a.value([]string{"loan", "rain"}), loan/(loan+rain); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

// Of many texts as many as maxCompared at most are compared with, from first to last.
func TestAlikeIsBounded(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, maxCompared, maxCompared + 1, 3*maxCompared + 7} {
		s := &Samples{}
		for i := range n {
			s.Add(Sample{Body: []string{fmt.Sprint("word", i%7)}})
		}
		a := newAlike(s, func(string) bool { return true }, func([]string) float64 { return 1 })
		if len(a.values) > maxCompared || len(a.values) < (n+1)/2 && n <= 2*maxCompared {
			t.Errorf("of %d texts %d are compared with", n, len(a.values))
		}
	}
}

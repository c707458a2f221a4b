package compile

import (
	"math"
	"slices"
	"testing"

	"sluice/shared/topic"
)

// shared returns distinct words of which a number are topic words of mixture,
// so that its relevance is n/of.
func shared(n, of int) []string {
	words := firstThemeWords(n)
	for i := range of - n {
		words = append(words, generalWord(i))
	}
	return words
}

// mixture calibrates a topic of themeWords words of weight 1, the fallback of
// which is 0.06.
func mixture(t *testing.T, samples ...Sample) (topic.Thresholds, *topic.Calibration) {
	t.Helper()
	file := topicOf(t, firstThemeWords(themeWords)...)
	s := &Samples{}
	for _, sample := range samples {
		s.Add(sample)
	}
	got, told, err := calibrate(file.Lexicon(), file, s)
	if err != nil {
		t.Fatal(err)
	}
	return got.Thresholds, told
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-12 }

// The body threshold is midway between two classes of texts, half of that if a
// crawl judged them, near the fallback of 0.03.
func TestBodyThreshold(t *testing.T) {
	for _, test := range []struct {
		name      string
		low, high []string // the texts of each heap
		kept      int      // of 20 texts of the upper class; the others are unjudged
		passed    int      // of 20 texts of the lower heap
		want      float64
		clamped   bool
	}{
		{"texts", shared(2, 100), shared(6, 100), 0, 0, 0.04, false},
		{"texts, drawn down", shared(0, 100), shared(40, 100), 0, 0, 0.045, true},
		{"texts, drawn up", shared(0, 100), shared(2, 100), 0, 0, 0.015, true},
		{"a crawl's", shared(0, 100), shared(40, 100), 20, 20, 0.1, false},
		{"a crawl's, low", shared(0, 100), shared(2, 100), 20, 20, 0.005, false},
		{"a crawl's, drawn down", shared(10, 40), shared(40, 40), 20, 20, 0.24, true},
		{"a crawl's, drawn up", shared(0, 300), shared(1, 300), 20, 20, 0.003, true},
		{"a crawl's, ten of each", shared(0, 100), shared(40, 100), 10, 10, 0.1, false},
		{"too few kept", shared(0, 100), shared(40, 100), 9, 20, 0.045, true},
		{"too few passed over", shared(0, 100), shared(40, 100), 20, 9, 0.045, true},
		{"all alike", shared(5, 100), shared(5, 100), 20, 20, 0.03, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var samples []Sample
			for i := range 20 {
				on, off := Sample{Body: test.high}, Sample{Body: test.low}
				if i < test.kept {
					on.Fate = Kept
				}
				if i < test.passed {
					off.Fate = PassedOver
				}
				samples = append(samples, on, off)
			}
			got, told := mixture(t, samples...)
			if !near(got.Body, test.want) || slices.Contains(told.Clamped, "body") != test.clamped {
				t.Errorf("body threshold %v, clamped %v; want %v, %v", got.Body, told.Clamped, test.want, test.clamped)
			}
		})
	}
}

// The description threshold is low: descriptions off the topic have no topic
// word here, those of pages above the body threshold have some.
func TestDescriptionThreshold(t *testing.T) {
	for _, test := range []struct {
		name string
		poor int // descriptions of 6 % topic words among those of pages on the topic
		good int // those of 30 %
		fate Fate
		want float64
	}{
		// The middle of the roots of 0 and 0.3 is the root of 0.075.
		{"the cut", 0, 20, Unjudged, 0.12 * 0.075},
		// Then the cut is above 0.09, and is drawn down to that.
		{"what the poorest reach", 2, 18, Unjudged, 0.12 * 0.06},
		{"too few pages to tell the poorest", 2, 7, Unjudged, 0.12 * 0.09},
		{"the least", 0, 20, Kept, 0.1 * 0.06}, // above 0.12 · 0.075/2
	} {
		t.Run(test.name, func(t *testing.T) {
			on := func(n int) Sample {
				return Sample{Description: shared(n, 100), Body: shared(20, 100), Fate: test.fate}
			}
			samples := slices.Concat(slices.Repeat([]Sample{on(6)}, test.poor), slices.Repeat([]Sample{on(30)}, test.good))
			for range len(samples) {
				off := Sample{Description: shared(0, 100), Body: shared(0, 100)}
				if test.fate == Kept {
					off.Fate = PassedOver
				}
				samples = append(samples, off)
			}
			if got, _ := mixture(t, samples...); !near(got.Description, test.want) {
				t.Errorf("description threshold %v, want %v", got.Description, test.want)
			}
		})
	}
}

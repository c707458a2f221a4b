package rank

import (
	"math"
	"testing"
)

func TestSharkSearch(t *testing.T) {
	s := SharkSearch{Threshold: 0.5} // a relevance of 0.5 is a similarity of 0.5
	for _, test := range []struct {
		name            string
		link            Link
		priority, value float64
	}{
		{"no evidence", Link{}, 0, 0},
		{"page on the topic", Link{Parts: Parts{Description: 0.5}, Parent: 0.4}, 0.125, 0.25},
		{"page off topic inherits", Link{Parent: 0.4}, 0.1, 0.2},
		{"the text around it", Link{Around: 0.5}, 0.05, 0},
		{"anchor: the text around it no longer counts", Link{Parts: Parts{Anchor: 0.5}, Around: 0.5}, 0.3, 0},
		{"topic word in the anchor", Link{Topical: true}, 0.1, 0},
		{"everything", Link{Parts: Parts{Description: 1.5, Anchor: 1.5}, Parent: 0.1}, 0.5875, 0.375},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := s.Judge(test.link)
			if math.Abs(got.Priority-test.priority) > 1e-12 || math.Abs(got.Value-test.value) > 1e-12 || got.Drop != "" {
				t.Errorf("Judge = %+v, want priority %v, value %v", got, test.priority, test.value)
			}
		})
	}
}

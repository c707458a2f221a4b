package compile

import (
	"maps"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// Which weight wins.
func TestWeigh(t *testing.T) {
	corpus := &Weights{Words: map[string]float64{"央行": 5, "股市": 5, "利率": 5, "公司": 5, "所有": 0}, Mean: 2}
	const words = "name: x\nwords: [央行, 股市: 3, 利率, 新词, 所有]\nadjust: {利率: 0.5, 我国: 0.1}\n"
	for _, test := range []struct {
		name, yaml  string
		corpus      *Weights
		topic, text map[string]float64
		mean        float64
	}{
		{
			"none", words, nil,
			map[string]float64{"央行": 1, "股市": 3, "利率": 0.5, "新词": 1, "所有": 1}, map[string]float64{"我国": 0.1}, 1,
		},
		{
			"corpus", words, corpus,
			map[string]float64{"央行": 5, "股市": 3, "利率": 0.5, "新词": 2, "所有": 0}, map[string]float64{"我国": 0.1, "公司": 5}, 2,
		},
		{
			"the author's mean", words + "mean_weight: 7\n", corpus,
			map[string]float64{"央行": 5, "股市": 3, "利率": 0.5, "新词": 7, "所有": 0}, map[string]float64{"我国": 0.1, "公司": 5}, 7,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := parseTopic(t, test.yaml)
			w, err := weigh(file, test.corpus)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(test.text, test.topic) // a word weighs the same on both sides
			if diff := gocmp.Diff(test.topic, w.topic); diff != "" {
				t.Errorf("w_t (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(test.text, w.words); diff != "" {
				t.Errorf("w_d (-want +got):\n%s", diff)
			}
			if w.mean != test.mean {
				t.Errorf("mean = %v, want %v", w.mean, test.mean)
			}
			if err := outcome(file, w).Validate(); err != nil {
				t.Errorf("the file with these weights: %v", err)
			}
		})
	}
}

package topic

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpread(t *testing.T) {
	thousand := make([]float64, 1000)
	for i := range thousand {
		thousand[i] = float64(1000 - i) // 1000 down to 1
	}
	for _, test := range []struct {
		name      string
		values    []float64
		threshold float64
		want      Distribution
	}{
		{"none", nil, 1, Distribution{Of: "body", Threshold: 1}},
		{"one", []float64{3}, 3, Distribution{
			Of: "body", Count: 1, Mean: 3, Threshold: 3, Reaching: 1,
			Quantiles: []Quantile{{0.5, 3}, {0.75, 3}, {0.9, 3}, {0.95, 3}, {0.99, 3}, {0.999, 3}},
		}},
		{"zeros reach nothing", []float64{0, 0, 0, 4}, 0, Distribution{
			Of: "body", Count: 4, Mean: 1, Reaching: 0.25,
			Quantiles: []Quantile{{0.5, 0}, {0.75, 0}, {0.9, 4}, {0.95, 4}, {0.99, 4}, {0.999, 4}},
		}},
		{"a thousand", thousand, 901, Distribution{
			Of: "body", Count: 1000, Mean: 500.5, Threshold: 901, Reaching: 0.1,
			Quantiles: []Quantile{{0.5, 500}, {0.75, 750}, {0.9, 900}, {0.95, 950}, {0.99, 990}, {0.999, 999}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Spread("body", test.values, test.threshold), near); diff != "" {
				t.Errorf("Spread (-want +got):\n%s", diff)
			}
		})
	}
}

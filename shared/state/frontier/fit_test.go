package frontier

import (
	"slices"
	"strings"
	"testing"
)

// Any links that fit make a task that can be encoded.
func TestFit(t *testing.T) {
	long := "http://a.test/" + strings.Repeat("&", 2000)
	for _, tt := range []struct {
		name  string
		links []Link
		want  int
	}{
		{"none", nil, 0},
		{"one", []Link{{URL: "http://a.test/"}}, 1},
		{"as many as there may be", make([]Link, 30), MaxLinks},
		{"long ones", []Link{0: {URL: long}, 24: {}}, 25},
		{"the longest there are", slices.Repeat([]Link{{URL: long, Parent: long, Origin: long, Seed: long, Anchor: strings.Repeat("银", 200)}}, 25), 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Fit(tt.links)
			if got != tt.want {
				t.Errorf("Fit() = %d, want %d", got, tt.want)
			}
			if _, err := (&Task{ID: "1", Crawl: "c", Host: "a.test", Links: tt.links[:got]}).Encode(); err != nil {
				t.Error(err)
			}
		})
	}
}

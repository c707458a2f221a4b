package rank

import (
	"fmt"
	"math"
	"testing"
)

// A link counts by the evidence for it and by what came of the pages near it.
func TestNeighborhood(t *testing.T) {
	settings := Settings{Weights: Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, Threshold: 0.5}
	s := newNeighborhood(settings)
	priority := func(url string, parts Parts) float64 {
		return s.Judge(Link{URL: parse(t, url), Parts: parts}).Priority
	}
	if got := priority("http://a.test/in/1", Parts{Description: 1, Anchor: 0.5}); math.Abs(got-(0.2*0.5+0.8*0.1)) > 1e-12 {
		t.Errorf("%v before anything was read, want 0.18", got)
	}
	for n := range 6 {
		s.Learn(parse(t, fmt.Sprintf("http://a.test/in/%d", n)), true)
		s.Learn(parse(t, fmt.Sprintf("http://a.test/out/%d", n)), false)
	}
	last := 1.0
	for _, url := range []string{"http://a.test/in/new-7", "http://a.test/7", "http://b.test/7", "http://a.test/out/7"} {
		got := priority(url, Parts{})
		if got >= last {
			t.Errorf("%s has %v, the one before %v", url, got, last)
		}
		last = got
	}
	if weak, strong := priority("http://a.test/out/7", Parts{Anchor: 0.1}), priority("http://a.test/out/7", Parts{Anchor: 0.2}); strong <= weak {
		t.Errorf("a strong anchor has %v, a weak one beside it %v", strong, weak)
	}
	settings.Before = s
	if next := newNeighborhood(settings); next.Read("a.test") != s.Read("a.test") {
		t.Error("another plan begins without what was learned")
	}
}

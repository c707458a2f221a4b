package rank

import "testing"

// METHOD B6: a weak link inherits less; the floor ends its channel, a relevant page
// begins another.
func TestAdaptive(t *testing.T) {
	s := newAdaptive(Settings{Weights: Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, Threshold: 0.5, Tunnel: 2})
	weak, strong := Parts{Description: 1, Anchor: 0.5}, Parts{Description: 1, Anchor: 1}
	const less = seedValue * inheritedShare
	for _, test := range []struct {
		name string
		link Link
		want Judgement
	}{
		{"strong, of a seed", Link{Parts: strong}, Judgement{Order: Order{100, 0.75}, Value: 100}},
		{"strong, in a side channel", Link{Parts: strong, Parent: less}, Judgement{Order: Order{less, 0.75}, Value: less}},
		{"at the threshold", Link{Parts: weak, Parent: 100}, Judgement{Order: Order{less, 0.5}, Value: less}},
		{"the vote decides", Link{Parts: Parts{1, 0.5, true}, Parent: 100}, Judgement{Order: Order{100, 0.625}, Value: 100}},
		{"the second weak one", Link{Parent: less}, Judgement{Order: Order{less * inheritedShare, 0}, Value: less * inheritedShare}},
		{"a topic word in the anchor", Link{Parent: less, Topical: true}, Judgement{Order: Order{less, 0}, Value: less}},
		{"weak, on a relevant page", Link{Parent: less * inheritedShare, Relevant: true}, Judgement{Order: Order{less, 0}, Value: less}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.Judge(test.link); got != test.want {
				t.Errorf("Judge = %+v, want %+v", got, test.want)
			}
		})
	}
	if j := s.Judge(Link{Parent: less * inheritedShare}); j.Drop != DropTunnel {
		t.Errorf("a third weak link: %+v", j)
	}
	if line := s.Line(); line != seedValue {
		t.Errorf("Line = %v", line)
	}
}

// Val and the floor are exact for every length of a tunnel.
func TestFloor(t *testing.T) {
	for tunnel := 1; tunnel <= 1000; tunnel++ {
		s := newAdaptive(Settings{Threshold: 0.5, Tunnel: tunnel})
		value := 0.0 // of a seed
		for i := range tunnel {
			j := s.Judge(Link{Parent: value})
			if value = j.Value; j.Drop != "" || value < 1e-100 {
				t.Fatalf("tunnel %d: link %d: %+v", tunnel, i, j)
			}
		}
		if j := s.Judge(Link{Parent: value}); j.Drop != DropTunnel {
			t.Fatalf("tunnel %d does not end: %+v", tunnel, j)
		}
	}
}

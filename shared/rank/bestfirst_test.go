package rank

import "testing"

// A weak link waits for its turn; too many in a row end the channel (METHOD B6).
func TestBestFirst(t *testing.T) {
	s := BestFirst{Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, 0.5, 2}
	weak, strong := Parts{Description: 1, Anchor: 0.5}, Parts{Description: 1, Anchor: 1}
	for _, test := range []struct {
		name string
		link Link
		want Judgement
	}{
		{"strong", Link{Parts: strong, Parent: 3}, Judgement{Order: Order{0.75, 0}, Value: 3}},
		{"strong, at the end of a channel", Link{Parts: strong, Parent: 1}, Judgement{Order: Order{0.75, 0}, Value: 3}},
		{"at the threshold", Link{Parts: weak, Parent: 3}, Judgement{Order: Order{1. / 3, 0.5}, Value: 2}},
		{"the vote decides", Link{Parts: Parts{1, 0.5, true}, Parent: 1}, Judgement{Order: Order{0.625, 0}, Value: 3}},
		{"a topic word in the anchor", Link{Topical: true, Parent: 1}, Judgement{Order: Order{0.5, 0}, Value: 3}},
		{"weak, of a seed", Link{}, Judgement{Order: Order{1. / 3, 0}, Value: 2}},
		{"the second weak one", Link{Parent: 2}, Judgement{Order: Order{0.5 / 3, 0}, Value: 1}},
		{"one too many", Link{Parent: 1}, Judgement{Drop: DropTunnel}},
		{"weak, but its page is relevant", Link{Parent: 1, Relevant: true}, Judgement{Order: Order{1. / 3, 0}, Value: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.Judge(test.link); got != test.want {
				t.Errorf("Judge = %+v, want %+v", got, test.want)
			}
		})
	}
	if line := s.Line(); !(line > 0.5) || line > 0.5000001 {
		t.Errorf("Line = %v: a link at the threshold is not below it", line)
	}
}

// A link that is offered again and better never has fewer weak links before it.
func TestBetterIsNoNearerTheEnd(t *testing.T) {
	s := BestFirst{Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, 0.5, 2}
	var all []Judgement
	for _, anchor := range []float64{0, 0.1, 0.9, 1.2} {
		for parent := range 4 {
			for _, topical := range []bool{false, true} {
				if j := s.Judge(Link{Parts: Parts{Anchor: anchor}, Parent: float64(parent), Topical: topical}); j.Drop == "" {
					all = append(all, j)
				}
			}
		}
	}
	for _, a := range all {
		for _, b := range all {
			if a.Compare(b.Order) < 0 && a.Value < b.Value {
				t.Errorf("%+v is before %+v", a, b)
			}
		}
	}
}

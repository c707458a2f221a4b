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
		{"strong", Link{Parts: strong, Parent: 3}, Judgement{Order: Order{0.75, 3}, Value: 3}},
		{"strong, at the end of a channel", Link{Parts: strong, Parent: 1}, Judgement{Order: Order{0.75, 3}, Value: 3}},
		{"at the threshold", Link{Parts: weak, Parent: 3}, Judgement{Order: Order{0.5, 2}, Value: 2}},
		{"the vote decides", Link{Parts: Parts{1, 0.5, true}, Parent: 1}, Judgement{Order: Order{0.625, 3}, Value: 3}},
		{"a topic word in the anchor", Link{Topical: true, Parent: 1}, Judgement{Order: Order{0, 3}, Value: 3}},
		{"weak, of a seed", Link{}, Judgement{Order: Order{0, 2}, Value: 2}},
		{"the second weak one", Link{Parent: 2}, Judgement{Order: Order{0, 1}, Value: 1}},
		{"one too many", Link{Parent: 1}, Judgement{Drop: DropTunnel}},
		{"weak, but its page is relevant", Link{Parent: 1, Relevant: true}, Judgement{Order: Order{0, 2}, Value: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.Judge(test.link); got != test.want {
				t.Errorf("Judge = %+v, want %+v", got, test.want)
			}
		})
	}
	if s.Line() != 0.5 {
		t.Errorf("Line = %v", s.Line())
	}
}

package rank

import "testing"

// Each way in which METHOD A1 follows or drops a link.
func TestSemantic(t *testing.T) {
	s := Semantic{Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, 0.5}
	strong, weak := Parts{Description: 1, Anchor: 1}, Parts{Description: 1, Anchor: 0.5}
	for _, test := range []struct {
		name string
		link Link
		want Judgement
	}{
		{"relevant page, above", Link{Parts: strong, Relevant: true}, Judgement{Order: Order{Priority: 0.75}}},
		{"relevant page, at the threshold", Link{Parts: weak, Relevant: true}, Judgement{Order: Order{Priority: 0.5}, Drop: DropPriority}},
		{"relevant page, the vote decides", Link{Parts: Parts{1, 0.5, true}, Relevant: true}, Judgement{Order: Order{Priority: 0.625}}},
		{"relevant page, an anchor does not", Link{Parts: weak, Relevant: true, Topical: true}, Judgement{Order: Order{Priority: 0.5}, Drop: DropPriority}},
		{"other page", Link{Parts: strong}, Judgement{Order: Order{Priority: 0.75}, Drop: DropAnchor, Final: true}},
		{"other page, by its anchor", Link{Parts: weak, Topical: true}, Judgement{Order: Order{Priority: 0.5}}},
		{"list, above", Link{Parts: strong, Listed: true}, Judgement{Order: Order{Priority: 0.75}}},
		{"list, below", Link{Parts: weak, Listed: true}, Judgement{Order: Order{Priority: 0.5}, Drop: DropPriority}},
		{"list, by its anchor", Link{Parts: weak, Listed: true, Topical: true}, Judgement{Order: Order{Priority: 0.5}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.Judge(test.link); got != test.want {
				t.Errorf("Judge = %+v, want %+v", got, test.want)
			}
		})
	}
}

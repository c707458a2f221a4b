package rank

// Semantic is the strategy of METHOD A1 and A11: on a relevant page links are
// followed above a threshold of eq. 5, on other pages by their anchors; all
// others are dropped.
type Semantic struct {
	Weights
	Threshold float64 // of the priority, on the scale of the topic's Rel
}

var _ Strategy = Semantic{}

// Judge implements Strategy.
func (s Semantic) Judge(l Link) Judgement {
	j := Judgement{Order: Order{Priority: s.Priority(l.Parts)}}
	switch byAnchor := !l.Relevant && l.Topical; {
	case byAnchor, (l.Relevant || l.Listed) && j.Priority > s.Threshold:
	case l.Relevant || l.Listed:
		j.Drop = DropPriority
	default:
		j.Drop, j.Final = DropAnchor, true
	}
	return j
}

// Line implements Strategy.
func (Semantic) Line() float64 { return 0 }

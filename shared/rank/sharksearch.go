package rank

import "cmp"

// SharkSearch follows every link in the order of Hersovici et al. (The shark-search
// algorithm, 1998): its potential score is a mean of what it inherits, which fades
// with every page off topic, and of the evidence for itself, its anchor and the text
// around it.
//
// The paper's similarities are cosines between 0 and 1. Rel has no such scale: here a
// similarity is Rel/(Rel + Threshold), a half at the threshold. The values of the
// constants are ours, too, and the budgets of the topic bound depth and width.
type SharkSearch struct {
	Threshold float64 // of the priority, on the scale of the topic's Rel
}

const (
	sharkDecay   = 0.5 // δ: of what a link inherits
	sharkAnchor  = 0.8 // β: share of the anchor in the evidence for the link, the rest is that of the text around it
	sharkInherit = 0.5 // γ: share of the inherited score
)

var _ ContextReader = SharkSearch{}

// Judge implements Strategy. The value that a page passes on is its inherited score.
func (s SharkSearch) Judge(l Link) Judgement {
	inherited := sharkDecay * cmp.Or(s.similarity(l.Description), l.Parent)
	anchor, around := s.similarity(l.Anchor), s.similarity(l.Around)
	if anchor > 0 || l.Topical {
		around = 1
	}
	own := sharkAnchor*anchor + (1-sharkAnchor)*around
	return Judgement{Order: Order{Priority: sharkInherit*inherited + (1-sharkInherit)*own}, Value: inherited}
}

func (s SharkSearch) similarity(rel float64) float64 {
	if rel <= 0 {
		return 0
	}
	return rel / (rel + s.Threshold)
}

// Line implements Strategy.
func (SharkSearch) Line() float64 { return 0 }

// ReadsContext implements ContextReader.
func (SharkSearch) ReadsContext() {}

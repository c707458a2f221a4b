package rank

import "cmp"

// Adaptive follows every link in the order of METHOD B6. A seed has the Val 100. A
// link inherits the Val of its parent if equation 5 exceeds the threshold, or if its
// anchor has a topic word, else a share of it. The highest Val comes first, of one
// Val the best by equation 5; a link of less than 100 waits until no other is left.
// Behind Tunnel weak links Val is below the floor, and links are dropped. Other than
// in B6, a relevant page has the Val of a seed.
type Adaptive struct {
	Weights
	Threshold float64
	Floor     float64
}

var _ Strategy = Adaptive{}

const (
	seedValue = 100

	// inheritedShare is r. Val is 100 times r to the power of the weak links on the
	// way: the order is the same for any r.
	inheritedShare = 0.9
)

func newAdaptive(s Settings) Adaptive {
	floor := float64(seedValue)
	for range cmp.Or(s.Tunnel, DefaultTunnel) {
		floor *= inheritedShare
	}
	return Adaptive{s.Weights, s.Threshold, floor}
}

// Judge implements Strategy. The value that a page passes on is its Val.
func (s Adaptive) Judge(l Link) Judgement {
	value := cmp.Or(l.Parent, seedValue)
	if l.Relevant {
		value = seedValue
	}
	p := s.Priority(l.Parts)
	if p <= s.Threshold && !l.Topical {
		value *= inheritedShare
	}
	j := Judgement{Order: Order{Priority: value, Tie: p}, Value: value}
	if value < s.Floor {
		j.Drop = DropTunnel
	}
	return j
}

// Line implements Strategy: links of less than the whole Val are below it.
func (Adaptive) Line() float64 { return seedValue }

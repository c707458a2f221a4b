package rank

import (
	"cmp"
	"math"
)

// BestFirst follows every link, the best by equation 5 first. A link that does not
// exceed the threshold waits until no other link does. It is weak unless its
// anchor has a topic word. Beyond Tunnel weak links in a row, counted from the last
// relevant page, links are dropped: a channel of weak pages ends there. The nearer
// its end, the later they are followed (METHOD B6).
type BestFirst struct {
	Weights
	Threshold float64
	Tunnel    int
}

var _ Strategy = BestFirst{}

func newBestFirst(s Settings) BestFirst {
	s.Tunnel = cmp.Or(s.Tunnel, DefaultTunnel)
	return BestFirst{s.Weights, s.Threshold, s.Tunnel}
}

// Judge implements Strategy. The value that a page passes on is 1 more than the
// number of weak links that may follow it. A link below the line is ordered by that
// value, so that no better offer has a smaller one, then by equation 5.
func (s BestFirst) Judge(l Link) Judgement {
	whole := float64(s.Tunnel) + 1
	p := s.Priority(l.Parts)
	if p > s.Threshold {
		return Judgement{Order: Order{Priority: p}, Value: whole}
	}
	value := whole
	if !l.Topical {
		if value--; l.Parent > 0 && !l.Relevant {
			value = l.Parent - 1
		}
	}
	j := Judgement{Order: Order{Priority: s.Threshold * value / whole, Tie: p}, Value: value}
	if value < 1 {
		j.Drop = DropTunnel
	}
	return j
}

// Line implements Strategy: links that do not exceed the threshold are below it.
func (s BestFirst) Line() float64 { return math.Nextafter(s.Threshold, math.Inf(1)) }

package rank

import "cmp"

// BestFirst follows every link, the best by equation 5 first. A link that does not
// exceed the threshold is weak: it waits until no other link does. Beyond Tunnel
// weak links in a row, counted from the last relevant page, links are dropped: a
// channel of weak pages ends there (METHOD B6).
type BestFirst struct {
	Weights
	Threshold float64
	Tunnel    int
}

var _ Strategy = BestFirst{}

func newBestFirst(s Settings) BestFirst {
	s.Tunnel = cmp.Or(s.Tunnel, DefaultTunnel)
	return BestFirst(s)
}

// Judge implements Strategy. The value that a page passes on is 1 more than the
// number of weak links that may follow it.
func (s BestFirst) Judge(l Link) Judgement {
	whole := float64(s.Tunnel) + 1
	j := Judgement{Order: Order{Priority: s.Priority(l.Parts)}, Value: whole}
	if j.Priority <= s.Threshold && !l.Topical {
		if j.Value = whole - 1; l.Parent > 0 && !l.Relevant {
			j.Value = l.Parent - 1
		}
	}
	if j.Tie = j.Value; j.Value < 1 {
		j.Drop = DropTunnel
	}
	return j
}

// Line implements Strategy.
func (s BestFirst) Line() float64 { return s.Threshold }

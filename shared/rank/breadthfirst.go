package rank

// BreadthFirst follows every link, those nearest to a seed first: the yardstick of
// METHOD B7.
type BreadthFirst struct{}

var _ Strategy = BreadthFirst{}

// Judge implements Strategy.
func (BreadthFirst) Judge(l Link) Judgement {
	return Judgement{Order: Order{Priority: 1 / float64(1+l.Depth)}}
}

// Line implements Strategy.
func (BreadthFirst) Line() float64 { return 0 }

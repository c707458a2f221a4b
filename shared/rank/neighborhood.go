package rank

// Neighborhood follows every link in an order after Suebchua et al. (Efficient topical
// focused crawling through neighborhood feature, 2018): by the evidence for the link
// itself, and by its neighbours, the pages in its directory and in similar ones.
//
// The abstract says no more of the method. The rest is ours: the priority is a weighted
// mean of the two; the evidence is eq. 5 as p/(p + Threshold); the neighbours count by the
// share of them that was kept, those of the directory and shape of path most, then
// those of the first directory of the path, the host and the crawl (see Experience).
type Neighborhood struct {
	learner
	Weights
	Threshold float64
}

const neighborShare = 0.8 // of the neighbours in the priority

var _ Learner = Neighborhood{}

func newNeighborhood(s Settings) Neighborhood {
	return Neighborhood{learnerAfter(s.Before), s.Weights, s.Threshold}
}

// Start implements Learner.
func (Neighborhood) Start() float64 { return (1-neighborShare)/2 + neighborShare*firstShare }

// Judge implements Strategy.
func (s Neighborhood) Judge(l Link) Judgement {
	own := 0.0
	if p := s.Priority(l.Parts); p > 0 {
		own = p / (p + s.Threshold)
	}
	like := s.experience.Expect(l.URL)
	return Judgement{Order: Order{Priority: (1-neighborShare)*own + neighborShare*like}, Like: like}
}

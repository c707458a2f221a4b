package rank

import "math"

// Hybrid follows the link first whose page is most probably kept: the odds by eq. 5
// times the odds of pages like it, by what the crawl has read so far (see
// Experience). Weak links end in channels as in BestFirst.
type Hybrid struct {
	learner
	byParts BestFirst
}

var _ Learner = Hybrid{}

func newHybrid(s Settings) Hybrid {
	return Hybrid{learnerAfter(s.Before), newBestFirst(s)}
}

// leastPriority is the least of eq. 5, as a share of the threshold: a link that says
// nothing may lead to a page of the topic.
const leastPriority = 0.2

const maxOdds = 1e6 // beyond, a probability is 1

// Judge implements Strategy: the priority is a probability.
func (s Hybrid) Judge(l Link) Judgement {
	j, by := s.byParts.Judge(l), &s.byParts
	threshold := max(by.Threshold, math.SmallestNonzeroFloat64)
	odds := (by.Alpha*l.Description+by.Beta*l.Anchor)/threshold + leastPriority
	j.Like = s.experience.Expect(l.URL)
	odds = min(odds*j.Like/(1-j.Like), maxOdds)
	j.Order = Order{Priority: odds / (1 + odds)}
	return j
}

// Start implements Learner.
func (Hybrid) Start() float64 {
	odds := (1 + leastPriority) * firstShare / (1 - firstShare)
	return odds / (1 + odds)
}

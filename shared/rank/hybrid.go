package rank

import (
	"math"

	"sluice/shared/web/urlnorm"
)

// Hybrid follows the link first whose page is most probably kept: the odds by eq. 5
// times the odds of pages like it, by what the crawl has read so far (see
// Experience). Weak links end in channels as in BestFirst.
type Hybrid struct {
	BestFirst
	experience *Experience
}

var _ Learner = Hybrid{}

func newHybrid(s Settings) Hybrid {
	h := Hybrid{BestFirst: newBestFirst(s), experience: NewExperience()}
	if before, ok := s.Before.(Learner); ok {
		h.experience = before.Experience()
	}
	return h
}

// leastPriority is the least of eq. 5, as a share of the threshold: a link that says
// nothing may lead to a page of the topic.
const leastPriority = 0.2

const maxOdds = 1e6 // beyond, a probability is 1

// Judge implements Strategy: the priority is a probability.
func (s Hybrid) Judge(l Link) Judgement {
	j := s.BestFirst.Judge(l)
	threshold := max(s.Threshold, math.SmallestNonzeroFloat64)
	odds := (s.Alpha*l.Description+s.Beta*l.Anchor)/threshold + leastPriority
	j.Like = s.experience.Expect(l.URL)
	odds = min(odds*j.Like/(1-j.Like), maxOdds)
	j.Order = Order{Priority: odds / (1 + odds)}
	return j
}

// Line implements Strategy.
func (Hybrid) Line() float64 { return 0 }

// Learn implements Learner.
func (s Hybrid) Learn(page urlnorm.URL, kept bool) { s.experience.Learn(page, kept) }

// Read implements Learner.
func (s Hybrid) Read(host string) int { return s.experience.Read(host) }

// Experience implements Learner.
func (s Hybrid) Experience() *Experience { return s.experience }

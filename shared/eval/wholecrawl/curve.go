package wholecrawl

import (
	"math"

	"sluice/shared/eval/metric"
)

// Curve is how fast an outcome reached the wanted articles, whether or not it kept
// them. Its numbers of pages count those fetched on any host.
type Curve struct {
	Fetched int           `json:"fetched"`
	Recall  metric.Number `json:"recall"`      // at the end
	To50    *int          `json:"pages_to_50"` // fetched when half of the wanted were; null: never
	To80    *int          `json:"pages_to_80"`
	To90    *int          `json:"pages_to_90"`
	Area    metric.Number `json:"area"` // under the curve of recall over the pages of the web, 0 to 1

	Found []int `json:"-"` // how many pages had been fetched at each wanted article
}

// Curve reads the order of the fetches.
func (q Question) Curve(o *Outcome) Curve {
	c := Curve{Fetched: len(o.Fetched)}
	area := 0.0
	for i, u := range o.Fetched {
		if p := q.Web.Page(u); p != nil && q.wants(p) && q.in(u) {
			c.Found = append(c.Found, i+1)
			area += 1 - float64(i)/float64(len(q.Web.Pages))
		}
	}
	wanted := q.wanted(q.in)
	c.Recall, c.Area = metric.Ratio(len(c.Found), wanted), metric.Number(area/float64(wanted))
	reach := func(share float64) *int {
		need := int(math.Ceil(share * float64(wanted)))
		if need == 0 || need > len(c.Found) {
			return nil
		}
		return &c.Found[need-1]
	}
	c.To50, c.To80, c.To90 = reach(0.5), reach(enough), reach(0.9)
	return c
}

// RecallAt is the recall after a number of pages.
func (c *Curve) RecallAt(pages, wanted int) metric.Number {
	n := 0
	for _, at := range c.Found {
		if at <= pages {
			n++
		}
	}
	return metric.Ratio(n, wanted)
}

// Wanted is how many articles there are to find.
func (q Question) Wanted() int { return q.wanted(q.in) }

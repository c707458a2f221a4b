package step

import (
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// judge judges waiting links again.
type judge struct{ rank.Learner }

// Judge returns what judges waiting links again as the crawl learns, nil if its
// strategy does not.
func (p *Plan) Judge() frontier.Judge {
	if l, ok := p.Strategy.(rank.Learner); ok {
		return judge{l}
	}
	return nil
}

// Judge returns that of the present plan.
func (s *Step) Judge() frontier.Judge { return s.plan.Load().Judge() }

// Again implements frontier.Judge. Seeds, sitemaps and feeds keep their order.
func (j judge) Again(l frontier.Link) frontier.Link {
	u, err := urlnorm.Parse(l.URL)
	if err != nil || l.IsSeed || l.IsSource {
		return l
	}
	now := j.Judge(rank.Link{
		Parts: rank.Parts{Description: l.Parts.Description, Anchor: l.Parts.Anchor, Structure: l.Parts.Structure > 0},
		URL:   u, Depth: l.Depth, Parent: l.Value,
	})
	l.Priority, l.Tie, l.Parts.Like = now.Priority, now.Tie, now.Like
	return l
}

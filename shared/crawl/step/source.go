package step

import (
	"context"
	"slices"
	"time"

	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// offerBatch is how many entries of a source are judged at a time.
const offerBatch = 500

// followSource judges the entries of a sitemap or feed. An entry with a title
// is scored by it. All entries of a user's seed are followed.
func (r *run) followSource(ctx context.Context, v *visit, entries []page.Entry) error {
	vote := r.newVote(v)
	for chunk := range slices.Chunk(entries, offerBatch) {
		var fates fates
		for _, e := range chunk {
			c := candidate{link: r.child(v, e.URL, e.Title), url: e.URL}
			if r.forgotten(v, c.url) {
				continue
			}
			c.link.IsSource = e.Sitemap
			if e.Title != "" && !e.Time.IsZero() { // else it may be that of a change
				c.link.Listed = e.Time.Format(time.DateOnly)
			}
			r.place(&c.link, c.url)
			rule, known := r.refuse(c.url, c.link), false
			if rule == "" && e.Title != "" {
				rel := r.scoreAnchor(e.Title + " " + e.Description).value
				var err error
				if rule, known, err = r.judge(ctx, vote, &c, rel, false, true); err != nil {
					return err
				}
				if v.link.IsSeed && rule == rank.DropPriority {
					rule, known = "", false
					r.place(&c.link, c.url)
				}
			}
			fates.add(v, c.link, rule, known)
		}
		if err := r.carryOut(ctx, v, &fates); err != nil {
			return err
		}
	}
	return nil
}

// place sets the order of a link without any score: the strategy's or, where that
// would drop the link, the threshold. Both come after everything better.
func (r *run) place(l *frontier.Link, u urlnorm.URL) {
	l.Priority = r.plan.PriorityThreshold
	if j := r.plan.Strategy.Judge(rank.Link{URL: u, Depth: l.Depth, Listed: true}); j.Drop == "" {
		l.Priority, l.Tie, l.Value = j.Priority, j.Tie, j.Value
	}
}

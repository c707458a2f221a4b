package step

import (
	"context"
	"slices"
	"time"

	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// offerBatch is how many entries of a source are judged at a time.
const offerBatch = 500

// followSource judges the entries of a sitemap or feed. An entry with a title
// is scored by it. All entries of a user's seed are followed.
func (r *run) followSource(ctx context.Context, v *visit, entries []page.Entry) error {
	vote := r.newVote(v)
	left := maxSources - r.lease.State.Sources
	for chunk := range slices.Chunk(entries, offerBatch) {
		var fates fates
		for _, e := range chunk {
			c := candidate{link: r.child(v, e.URL, e.Title), url: e.URL}
			if r.forgotten(v, c.url) {
				continue
			}
			c.link.IsSource, c.link.Nested = e.Sitemap, v.link.Nested+1
			if e.Title != "" && !e.Time.IsZero() { // else it may be that of a change
				c.link.Listed = e.Time.Format(time.DateOnly)
			}
			r.place(&c.link, c.url)
			rule, known := r.refuse(c.url, c.link), false
			if rule == "" && e.Sitemap {
				switch same := c.url.Host() == v.url.Host(); {
				case c.link.Nested > maxNested:
					rule = RuleNesting
				case same && left <= 0:
					rule = RuleHostSources
				case same:
					left--
				}
			}
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

// named reports whether the page's own host, or the user, led to it. Other hosts can name
// sources without end, each on a host of its own.
func (v *visit) named() bool {
	return v.link.IsSeed || urlnorm.HostOf(v.link.Parent) == v.url.Host()
}

// isFree reports whether a link leads to a source that counts towards no budget of pages.
func (v *visit) isFree() bool { return v.link.IsSource && v.named() }

// isSource ends a visit as that of a source. It takes back what was counted of it as of
// a page. A refresh knows by its link that it is one.
func (r *run) isSource(v *visit) {
	v.entry.Verdict, v.trace.Link.IsSource = ledger.Source, true
	if v.link.IsSource {
		return
	}
	r.lease.State.Sources++
	if v.named() {
		v.entry.Fetched = false
		r.spend(v, -1)
	}
}

// exhaustedSources names the rule by which no more sources are read where v is, "" while
// they may be.
func (r *run) exhaustedSources(v *visit) string {
	switch {
	case v.link.Nested > maxNested:
		return RuleNesting
	case r.lease.State.Sources >= maxSources:
		return RuleHostSources
	}
	return ""
}

package step

import (
	"cmp"
	"context"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/web/urlnorm"
)

// candidate is a link under judgement.
type candidate struct {
	link   frontier.Link
	url    urlnorm.URL
	around string // the text around the link, if the plan wants it
	ended  bool   // its page was read
}

// follow judges the links of a page (METHOD A1): on a relevant page by
// eq. 5, else by a topic word in the anchor. A seed's links may pass by
// either.
func (r *run) follow(ctx context.Context, v *visit, a *reading.Arrival, rel float64, relevant bool) error {
	if a.Signals().NoFollow() {
		v.drop(DropNoFollow, len(a.Page.Links))
		return nil
	}
	v.drop(DropBeyond, a.Page.Beyond)
	r.readLinks(v, a)
	var fates fates
	vote := r.newVote(v)
	for _, pl := range a.Page.Links {
		c := candidate{link: r.child(v, pl.URL, pl.Anchor), url: pl.URL, around: pl.Context}
		key := keyOf(c.link.URL)
		before, offered := r.known.Get(key)
		if c.ended = before.ended; pl.Beside != "" && !c.ended {
			c.link.Listed = body.Beside(pl.Beside, a.At)
			if day := body.DayOf(c.link.Listed); offered && day != 0 && before.listed == 0 {
				before.listed = day
				r.known.Put(key, before)
			}
		}
		c.link.Listed = cmp.Or(c.link.Listed, r.listed(before))
		if c.link.URL == v.link.URL || before.done || r.forgotten(v, c.url) {
			continue
		}
		var rule string
		switch {
		case pl.NoFollow:
			rule = DropNoFollow
		case !offered: // else it was not refused
			rule = r.refuse(c.url, c.link)
		case c.link.Depth > r.plan.depth(c.url):
			rule = DropDepth
		}
		known := false
		if rule == "" {
			var err error
			if rule, known, err = r.judge(ctx, vote, &c, rel, relevant, v.link.IsSeed); err != nil {
				return err
			}
		}
		fates.add(v, c.link, rule, known)
	}
	if err := r.carryOut(ctx, v, &fates); err != nil {
		return err
	}
	return r.takeFeeds(ctx, v, a.Page.Feeds)
}

// takeFeeds offers the feeds that a page names. Each article may have one of its
// comments, so that a host has some and no more.
func (r *run) takeFeeds(ctx context.Context, v *visit, feeds []urlnorm.URL) error {
	var fates fates
	left := maxFeeds - r.lease.State.Feeds
	for _, u := range feeds {
		l := r.child(v, u, "")
		l.IsSource = true
		r.place(&l, u)
		if _, known := r.known.Get(keyOf(l.URL)); known || r.forgotten(v, u) {
			continue
		}
		rule := r.refuse(u, l)
		if rule == "" && left <= 0 {
			rule = RuleHostSources
		}
		fates.add(v, l, rule, false)
		left--
	}
	before := v.entry.Enqueued
	err := r.carryOut(ctx, v, &fates)
	r.lease.State.Feeds += v.entry.Enqueued - before
	return err
}

// listed is the date that a list of the crawl has beside a known link. In a reproducible
// crawl that would depend on which page was read first.
func (r *run) listed(o offered) string {
	if r.plan.reproducible() {
		return ""
	}
	return o.listed.String()
}

// readLinks shows the links of a page to a strategy that reads the graph. What a
// reproducible crawl decides must not depend on which page was read first.
func (r *run) readLinks(v *visit, a *reading.Arrival) {
	reader, ok := r.plan.Strategy.(rank.GraphReader)
	if !ok || r.plan.reproducible() {
		return
	}
	reader.ReadLinks(v.url, r.edges(a))
}

// edges returns the links of a page that are edges of the graph: also those that
// will be dropped.
func (r *run) edges(a *reading.Arrival) []urlnorm.URL {
	var links []urlnorm.URL
	for _, l := range a.Page.Links {
		if !l.NoFollow && !r.plan.Forgotten.Contains(l.URL) {
			links = append(links, l.URL)
		}
	}
	return links
}

// outlinks returns the edges of a page as they are recorded, if the plan has that
// done.
func (r *run) outlinks(a *reading.Arrival) []string {
	if !r.plan.Graph || a.Signals().NoFollow() {
		return nil
	}
	var urls []string
	for _, u := range r.edges(a) {
		urls = append(urls, u.String())
	}
	return urls
}

// fates are the links of a page by their fate.
type fates struct {
	take  []frontier.Link
	drops []ledger.Decision
}

// add counts a link, and notes it if its fate is news.
func (f *fates) add(v *visit, l frontier.Link, rule string, known bool) {
	if rule != "" {
		v.drop(rule, 1)
	}
	switch {
	case known:
	case rule != "":
		f.drops = append(f.drops, ledger.Decision{Link: l, Rule: rule})
	default:
		f.take = append(f.take, l)
	}
}

// carryOut brings the links that passed into the frontier and records why the
// others did not.
func (r *run) carryOut(ctx context.Context, v *visit, f *fates) error {
	if err := r.offer(ctx, v, f.take); err != nil {
		return err
	}
	return r.recordDrops(ctx, f.drops)
}

// child is a link of the page that was just read, with the value of that page
// until it is judged.
func (r *run) child(v *visit, u urlnorm.URL, anchor string) frontier.Link {
	l := frontier.Link{
		URL: u.String(), Seed: v.link.Seed, Parent: v.link.URL, Anchor: anchor, Depth: v.link.Depth + 1,
		Value: v.link.Value,
	}
	if r.plan.reproducible() {
		l.Round = v.link.Round + 1
	}
	return l
}

// drop counts dropped links.
func (v *visit) drop(rule string, n int) {
	if n == 0 {
		return
	}
	if v.entry.Drops == nil {
		v.entry.Drops = map[string]int{}
	}
	v.entry.Drops[rule] += n
	v.entry.Dropped += n
}

// linkKey is the key of a URL in the caches.
type linkKey [2]uint64

func keyOf(url string) linkKey {
	h := xxh3.HashString128(url)
	return linkKey{h.Hi, h.Lo}
}

package crawl

import (
	"context"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"sluice/shared/frontier"
	"sluice/shared/ledger"
	"sluice/shared/page"
	"sluice/shared/strategy"
	"sluice/shared/urlnorm"
	"sluice/shared/urlshape"
)

// offerBatch is how many links go to the ledger at a time.
const offerBatch = 500

// candidate is a link under judgement.
type candidate struct {
	link frontier.Link
	url  urlnorm.URL
}

// follow judges the links of a page (METHOD A1): on a relevant page by
// eq. 5, else by a topic word in the anchor. A seed's links may pass by
// either.
func (r *run) follow(ctx context.Context, v *visit, p *page.Page, rel float64, relevant bool) error {
	if slices.Contains(p.MetaRobots, "nofollow") {
		v.drop(DropNoFollow, len(p.Links))
		return nil
	}
	var fates fates
	vote := r.newVote(v)
	for _, pl := range p.Links {
		c := candidate{link: r.child(v, pl.URL, pl.Anchor), url: pl.URL}
		if c.link.URL == v.link.URL || r.isDone(c.link.URL) {
			continue
		}
		rule := DropNoFollow
		if !pl.NoFollow {
			rule = r.refuse(c.url, c.link)
		}
		known := false
		if rule == "" {
			var err error
			if rule, known, err = r.judge(ctx, vote, &c, rel, relevant || v.link.IsSeed, !relevant); err != nil {
				return err
			}
		}
		fates.add(v, c.link, rule, known)
	}
	return r.carryOut(ctx, v, &fates)
}

// fates are the links of a page by what becomes of them.
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

// carryOut brings the links that passed into the frontier and remembers why
// the others did not.
func (r *run) carryOut(ctx context.Context, v *visit, f *fates) error {
	if err := r.offer(ctx, v, f.take); err != nil {
		return err
	}
	return r.recordDrops(ctx, f.drops)
}

// child is a link of the page that was just read.
func (r *run) child(v *visit, u urlnorm.URL, anchor string) frontier.Link {
	l := frontier.Link{
		URL: u.String(), Seed: v.link.Seed, Parent: v.link.URL, Anchor: anchor, Depth: v.link.Depth + 1,
	}
	if r.plan.reproducible() {
		l.Round = v.link.Round + 1
	}
	return l
}

// refuse names the rule that keeps a link out whatever its worth, "" for
// none.
func (r *run) refuse(u urlnorm.URL, l frontier.Link) string {
	if l.Depth > r.plan.MaxDepth {
		return DropDepth
	}
	key := keyOf(l.URL)
	rule, ok := r.refused.get(key)
	if !ok {
		rule = r.bar(u)
		r.refused.put(key, rule)
	}
	return rule
}

// bar names the rule that keeps a URL out, wherever it is linked from.
func (s *Step) bar(u urlnorm.URL) string {
	if !s.plan.Scope.Contains(u) {
		return DropScope
	}
	if rule := urlnorm.Trap(u, s.opts.Now()); rule != "" {
		return rule
	}
	if err := s.ports.Guard.CheckURL(u.String()); err != nil {
		return DropAddress
	}
	return ""
}

// judge gives the link its priority and names the rule that lets it go.
//
// Most links of a page stand on others, too. One that was offered or let go
// before is known, as far as this page speaks no better for it: the structure
// vote need not be asked again where it could not change its fate.
func (r *run) judge(ctx context.Context, vote *vote, c *candidate, rel float64, byPriority, byAnchor bool) (rule string, known bool, err error) {
	a := r.scoreAnchor(c.link.Anchor)
	if !byPriority && !a.matches {
		return DropAnchor, false, nil
	}
	w := r.plan.Weights
	parts := strategy.Parts{Description: rel, Anchor: a.value}
	least := w.Priority(parts)
	parts.Structure = true
	most := w.Priority(parts)
	better := least
	if r.plan.reproducible() {
		better = most // else the priority would depend on which page came first
	}
	if r.outdone(c.link, better) {
		return "", true, nil
	}
	passes := byAnchor && a.matches
	if p, ok := r.dropped.get(keyOf(c.link.URL)); ok && least <= p && most <= r.plan.PriorityThreshold && !passes {
		return DropPriority, true, nil
	}
	if parts.Structure, err = vote.same(ctx, c.url); err != nil {
		return "", false, err
	}
	c.link.Parts = frontier.Parts{Description: rel, Anchor: a.value}
	if parts.Structure {
		c.link.Parts.Structure = 1
	}
	c.link.Priority = w.Priority(parts)
	if passes || c.link.Priority > r.plan.PriorityThreshold {
		return "", false, nil
	}
	return DropPriority, false, nil
}

// anchorScore is what an anchor says about the topic.
type anchorScore struct {
	value   float64 // Rel(anchor, T)
	matches bool    // contains a topic word
}

// scoreAnchor scores an anchor once: navigation repeats on every page.
func (s *Step) scoreAnchor(text string) anchorScore {
	if a, ok := s.anchors.get(text); ok {
		return a
	}
	a := anchorScore{value: s.plan.Lexicon.Value(s.plan.Segmenter.Words(text))}
	_, a.matches = s.plan.Lexicon.MatchAnchor(text)
	s.anchors.put(text, a)
	return a
}

// vote is the structure vote for the links of one page: one sample of the
// history serves them all (METHOD A10).
type vote struct {
	run    *run
	visit  *visit
	drawn  bool
	sample []urlshape.Shape
}

func (r *run) newVote(v *visit) *vote { return &vote{run: r, visit: v} }

// same draws the sample when the first link asks for it.
func (vt *vote) same(ctx context.Context, u urlnorm.URL) (bool, error) {
	r := vt.run
	if !vt.drawn {
		vt.drawn = true
		l := vt.visit.link
		urls, err := r.ports.History.Sample(ctx, r.task.Crawl, l.Round, r.plan.SampleSize, r.plan.rng(l.URL))
		if err != nil {
			return false, fmt.Errorf("sample history: %w", err)
		}
		for _, s := range urls {
			if shape, err := urlshape.Of(s); err == nil {
				vt.sample = append(vt.sample, shape)
			}
		}
		vt.visit.trace.HistorySize = len(vt.sample)
	}
	if len(vt.sample) == 0 {
		return false, nil
	}
	shape, err := urlshape.Of(u.String())
	if err != nil {
		return false, nil //nolint:nilerr // what has no shape has no like
	}
	return urlshape.Vote(r.plan.Structure, shape, vt.sample), nil
}

// followSource judges the entries of a sitemap or feed. An entry with a
// title is scored by it; one without says nothing about itself and waits at
// the threshold, after everything better. What a user names as a seed is
// followed whole.
func (r *run) followSource(ctx context.Context, v *visit, entries []page.Entry) error {
	vote := r.newVote(v)
	floor := r.plan.PriorityThreshold
	for chunk := range slices.Chunk(entries, offerBatch) {
		var fates fates
		for _, e := range chunk {
			c := candidate{link: r.child(v, e.URL, e.Title), url: e.URL}
			c.link.IsSource = e.Sitemap
			c.link.Priority = floor
			rule, known := r.refuse(c.url, c.link), false
			if rule == "" && e.Title != "" {
				rel := r.scoreAnchor(e.Title + " " + e.Description).value
				var err error
				if rule, known, err = r.judge(ctx, vote, &c, rel, true, true); err != nil {
					return err
				}
				if v.link.IsSeed && rule == DropPriority {
					rule, known, c.link.Priority = "", false, floor
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

// drop counts links that were let go.
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

// linkKey stands for a URL in the caches.
type linkKey [2]uint64

func keyOf(url string) linkKey {
	h := xxh3.HashString128(url)
	return linkKey{h.Hi, h.Lo}
}

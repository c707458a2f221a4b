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
	var keep []frontier.Link
	var dropped []ledger.Decision
	vote := r.newVote(v)
	for _, pl := range p.Links {
		c := candidate{link: r.child(v, pl.URL, pl.Anchor), url: pl.URL}
		rule := ""
		switch {
		case pl.NoFollow:
			rule = DropNoFollow
		case c.link.URL == v.link.URL:
			continue
		default:
			if r.isDone(c.link.URL) {
				continue
			}
			rule = r.refuse(c.url, c.link)
		}
		if rule == "" {
			var err error
			if rule, err = r.judge(ctx, vote, &c, rel, relevant || v.link.IsSeed, !relevant); err != nil {
				return err
			}
		}
		if rule != "" {
			v.drop(rule, 1)
			dropped = append(dropped, ledger.Decision{Link: c.link, Rule: rule})
			continue
		}
		keep = append(keep, c.link)
	}
	if err := r.offer(ctx, v, keep); err != nil {
		return err
	}
	return r.recordDrops(ctx, dropped)
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
	if !r.plan.Scope.Contains(u) {
		return DropScope
	}
	if l.Depth > r.plan.MaxDepth {
		return DropDepth
	}
	if rule := urlnorm.Trap(u, r.opts.Now()); rule != "" {
		return rule
	}
	if err := r.ports.Guard.CheckURL(l.URL); err != nil {
		return DropAddress
	}
	return ""
}

// judge gives the link its priority and names the rule that lets it go.
func (r *run) judge(ctx context.Context, vote *vote, c *candidate, rel float64, byPriority, byAnchor bool) (string, error) {
	a := r.scoreAnchor(c.link.Anchor)
	if !byPriority && !a.matches {
		return DropAnchor, nil
	}
	same, err := vote.same(ctx, c.url)
	if err != nil {
		return "", err
	}
	w := r.plan.Weights
	c.link.Parts = frontier.Parts{Description: rel, Anchor: a.value}
	if same {
		c.link.Parts.Structure = 1
	}
	c.link.Priority = w.Priority(strategy.Parts{Description: rel, Anchor: a.value, Structure: same})
	if byAnchor && a.matches || c.link.Priority > r.plan.PriorityThreshold {
		return "", nil
	}
	return DropPriority, nil
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
		var keep []frontier.Link
		var dropped []ledger.Decision
		for _, e := range chunk {
			c := candidate{link: r.child(v, e.URL, e.Title), url: e.URL}
			c.link.IsSource = e.Sitemap
			c.link.Priority = floor
			rule := r.refuse(c.url, c.link)
			if rule == "" && e.Title != "" {
				rel := r.scoreAnchor(e.Title + " " + e.Description).value
				var err error
				if rule, err = r.judge(ctx, vote, &c, rel, true, true); err != nil {
					return err
				}
				if v.link.IsSeed && rule == DropPriority {
					rule, c.link.Priority = "", floor
				}
			}
			if rule != "" {
				v.drop(rule, 1)
				dropped = append(dropped, ledger.Decision{Link: c.link, Rule: rule})
				continue
			}
			keep = append(keep, c.link)
		}
		if err := r.offer(ctx, v, keep); err != nil {
			return err
		}
		if err := r.recordDrops(ctx, dropped); err != nil {
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

package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"sluice/shared/eval/metric"
	"sluice/shared/rank"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// byStrategy reports whether a rule is that of a strategy, not of scope or depth.
func byStrategy(rule string) bool {
	return rule == rank.DropPriority || rule == rank.DropAnchor || rule == rank.DropTunnel
}

// judgeLinks judges all links, each after the one to its page.
func (r *replay) judgeLinks(ctx context.Context) error {
	slices.SortFunc(r.links, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.link.Depth, b.link.Depth), cmp.Compare(a.link.URL, b.link.URL))
	})
	for _, c := range r.links {
		if err := errors.Join(ctx.Err(), r.judge(c)); err != nil {
			return err
		}
	}
	return nil
}

// judge decides a link.
func (r *replay) judge(c *candidate) error {
	l, parent := &c.link, r.pages[c.link.Parent]
	c.reached = true
	if l.IsSeed || parent == nil {
		c.order = l.Priority
		return nil
	}
	u, err := urlnorm.Parse(l.URL)
	if err != nil {
		return fmt.Errorf("read link %s: %w", l.URL, err)
	}
	source := parent.entry.Verdict == ledger.Source
	anchor := r.plan.Lexicon.Value(r.plan.Segmenter.Words(l.Anchor))
	_, topical := r.plan.Lexicon.MatchAnchor(l.Anchor)
	in := rank.Link{
		Parts: rank.Parts{Description: parent.description, Anchor: anchor, Structure: l.Parts.Structure > 0},
		URL:   u, Depth: l.Depth, Parent: parent.link.value,
		Relevant: parent.relevant, Listed: parent.link.link.IsSeed || source,
		Topical: topical || r.plan.AnchorThreshold > 0 && anchor >= r.plan.AnchorThreshold,
	}
	if source { // its entry's title and description are scored as one
		in.Description = anchor
		if r.scored {
			in.Description = l.Parts.Description
		}
	}
	j := r.plan.Strategy.Judge(in)
	c.order, c.tie, c.value = j.Priority, j.Tie, j.Value
	if l.IsSource || source && (l.Anchor == "" || parent.link.link.IsSeed) {
		c.reached = parent.link.reached // it is followed in any case
		return nil
	}
	c.judged, c.now = true, j.Drop
	c.reached = parent.link.reached && j.Drop == ""
	if parent.byTitle {
		r.result.Links.ByTitle++
	}
	return nil
}

// countLinks compares the judgements with those of the crawl.
func (r *replay) countLinks() {
	n := &r.result.Links
	n.Drops = map[string]int{}
	var still, dropped, followed []*candidate
	for _, c := range r.links {
		if !c.judged {
			continue
		}
		n.Judged++
		before := c.rule == ""
		if before {
			n.Followed++
		}
		switch {
		case before && c.now != "":
			n.Drops[c.now]++
			dropped = append(dropped, c)
		case before && !c.reached:
			n.Unreached++
		case before:
			still = append(still, c)
		case c.reached:
			followed = append(followed, c)
		}
	}
	n.Still, n.NowDropped, n.NowFollowed = len(still), len(dropped), len(followed)
	n.Order = correlation(still)
	n.MostDropped = best(dropped, func(c *candidate) (rank.Order, string) { return c.link.Order(), c.now })
	n.MostFollowed = best(followed, func(c *candidate) (rank.Order, string) { return c.after(), c.rule })
}

func (c *candidate) after() rank.Order { return rank.Order{Priority: c.order, Tie: c.tie} }

// best lists the first of some links by an order, each with a rule.
func best(links []*candidate, of func(*candidate) (rank.Order, string)) []Link {
	slices.SortStableFunc(links, func(a, b *candidate) int {
		left, _ := of(a)
		right, _ := of(b)
		return left.Compare(right)
	})
	list := []Link{}
	for _, c := range links[:min(len(links), examples)] {
		_, rule := of(c)
		list = append(list, Link{URL: c.link.URL, Anchor: c.link.Anchor, Parent: c.link.Parent, Rule: rule, Before: c.link.Priority, After: c.order})
	}
	return list
}

// correlation is that of the orders of links before and after, NaN for fewer than
// two.
func correlation(links []*candidate) metric.Number {
	before := places(links, func(c *candidate) rank.Order { return c.link.Order() })
	after := places(links, (*candidate).after)
	return metric.Number(metric.Spearman(before, after))
}

// places numbers links by an order; equal ones have the same number.
func places(links []*candidate, of func(*candidate) rank.Order) []float64 {
	order := make([]int, len(links))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return of(links[a]).Compare(of(links[b])) })
	at := make([]float64, len(links))
	for i, l := range order {
		at[l] = float64(i)
		if i > 0 && of(links[l]).Compare(of(links[order[i-1]])) == 0 {
			at[l] = at[order[i-1]]
		}
	}
	return at
}

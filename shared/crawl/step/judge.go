package step

import (
	"context"

	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// refuse returns the rule that excludes a link regardless of its value, "" for
// none.
func (r *run) refuse(u urlnorm.URL, l frontier.Link) string {
	if l.Depth > r.plan.depth(u) {
		return DropDepth
	}
	key := keyOf(l.URL)
	rule, ok := r.refused.Get(key)
	if !ok {
		rule = r.bar(u)
		r.refused.Put(key, rule)
	}
	return rule
}

// bar returns the rule that excludes a URL on any page.
func (r *run) bar(u urlnorm.URL) string {
	if r.plan.Forgotten.Contains(u) {
		return RuleForgotten
	}
	if !r.plan.Scope.Contains(u) {
		return DropScope
	}
	if rule := urlnorm.Trap(u, r.opts.Now()); rule != "" {
		return rule
	}
	if err := r.ports.Guard.CheckURL(u.String()); err != nil {
		return DropAddress
	}
	return ""
}

// judge sets the order and value of the link, or returns the rule that drops
// it.
//
// Most links of a page are also on other pages. A link that was offered or
// dropped before is known, unless this page ranks it higher: the structure vote
// is not drawn again if it could not change the result.
func (r *run) judge(ctx context.Context, vote *vote, c *candidate, rel float64, relevant, listed bool) (rule string, known bool, err error) {
	if c.ended && relevant {
		return "", true, nil // no drop would be final
	}
	a := r.scoreAnchor(c.link.Anchor)
	l := rank.Link{
		Parts: rank.Parts{Description: rel, Anchor: a.value},
		URL:   c.url, Depth: c.link.Depth, Parent: c.link.Value,
		Relevant: relevant, Listed: listed, Topical: r.plan.topical(a),
	}
	if c.around != "" {
		l.Around = r.scoreAnchor(c.around).value
	}
	least := r.plan.Strategy.Judge(l)
	if least.Final {
		return least.Drop, false, nil
	}
	if c.ended {
		return "", true, nil
	}
	l.Structure = true
	better := least.Order
	if r.plan.reproducible() {
		better = r.plan.Strategy.Judge(l).Order // otherwise it would depend on which page came first
	}
	if r.outdone(c.link, better) {
		return "", true, nil
	}
	most := r.plan.Strategy.Judge(l)
	if p, ok := r.dropped.Get(keyOf(c.link.URL)); ok && least.Compare(p) >= 0 && most.Drop != "" {
		return most.Drop, true, nil
	}
	judgement := most
	if l.Structure, err = vote.same(ctx, c.url); err != nil {
		return "", false, err
	}
	c.link.Parts = frontier.Parts{Description: rel, Anchor: a.value, Structure: 1}
	if !l.Structure {
		judgement, c.link.Parts.Structure = least, 0
	}
	c.link.Priority, c.link.Tie, c.link.Value = judgement.Priority, judgement.Tie, judgement.Value
	c.link.Parts.Like = judgement.Like
	return judgement.Drop, false, nil
}

// anchorScore is the score of an anchor.
type anchorScore struct {
	by    *topic.Lexicon
	value float64 // Rel(anchor, T)
	word  bool    // contains a topic word
}

// scoreAnchor scores an anchor, or the text around it, once: navigation repeats on
// every page.
func (r *run) scoreAnchor(text string) anchorScore {
	if a, ok := r.anchors.Get(text); ok && a.by == r.plan.Lexicon {
		return a
	}
	a := anchorScore{by: r.plan.Lexicon, value: r.plan.Lexicon.Value(r.plan.Segmenter.Words(text))}
	_, a.word = r.plan.Lexicon.MatchAnchor(text)
	r.anchors.Put(text, a)
	return a
}

// topical reports whether an anchor contains a topic word or reaches the anchor
// threshold.
func (p *Plan) topical(a anchorScore) bool {
	return a.word || p.AnchorThreshold > 0 && a.value >= p.AnchorThreshold
}

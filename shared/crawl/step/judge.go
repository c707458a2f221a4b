package step

import (
	"context"

	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

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
	if s.plan.Forgotten.Contains(u) {
		return RuleForgotten
	}
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
	parts := rank.Parts{Description: rel, Anchor: a.value}
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
	matches bool    // contains a topic word, or reaches the anchor threshold
}

// scoreAnchor scores an anchor once: navigation repeats on every page.
func (s *Step) scoreAnchor(text string) anchorScore {
	if a, ok := s.anchors.get(text); ok {
		return a
	}
	a := anchorScore{value: s.plan.Lexicon.Value(s.plan.Segmenter.Words(text))}
	_, a.matches = s.plan.Lexicon.MatchAnchor(text)
	a.matches = a.matches || s.plan.AnchorThreshold > 0 && a.value >= s.plan.AnchorThreshold
	s.anchors.put(text, a)
	return a
}

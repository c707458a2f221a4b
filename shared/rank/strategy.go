// Package rank decides which links are followed, and in which order.
package rank

// Strategy judges links. It is safe for concurrent use, and judges the same link
// alike every time. A structure vote for a link neither lowers its value nor
// drops it.
type Strategy interface {
	Judge(l Link) Judgement
}

// Link is the input of a strategy for one link.
type Link struct {
	Parts
	Relevant bool // the page that holds it is relevant by its description (METHOD A1)
	Listed   bool // found as a seed or in a sitemap or feed: its page need not be relevant
	Topical  bool // its anchor has a topic word, or reaches the anchor threshold
}

// Judgement is a strategy's decision about a link.
type Judgement struct {
	Value float64 // links wait in its order, the highest first
	Drop  string  // the rule that drops the link; "" for one that is followed
	Final bool    // of a drop: no structure vote can change it
}

// Rules by which a strategy drops a link.
const (
	DropPriority = "priority" // eq. 5 not above the threshold (METHOD A11)
	DropAnchor   = "anchor"   // on a page that is not relevant: no topic word in the anchor (METHOD A1)
)

// Package rank decides which links are followed, and in which order.
package rank

import "sluice/shared/web/urlnorm"

// Strategy judges links. It is safe for concurrent use, and judges the same link
// alike every time unless it is a Learner. A structure vote for a link neither moves
// it back nor drops it.
type Strategy interface {
	Judge(l Link) Judgement
	// Line is the priority below which links wait until no other link does; 0: there
	// is no such line.
	Line() float64
}

// ContextReader is a strategy that reads Link.Around, which takes time and memory for
// every page.
type ContextReader interface {
	Strategy
	ReadsContext()
}

// GraphReader is a strategy that reads the graph of links. It may judge a link anew
// by what it has read since.
type GraphReader interface {
	Strategy
	// ReadLinks is called for a page before its links are judged, again if its task is
	// repeated. Links that are not to be followed are left out.
	ReadLinks(page urlnorm.URL, links []urlnorm.URL)
}

// Learner is a Strategy whose order depends on the pages that were read. A link that
// waits is judged again before it is followed.
type Learner interface {
	Strategy
	// Learn takes notice of a page that was fetched, or could not be, and whether it
	// was kept. Lists of links are no such pages.
	Learn(page urlnorm.URL, kept bool)
	// Read returns how many pages of a host it has learned from.
	Read(host string) int
	// Start is the priority of a link at the threshold while nothing is learned.
	Start() float64
	// Experience is what it has learned.
	Experience() *Experience
}

// Link is the input of a strategy for one link.
type Link struct {
	Parts
	URL    urlnorm.URL
	Around float64 // relevance of the text around the link; 0 unless the strategy reads it (ContextReader)
	Depth  int     // links from the seed; 1 on the page of a seed
	Parent float64 // the Judgement.Value of the page that holds it; 0 for a seed

	Relevant bool // the page that holds it is relevant by its description (METHOD A1)
	Listed   bool // found as a seed or in a sitemap or feed: its page need not be relevant
	Topical  bool // its anchor has a topic word, or reaches the anchor threshold
}

// Judgement is a strategy's decision about a link.
type Judgement struct {
	Order         // in which links wait
	Value float64 // what the links of its page inherit (METHOD B6): their Link.Parent
	Like  float64 // what a Learner expects of pages like it: the share that is kept; else 0
	Drop  string  // the rule that drops the link; "" for one that is followed
	Final bool    // of a drop on a page that is not relevant: no structure vote can change it
}

// Rules by which a strategy drops a link.
const (
	DropPriority = "priority" // eq. 5 not above the threshold (METHOD A11)
	DropAnchor   = "anchor"   // on a page that is not relevant: no topic word in the anchor (METHOD A1)
	DropTunnel   = "tunnel"   // behind too many weak links in a row (METHOD B6)
)

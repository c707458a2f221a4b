package step

import "sluice/shared/web/optout"

// Rules by which a page is not kept or a link not fetched. The faults of fetch
// and page have others.
const (
	RuleRobots      = "robots"             // robots.txt forbids it
	RuleHostBudget  = "host_budget"        // the pages per host are used up
	RuleHostDown    = "host_down"          // too many connections in a row failed
	RuleTooManyHops = "too_many_redirects" // more than maxHops in a row
	RuleRedirect    = "redirect"           // prefix of a refused redirect's rule: redirect_scope …
	RuleMirror      = "mirror"             // the same page under many URLs of a host
	RuleNoIndex     = optout.RuleNoIndex   // the page asks not to be indexed; the other rules of optout are like it
	RuleGone        = "gone"               // 404 or 410, where a document was
	RuleMoved       = "moved"              // it redirects, where a document was
	RuleNotModified = "http_304"           // an answer to a question that was not asked
	RuleForgotten   = "forgotten"          // taken out of the crawl for good
)

// Rules by which a link is dropped regardless of its value. The traps of
// urlnorm are others; a strategy has its own.
const (
	DropScope    = "scope"
	DropDepth    = "depth"
	DropNoFollow = "nofollow"
	DropAddress  = "address" // inside, as a literal
)

package step

import (
	"sluice/shared/state/frontier"
	"sluice/shared/web/hosts"
	"sluice/shared/web/optout"
)

// Rules by which a page is not kept or a link not fetched. The faults of fetch
// and page have others.
const (
	RuleRobots       = "robots"               // robots.txt forbids it
	RuleHostBudget   = "host_budget"          // the pages per host are used up
	RuleOverride     = "override_budget"      // the pages that an override gives a part of the host are used up
	RuleHostSources  = "host_sources"         // it has given maxSources sitemaps and feeds
	RuleNesting      = "sitemap_nesting"      // a sitemap or feed behind maxNested others
	RuleHostDown     = frontier.RuleHostDown  // too many connections in a row failed
	RuleTooManyHops  = "too_many_redirects"   // more than maxHops in a row
	RuleRedirect     = "redirect"             // prefix of a refused redirect's rule: redirect_scope …
	RuleRedirectLoop = RuleRedirect + "_loop" // to itself, or back to where the redirects began
	RuleCookieWall   = "cookie_wall"          // there was no time to ask again with the cookies that a page gives
	RuleMirror       = "mirror"               // the same page under many URLs of a host
	RuleNoIndex      = optout.RuleNoIndex     // the page asks not to be indexed; as the other rules of optout
	RuleGone         = "gone"                 // 404 or 410 for a page with a document
	RuleMoved        = "moved"                // a redirect from a page with a document
	RuleNotModified  = "http_304"             // an answer to a request without conditions
	RuleForgotten    = "forgotten"            // taken out of the crawl for good

	RuleCrawlDelay = "crawl_delay" // a host has a pause, as robots.txt asks for
	RuleRetryAfter = "retry_after" // the same, as the answer to a site's file about the use of pages asks for

	RuleNeedsBrowser = "needs_browser" // it is to be rendered, and there is no browser
)

// DownRules are those by which links die because their host cannot be reached.
var DownRules = []string{"connect", "dns", "timeout", hosts.RuleUnreachable}

// Rules by which a link is dropped regardless of its value. Others are the
// traps of urlnorm and the rules of the strategy.
const (
	DropScope    = "scope"
	DropDepth    = "depth"
	DropNoFollow = "nofollow"
	DropBeyond   = "too_many_links" // beyond the limit of links of a page
	DropAddress  = "address"        // inside, as a literal
)

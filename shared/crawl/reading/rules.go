package reading

import "sluice/shared/fault"

// Rules by which a page is not kept. Packages page, boilerplate, quality and
// optout have others.
const (
	RuleDescription = "description_threshold" // title, description and keywords are not relevant (METHOD A1), nor the main text, if it counts
	RuleLanguage    = "language"              // written in another language than the topic's
	RuleBody        = "body_threshold"        // the main text is not relevant, although the description is
	RuleSecondLook  = "second_look"           // the main text is not relevant by words learned from the crawl's pages
	RuleNotHTML     = "not_html"              // neither a page nor a source of links
	RuleNoText      = "no_text"               // no main text, and no furniture in its place: that is boilerplate.Rule
	RuleList        = "list_page"             // a list of links, whose links are followed
	RuleMediaOnly   = "media_only"            // only video or pictures
	RulePanic       = fault.RulePanic         // the page broke the code: a bug, kept for us
)

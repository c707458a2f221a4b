package reading

import (
	"strings"

	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
)

// Signals are all statements about the use of the page: in its response, on the
// page and by its site.
func (a *Arrival) Signals() *optout.Signals {
	if a.said == nil {
		said := optout.Gather(a.Header, fetch.Product, optout.Meta{Robots: a.Page.MetaRobots, TDM: a.Page.MetaTDM, Usage: a.Page.MetaUsage}, a.Site)
		a.said = &said
	}
	return a.said
}

// optedOut returns the rule by which the page must not be kept, not even as a
// sample, with the statement; "" for none.
func (a *Arrival) optedOut() (rule, detail string) { return a.Signals().Refusal(a.At) }

// OptsOut reports whether nothing of the page must be kept.
func (a *Arrival) OptsOut() bool {
	rule, _ := a.optedOut()
	return rule != ""
}

// robotsNote says what allowed the fetch: always robots.txt, and the directives
// of the page or its response, if any.
func (a *Arrival) robotsNote() string {
	return strings.Join(append([]string{"allowed"}, a.Signals().Directives()...), ",")
}

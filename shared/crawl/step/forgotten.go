package step

import (
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// forget finishes a link that was forgotten while it waited, or a page that
// redirects to one. It records nothing else about it.
func (r *run) forget(v *visit) {
	v.entry.Verdict = ledger.Forgotten
	r.finish(v)
	v.entry.Trace = nil
}

// withoutForgotten removes the parent and anchor of a waiting link if the
// parent was forgotten meanwhile.
func (r *run) withoutForgotten(l *frontier.Link) {
	if l.Parent == "" || r.plan.Forgotten.Len() == 0 {
		return
	}
	if parent, err := urlnorm.Parse(l.Parent); err == nil && r.plan.Forgotten.Contains(parent) {
		l.Parent, l.Anchor = "", ""
	}
}

// forgotten reports whether a link of a page was forgotten: then it is counted
// as dropped, and not recorded.
func (r *run) forgotten(v *visit, u urlnorm.URL) bool {
	if !r.plan.Forgotten.Contains(u) {
		return false
	}
	v.drop(RuleForgotten, 1)
	return true
}

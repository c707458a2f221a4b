package sift

import (
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/text/boilerplate"
	"sluice/shared/web/urlnorm"
)

// leaveOut makes a reject of a page that was taken out of the folder for good:
// nothing is noted of it but its URLs. Of another that was found on such a page
// it takes out where that was and by which text.
func (t *task) leaveOut(list *forget.List) {
	if list.Len() == 0 {
		return
	}
	listed := func(url string) bool {
		u, err := urlnorm.Parse(url)
		return err == nil && list.Contains(u)
	}
	if d := t.document; d != nil {
		switch {
		case listed(d.URL), listed(d.FinalURL):
			t.forget(&corpus.Reject{URL: d.URL, FinalURL: d.FinalURL, Topic: d.Topic})
		case listed(d.Path.Parent):
			d.Path.Parent, d.Path.Anchor = "", ""
		}
		return
	}
	switch r := t.reject; {
	case listed(r.URL), listed(r.FinalURL):
		t.forget(&corpus.Reject{URL: r.URL, FinalURL: r.FinalURL, Topic: r.Topic})
	case listed(r.Parent):
		r.Parent, r.Anchor = "", ""
	}
}

// forget leaves a reject in the place of what the page was.
func (t *task) forget(r *corpus.Reject) {
	r.Rule = step.RuleForgotten
	t.document, t.reject = nil, r
	t.host, t.lesson = "", boilerplate.Page{}
}

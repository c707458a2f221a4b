package sift

import (
	"fmt"

	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
)

// judge reads what an archive has of a page, and returns the document or why it
// is none. A panic costs that page alone.
func judge(p *step.Plan, t *step.PlainText, read func() (*step.Reading, error)) (d *corpus.Document, reject *corpus.Reject) {
	defer func() {
		if r := recover(); r != nil {
			d, reject = nil, rejectOf(t, p, step.RulePanic, fmt.Sprint(r))
		}
	}()
	rd, err := read()
	switch {
	case err != nil:
		return nil, rejectOf(t, p, step.RuleNotHTML, err.Error())
	case rd.Document != nil:
		return rd.Document, nil
	}
	reject = rejectOf(t, p, rd.Rule, rd.Detail)
	reject.OffTopic = rd.About
	return nil, reject
}

func rejectOf(t *step.PlainText, p *step.Plan, rule, detail string) *corpus.Reject {
	r := &corpus.Reject{
		URL: t.Link.First(), FinalURL: t.Link.URL, Rule: rule, Detail: detail, Title: t.Title, Date: corpus.Date{Time: t.At}, Topic: p.Topic,
	}
	p.MaskReject(r)
	return r
}

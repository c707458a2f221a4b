package sift

import (
	"fmt"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
)

// judge reads a page of an archive, and returns the document or why it was
// refused. A panic affects only that page.
func judge(r *reading.Reader, t *reading.PlainText, read func() (*reading.Result, error)) (d *corpus.Document, reject *corpus.Reject) {
	defer func() {
		if p := recover(); p != nil {
			d, reject = nil, rejectOf(t, r, reading.RulePanic, fmt.Sprint(p))
		}
	}()
	rd, err := read()
	switch {
	case err != nil:
		return nil, rejectOf(t, r, reading.RuleNotHTML, err.Error())
	case rd.Document != nil:
		return rd.Document, nil
	}
	reject = rejectOf(t, r, rd.Rule, rd.Detail)
	reject.OffTopic = rd.About
	return nil, reject
}

func rejectOf(t *reading.PlainText, r *reading.Reader, rule, detail string) *corpus.Reject {
	reject := &corpus.Reject{
		URL: t.Link.First(), FinalURL: t.Link.URL, Rule: rule, Detail: detail, Title: t.Title, Date: corpus.Date{Time: t.At}, Topic: r.Topic,
	}
	r.MaskReject(reject)
	return reject
}

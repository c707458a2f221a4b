package reading

import (
	"fmt"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/text/boilerplate"
)

// Page returns the input of the draft for its host's boilerplate.
func (d *Draft) Page() boilerplate.Page {
	return boilerplate.Page{URL: d.arrival.Link.URL, Title: d.title(), Text: d.Text()}
}

// Lighten drops data used only for finding the main text, so that many drafts
// can wait for their hosts' boilerplate.
func (d *Draft) Lighten() {
	a, p := *d.arrival, *d.arrival.Page
	a.Text, p.Links, p.Sample, p.Tree = nil, nil, "", nil
	a.Page, d.arrival = &p, &a
}

// title is the headline of the page or, without one, the title of its head.
func (d *Draft) title() string {
	if d.body == nil || d.body.Title == "" {
		return d.arrival.Page.Title
	}
	return d.body.Title
}

// Without judges the page by its main text without the site's boilerplate.
// whole is the result of Judge for the text with it; nil if it was not called.
// A page without any other text is refused.
func (d *Draft) Without(l *boilerplate.Learned, whole *Result) *Result {
	text := d.Text()
	rest, gone := l.Remove(text)
	if gone.Lines > 0 && rest == "" {
		rd := d.result
		rd.refuse(ledger.Rejected, boilerplate.Rule, fmt.Sprintf("lines that are also on other pages of the host: %d", gone.Lines))
		return &rd
	}
	if gone.Lines > 0 || whole == nil {
		whole = d.Judge(rest)
	}
	rd := *whole
	if rd.Document != nil && d.isByBoilerplate(&rd) {
		rd.refuse(ledger.Passed, RuleBody, "main text without the lines of its host: "+below(*rd.Body, d.reader.BodyThreshold))
		if rd.Held = d.reader.Hold; rd.Held {
			rd.About = d.reader.offTopic(d.arrival, &body.Body{Text: rest}, 1)
		}
	}
	if rd.Document != nil {
		document := *rd.Document
		document.Boilerplate = corpus.Boilerplate{Lines: gone.Lines, Characters: gone.Characters, Learned: l.Version()}
		rd.Document = &document
	}
	return &rd
}

// isByBoilerplate reports whether a page was kept for its text, which is on the
// topic only with the lines of its host.
func (d *Draft) isByBoilerplate(rd *Result) bool {
	r := d.reader
	if !r.JudgeText || d.arrival.Accepted || r.isRelevant(rd.Description) || rd.Body.Value >= r.BodyThreshold {
		return false
	}
	return r.Lexicon.Rel(r.Segmenter.Words(d.Text())).Value >= r.BodyThreshold
}

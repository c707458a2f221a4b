package reading

import (
	"fmt"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
)

// Page is the draft as its host's boilerplate is learned from it.
func (d *Draft) Page() boilerplate.Page {
	return boilerplate.Page{URL: d.arrival.Link.URL, Title: d.title(), Text: d.Text()}
}

// Lighten drops what only finding the main text needed, so that many drafts can
// wait until their hosts' boilerplate is known.
func (d *Draft) Lighten() {
	a, p := *d.arrival, *d.arrival.Page
	a.Text, p.Links, p.Sample, p.Tree = nil, nil, "", nil
	a.Page, d.arrival = &p, &a
}

// title is the headline of the page, or what its head has for one.
func (d *Draft) title() string {
	if d.body == nil || d.body.Title == "" {
		return d.arrival.Page.Title
	}
	return d.body.Title
}

// Without judges the page by its main text without the lines that are the
// site's. whole is the result of Judge for the text with them; nil if it was
// not called. A page without any other text is refused.
func (d *Draft) Without(l *boilerplate.Learned, whole *Result) *Result {
	text := d.Text()
	rest, gone := l.Remove(text)
	if gone.Lines > 0 && rest == "" {
		rd := d.result
		rd.refuse(ledger.Rejected, boilerplate.Rule, fmt.Sprintf("lines that stand on other pages of the host, too: %d", gone.Lines))
		return &rd
	}
	if gone.Lines > 0 || whole == nil {
		whole = d.Judge(rest)
	}
	rd := *whole
	if rd.Document != nil {
		document := *rd.Document
		document.Boilerplate = corpus.Boilerplate{Lines: gone.Lines, Characters: gone.Characters, Learned: l.Version()}
		rd.Document = &document
	}
	return &rd
}

package clean

import (
	"fmt"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/text/boilerplate"
)

// Pending is a page of a WARC file as far as it can be read before it is known
// what recurs on the pages of its host. A panic in a parser costs that page
// alone.
type Pending struct {
	page   *Page
	reader *reading.Reader
	host   string
	title  string // by the head of the page
	draft  *reading.Draft
	whole  *reading.Result // with all lines of the text
	reject *corpus.Reject  // why it is no document, whatever its host has
}

// Read reads a page as the step does, and returns either the document that it
// is, with its place, or why it is none. A page that the step kept is refused
// for what is wrong with the page alone.
func (p *Page) Read(reader *reading.Reader) (*corpus.Document, *corpus.Reject) {
	return p.Pending(reader).Without(nil)
}

// Keep notes that the step kept the page.
func (p *Page) Keep() { p.kept = true }

// Pending reads a page, its main text with all lines.
func (p *Page) Pending(reader *reading.Reader) (d *Pending) {
	d = &Pending{page: p, reader: reader, reject: p.reject}
	if p.reject != nil {
		return d
	}
	defer d.mend()
	a, rule, err := p.arrival()
	if rule != "" {
		detail := ""
		if err != nil {
			detail = err.Error()
		}
		d.reject = d.refuse(rule, detail)
		return d
	}
	d.host, d.title = a.URL.Host(), a.Page.Title
	d.draft = reader.Draft(a)
	d.whole = d.draft.Judge(d.draft.Text())
	if d.whole.Document == nil {
		d.reject = d.refusal(d.whole)
		d.draft, d.whole = nil, nil
		return d
	}
	d.draft.Lighten()
	return d
}

// size is how many bytes of text the draft holds.
func (d *Pending) size() int {
	if d.draft == nil {
		return 0
	}
	return 2 * len(d.draft.Text()) // the page's and its document's
}

// Learn returns what there is to learn from a page of its host: nothing of one
// that is no document with all lines of its text.
func (d *Pending) Learn() (host string, page boilerplate.Page, ok bool) {
	if d.reject != nil {
		return "", boilerplate.Page{}, false
	}
	return d.host, d.draft.Page(), true
}

// Digest tells the title and main text of a document, with all its lines, from
// others, as reading.Result.Digest does; "" of a page that is no document.
func (d *Pending) Digest() string {
	if d.reject != nil {
		return ""
	}
	return d.draft.Digest()
}

// Without returns the document that the page is without the lines that are the
// site's, or why it is none then.
func (d *Pending) Without(l *boilerplate.Learned) (doc *corpus.Document, reject *corpus.Reject) {
	if d.reject != nil {
		return nil, d.reject
	}
	defer func() {
		if d.reject != nil {
			doc, reject = nil, d.reject
		}
	}()
	defer d.mend()
	rd := d.draft.Without(l, d.whole)
	if rd.Document == nil {
		return nil, d.refusal(rd)
	}
	rd.Document.WARC = d.page.place
	return rd.Document, nil
}

// mend makes a reject of a panic. It is deferred.
func (d *Pending) mend() {
	if r := recover(); r != nil {
		d.reject = d.refuse(reading.RulePanic, fmt.Sprint(r))
	}
}

// refusal is the reject of a page that was read.
func (d *Pending) refusal(rd *reading.Result) *corpus.Reject {
	reject := d.refuse(rd.Rule, rd.Detail)
	reject.Title, reject.OffTopic = d.title, rd.About
	d.reader.MaskReject(reject)
	return reject
}

func (d *Pending) refuse(rule, detail string) *corpus.Reject {
	p := d.page
	reject := &corpus.Reject{
		URL: p.link.First(), FinalURL: p.url, Rule: rule, Detail: detail, Status: p.response.Status, Date: corpus.Date{Time: p.at},
		Depth: p.link.Depth, Parent: p.link.Parent, Anchor: p.link.Anchor, Topic: d.reader.Topic,
	}
	d.reader.MaskReject(reject)
	return reject
}

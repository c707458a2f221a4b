package clean

import (
	"fmt"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/text/boilerplate"
)

// Pending is a page of a WARC file, read as far as possible without the
// boilerplate of its host. A panic in a parser affects only that page.
type Pending struct {
	page   *Page
	reader *reading.Reader
	host   string
	title  string // by the head of the page
	draft  *reading.Draft
	whole  *reading.Result // with all lines of the text
	reject *corpus.Reject  // why it is not a document, regardless of its host
}

// Read reads a page as the step does, and returns either its document, with its
// place, or why it has none. A page that the step kept is refused only for
// faults of its own.
func (p *Page) Read(reader *reading.Reader) (*corpus.Document, *corpus.Reject) {
	return p.Pending(reader).Without(nil)
}

// Keep notes that the step kept the page.
func (p *Page) Keep() { p.kept = true }

// Accept notes that the end of the crawl kept the page, by learned words.
func (p *Page) Accept() { p.kept, p.accepted = true, true }

// Pending reads a page, its main text with all lines.
func (p *Page) Pending(reader *reading.Reader) (d *Pending) {
	d = &Pending{page: p, reader: reader, reject: p.reject}
	if p.reject != nil {
		return d
	}
	defer d.mend()
	a, rule, err := p.Arrival()
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

// Learn returns the input for the lesson of a page's host: nothing if the page
// is not a document with all lines of its text, or one of a structured crawl.
func (d *Pending) Learn() (host string, page boilerplate.Page, ok bool) {
	if d.reject != nil || d.reader.Structured {
		return "", boilerplate.Page{}, false
	}
	return d.host, d.draft.Page(), true
}

// Digest identifies the title and main text of a document, with all its lines,
// as reading.Result.Digest does; "" if the page is not a document.
func (d *Pending) Digest() string {
	if d.reject != nil {
		return ""
	}
	return d.draft.Digest()
}

// Without returns the document of the page without the site's boilerplate, or
// why it has none then.
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
		Depth: p.link.Depth, Parent: p.link.Parent, Anchor: p.link.Anchor, Topic: d.reader.Topic, WARC: p.place,
	}
	d.reader.MaskReject(reject)
	return reject
}

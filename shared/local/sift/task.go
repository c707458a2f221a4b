package sift

import (
	"strings"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/text/boilerplate"
)

// Rules by which records of an archive are refused, besides those of pages.
const (
	RuleDamaged  = "damaged"  // the rest of a file cannot be unpacked
	RuleRevisit  = "revisit"  // the payload that a record refers to is in none of the inputs
	RuleRepeated = "repeated" // an earlier document in this archive has the same URL or, without one, the same text
	RuleNotJSON  = "not_json" // a line that is not a JSON object
	RuleNotUTF8  = "not_utf8"
	RuleTooLarge = "too_large"
)

// task is a page that is to be read, and then its result.
type task struct {
	weight int64 // bytes that it holds in memory
	once   bool  // of the documents of one final URL the first is kept

	// One of them: a page that went over the wire, which may hold lines that are
	// its site's, or anything else.
	page *clean.Page
	uri  string // of page
	read func(*reading.Reader) (*corpus.Document, *corpus.Reject)

	stayed bool // it was a document in the first pass

	done     chan struct{} // closed when the following is there
	document *corpus.Document
	reject   *corpus.Reject
	line     []byte // of the one or the other
	err      error
	host     string           // of a document from whose page can be learned
	lesson   boilerplate.Page // what its host shows there
}

// refused is a record that is known not to be a page.
func refused(reject *corpus.Reject) *task {
	return &task{read: func(r *reading.Reader) (*corpus.Document, *corpus.Reject) {
		reject.Topic = r.Topic
		return nil, reject
	}}
}

// run reads the page. What is known of its site is taken out of its text.
func (t *task) run(r *reading.Reader, forgotten *forget.List, site *boilerplate.Learned) {
	if t.page != nil {
		pending := t.page.Pending(r)
		t.host, t.lesson, _ = pending.Learn()
		t.document, t.reject = pending.Without(site)
	} else {
		t.document, t.reject = t.read(r)
	}
	t.leaveOut(forgotten)
	if d := t.document; d != nil {
		if d.Path.Seed == "" {
			d.Robots = ownWords(d.Robots)
		}
		t.line, t.err = d.AppendJSON(nil)
		return
	}
	t.line, t.err = t.reject.AppendJSON(nil)
}

// ownWords is what the page itself says to robots: what allowed the fetch is
// known only to who fetched it.
func ownWords(robots string) string {
	rest, _ := strings.CutPrefix(robots, "allowed")
	return strings.TrimPrefix(rest, ",")
}

// repeated makes a reject of the document.
func (t *task) repeated() {
	d := t.document
	t.document, t.host = nil, ""
	t.reject = &corpus.Reject{
		URL: d.URL, FinalURL: d.FinalURL, Rule: RuleRepeated, Title: d.Title, Date: d.DateFetched, Topic: d.Topic,
		Detail: "a document of this URL or text comes before it, in the same archive",
	}
	t.line, t.err = t.reject.AppendJSON(nil)
}

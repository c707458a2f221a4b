// Package reading decides what a page is: what it is about, its main text, and
// whether that is kept (METHOD A1). A page is read the same way when it is
// fetched, cleaned, sifted out of an archive and evaluated.
package reading

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/quality"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/web/optout"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Reader reads pages for one topic. It does not change while it is in use, and
// is safe for concurrent use.
type Reader struct {
	Topic        string
	TopicVersion string
	Language     string

	Lexicon   *topic.Lexicon
	Segmenter *segment.Segmenter

	DescriptionThreshold float64 // METHOD A1: a page is relevant from here on
	BodyThreshold        float64 // of the main text: a relevant page is kept from here on; 0: all are

	Quality quality.Rules // a main text that breaks one is refused; nil: none are
	KeepPII bool          // personal data is not masked
}

// Arrival is a page as it came: by a fetch, or out of a WARC segment.
type Arrival struct {
	Link frontier.Link
	URL  urlnorm.URL // of the link, parsed
	At   time.Time   // when it was asked for
	Text []byte      // decoded to UTF-8
	Page *page.Page  // what Text parses to

	Header http.Header // of the response; nil where it is not known
	Site   optout.Site // what the files of the site say about the page

	// Version is that of the document, if the page is kept; 0: the first.
	Version int

	// Kept says that the step kept the page: what it is about is decided, and
	// a topic that was changed since refuses it no more.
	Kept bool

	said *optout.Signals // once they are asked for
}

// Result is what a page turned out to be.
type Result struct {
	Description topic.Relevance  // of title, description and keywords, METHOD A8
	Body        *topic.Relevance // of the main text; nil where that was not asked
	Relevant    bool             // by its description: its links are followed by eq. 5 (METHOD A1)

	Digest string // of title and main text as they were found, in hex; "" where they were not looked for

	Document *corpus.Document // the document; nil for a page that is not kept

	// Of a page that is not kept.
	Verdict ledger.Verdict   // Passed where it is off topic, else Rejected
	Rule    string           // that refused it
	Detail  string           // what the rule saw
	About   *corpus.OffTopic // of a sample of the pages off topic
}

// Read is the flow of METHOD A1 for one page: score the description, and keep a
// relevant page that has good text on the topic. The result depends on the plan
// and the page alone, so a segment can be read again. A page that was kept
// before is judged by the plan, too, but ByTopic no longer refuses it.
func (r *Reader) Read(a *Arrival) *Result {
	d := r.Draft(a)
	return d.Judge(d.Text())
}

// ByTopic reports whether a rule of Read compares a page with the topic, so that
// another topic may decide otherwise. The others depend on the page alone.
func ByTopic(rule string) bool {
	return rule == RuleDescription || rule == RuleLanguage || rule == RuleBody
}

func (rd *Result) refuse(verdict ledger.Verdict, rule, detail string) {
	rd.Document, rd.Verdict, rd.Rule, rd.Detail = nil, verdict, rule, detail
}

// below says why a relevance was not enough.
func below(rel topic.Relevance, threshold float64) string {
	return fmt.Sprintf("relevance %.4g, threshold %.4g", rel.Value, threshold)
}

// description is the text that METHOD A1 scores.
func description(p *page.Page) string {
	return p.Title + "\n" + p.Description + "\n" + strings.Join(p.Keywords, "\n")
}

package step

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/optout"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Arrival is a page as it came: by a fetch, or out of a WARC segment.
type Arrival struct {
	Link frontier.Link
	URL  urlnorm.URL // of the link, parsed
	At   time.Time   // when it was asked for
	Text []byte      // decoded to UTF-8
	Page *page.Page  // what Text parses to

	Header http.Header // of the response; nil where it is not known
	Site   optout.Site // what the files of the site say about the page

	// Version is that of the document, where it stays; 0: the first.
	Version int

	// Kept says that the step kept the page: what it is about is decided, and
	// a topic that was changed since refuses it no more.
	Kept bool

	said *optout.Signals // once they are asked for
}

// Reading is what a page turned out to be.
type Reading struct {
	Description topic.Relevance  // of title, description and keywords, METHOD A8
	Body        *topic.Relevance // of the main text; nil where that was not asked
	Relevant    bool             // by its description: its links are followed by eq. 5 (METHOD A1)

	Digest string // of title and main text as they were found, in hex; "" where they were not looked for

	Document *corpus.Document // what is kept; nil for a page that does not stay

	// Of a page that does not stay.
	Verdict ledger.Verdict   // Passed where it is off topic, else Rejected
	Rule    string           // that refused it
	Detail  string           // what the rule saw
	About   *corpus.OffTopic // of a sample of the pages off topic
}

// Read is the flow of METHOD A1 for one page: score the description, and of
// what is relevant keep what has good text on the topic. It depends on nothing
// but the plan and the page, so a segment can be read again. Of a page that was
// kept it says what the plan makes of it, but ByTopic refuses it no more.
func (p *Plan) Read(a *Arrival) *Reading {
	d := p.Draft(a)
	return d.Judge(d.Text())
}

// ByTopic reports whether a rule of Read compares a page with the topic, so that
// another topic may decide otherwise. The others depend on the page alone.
func ByTopic(rule string) bool {
	return rule == RuleDescription || rule == RuleLanguage || rule == RuleBody
}

func (rd *Reading) refuse(verdict ledger.Verdict, rule, detail string) {
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

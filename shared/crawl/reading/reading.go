// Package reading reads pages: their relevance, their main text, and whether to
// keep it (METHOD A1). Pages are read the same way when they are fetched,
// cleaned, sifted from an archive and evaluated.
package reading

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
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

	// JudgeText has a page below DescriptionThreshold judged by its main text, if
	// there is a threshold for that, where METHOD A1 passes it over.
	JudgeText bool

	// Hold has the text of a page noted that has words of the topic, but too few
	// (Result.Held): the end of the crawl judges it again. With HoldAll that of a page
	// without any word of the topic is, too.
	Hold, HoldAll bool

	// Cover has Result.Coverage computed.
	Cover bool

	// Structured has the layers of pages told, for their records, where a topical crawl
	// judges texts. Of the fields above it needs Topic and TopicVersion alone.
	Structured bool

	Quality quality.Rules // a main text that breaks one is refused; nil: no rules
	KeepPII bool          // personal data is not masked
}

// Arrival is a page from a fetch or a WARC segment.
type Arrival struct {
	Link frontier.Link
	URL  urlnorm.URL // of the link, parsed
	At   time.Time   // when it was requested
	Text []byte      // decoded to UTF-8
	Page *page.Page  // parsed from Text

	Header http.Header // of the response; nil if unknown
	Site   optout.Site // statements of the site's files about the page

	// Version is that of the document, if the page is kept; 0: the first.
	Version int

	// Kept says that the step kept the page: its relevance is decided, and a
	// topic that was changed since cannot refuse it.
	Kept bool

	// Accepted says that the page was kept by learned words, at the end of a crawl:
	// the words of the topic in the lines of its host do not matter.
	Accepted bool

	said *optout.Signals // computed on first use
}

// Result is the result of reading a page.
type Result struct {
	Description topic.Relevance  // of title, description and keywords, METHOD A8
	Body        *topic.Relevance // of the main text; nil if not computed
	Relevant    bool             // by its description (METHOD A1) or, with Reader.JudgeText, by its main text

	List bool // its main text, if that was read, is a list of links

	// Of a structured crawl, else empty.
	Layer   string               // structure.CategoryLayer and its kin
	Leads   []Lead               // the links by which its lists go on
	Inside  map[urlnorm.URL]bool // all links in records of the lists of a page that no list led to
	Records string               // XPath of the records of a list
	Short   bool                 // another page of a list, with so few records that it looks like details: the last one, say

	Digest string // of title and main text as found, in hex; "" if not computed

	Document *corpus.Document // the document; nil for a page that is not kept
	Coverage job.Coverage     // by the document, see Reader.Cover

	// Of a page that is not kept.
	Verdict ledger.Verdict   // Passed if it is off topic, else Rejected
	Rule    string           // that refused it
	Detail  string           // the value that broke the rule
	About   *corpus.OffTopic // of a sample of the pages off topic, and of those held
	Held    bool             // see Reader.Hold
}

// Read is the flow of METHOD A1 for one page: score the description, and keep a
// relevant page that has good text on the topic. The result depends only on the
// plan and the page, so a segment can be read again. A page that was kept
// before is judged by the plan, too, but ByTopic can no longer refuse it.
func (r *Reader) Read(a *Arrival) *Result {
	d := r.Draft(a)
	return d.Judge(d.Text())
}

// ByTopic reports whether a rule of Read compares a page with the topic, so
// that another topic may decide differently. The others depend only on the
// page.
func ByTopic(rule string) bool {
	return rule == RuleDescription || rule == RuleLanguage || rule == RuleBody || rule == RuleSecondLook
}

func (rd *Result) refuse(verdict ledger.Verdict, rule, detail string) {
	rd.Document, rd.Verdict, rd.Rule, rd.Detail = nil, verdict, rule, detail
}

// isRelevant reports whether a description is relevant (METHOD A1).
func (r *Reader) isRelevant(rel topic.Relevance) bool {
	return rel.Words > 0 && rel.Value >= r.DescriptionThreshold
}

// below says why a relevance was not enough.
func below(rel topic.Relevance, threshold float64) string {
	return fmt.Sprintf("relevance %.4g, threshold %.4g", rel.Value, threshold)
}

// description is the text that METHOD A1 scores.
func description(p *page.Page) string {
	return p.Title + "\n" + p.Description + "\n" + strings.Join(p.Keywords, "\n")
}

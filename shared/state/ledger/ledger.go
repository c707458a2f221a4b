// Package ledger remembers every URL of a crawl: its state, its end, the
// history of relevant pages and the totals.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"
)

// State is the state of a URL. A URL only moves forward.
type State int

// The three states. Stores have 2 for URLs that an earlier version had leased: it
// reads as Queued.
const (
	Absent State = 0 // never seen, or dropped
	Queued State = 1 // a hint: the link was stored in the frontier
	Done   State = 3 // has an Entry
)

// Verdict is how a URL ended.
type Verdict string

// The verdicts.
const (
	Kept       Verdict = "kept"       // in the corpus
	Passed     Verdict = "passed"     // fetched, off topic: a recorded reject whose links count
	Rejected   Verdict = "rejected"   // any other recorded reject; Rule says why
	Redirected Verdict = "redirected" // its target is a separate link
	Source     Verdict = "source"     // a sitemap or feed, read for its links
	Skipped    Verdict = "skipped"    // never fetched (robots.txt, address); Rule says why
	Dead       Verdict = "dead"       // attempts used up; among the dead letters
	Forgotten  Verdict = "forgotten"  // removed for good, or refused because it was
)

// Entry is the final result of a URL. It is written once.
type Entry struct {
	Verdict  Verdict         `json:"verdict"`
	Rule     string          `json:"rule,omitempty"`
	Change   Change          `json:"change,omitempty"`   // of a document, in a refresh
	Fetched  bool            `json:"fetched"`            // counts as a page of the budget, as a source of links does not
	Rendered bool            `json:"rendered,omitempty"` // a browser showed the page
	Below    bool            `json:"below,omitempty"`    // of a page that was fetched: its link was below the line of the strategy
	Relevant bool            `json:"relevant"`           // enters the history (METHOD A1)
	Round    int             `json:"round,omitempty"`    // of the link
	Enqueued int             `json:"enqueued"`           // links stored in the frontier
	Dropped  int             `json:"dropped"`            // links dropped
	Drops    map[string]int  `json:"drops,omitempty"`    // the same by rule
	Segment  string          `json:"segment,omitempty"`  // WARC file of a kept page, and of a reject that has its record there
	Offset   int64           `json:"offset,omitempty"`   // of a kept page
	Length   int64           `json:"length,omitempty"`
	At       time.Time       `json:"at"`
	Trace    json.RawMessage `json:"trace,omitempty"` // all the parts of why, for explain
}

// KeptAt reports whether the entry says that its page is in the corpus, with
// the record at this place. e may be nil.
func (e *Entry) KeptAt(segment string, offset int64) bool {
	return e != nil && e.Verdict == Kept && e.Segment == segment && e.Offset == offset
}

// Totals are the sums over the entries of a crawl.
type Totals struct {
	Fetched  int64             `json:"fetched"`
	Rendered int64             `json:"rendered"`
	Below    int64             `json:"below"`
	Relevant int64             `json:"relevant"`
	Enqueued int64             `json:"enqueued"`
	Dropped  int64             `json:"dropped"`
	Verdicts map[Verdict]int64 `json:"verdicts"`
	Rules    map[string]int64  `json:"rules"` // entries by rule, of passed, rejected, skipped and dead
	Drops    map[string]int64  `json:"drops"` // dropped links, by rule

	Changes map[Change]int64 `json:"changes,omitempty"` // entries by the result of a refresh; nil without any
}

// Judged returns how many pages were kept or not, and how many were kept. Redirects,
// sitemaps and pages that must not be fetched are in neither.
func (t *Totals) Judged() (pages, kept int64) {
	kept = t.Verdicts[Kept]
	return kept + t.Verdicts[Passed] + t.Verdicts[Rejected] + t.Verdicts[Dead], kept
}

// ErrDone says that the URL has its entry already.
var ErrDone = errors.New("url is done")

// Ledger is the state of URLs. URLs are in canonical form. Reads see all
// earlier writes; conditional writes are atomic across processes. It is safe for
// concurrent use; callers retry by fault class.
//
// URLs have no leases: who may fetch one is decided by the lease of its host
// (hosts.Leases), and of two who did one completes it.
type Ledger interface {
	// States returns a state for each URL, in order. It may miss what was written in
	// the last second or so, also by this process: that costs work, but no write
	// depends on it.
	States(ctx context.Context, crawl string, urls []string) ([]State, error)
	// Ended returns which of the URLs are Done. It misses nothing: a link that is left
	// out for it is lost otherwise, if its URL was revived a moment ago.
	Ended(ctx context.Context, crawl string, urls []string) (map[string]bool, error)
	// MarkQueued moves absent URLs to Queued and skips the others.
	MarkQueued(ctx context.Context, crawl string, urls []string) error
	// Complete writes the entry of each URL, moves the URL to Done and adds the
	// entry to the totals and, where Relevant, to the history: all of it or
	// nothing, URL by URL. It returns for each, in order, nil, or ErrDone where
	// there is an entry already; then nothing is written for that URL. An error
	// says that some may be complete and some not.
	Complete(ctx context.Context, crawl string, ends []End) ([]error, error)
}

// End is the end of a URL.
type End struct {
	URL   string
	Entry *Entry
}

// History is the list of relevant pages (METHOD A1, A10).
type History interface {
	// Sample draws up to n different URLs from the history of crawl, each with
	// the same chance, as nearly as one cheap query allows (see ledgertest's
	// Skew); fewer if it has fewer. Cost is O(n), independent of the history's
	// size. With round > 0 it draws only from entries of earlier rounds, and
	// the draw depends only on rng and those URLs: the caller guarantees that
	// those rounds are over.
	Sample(ctx context.Context, crawl string, round, n int, rng *rand.Rand) ([]string, error)
}

// Reviver takes back ends.
type Reviver interface {
	// Revive moves URLs that ended Dead back to Queued, to be fetched again. It
	// removes their entries and takes these out of the totals. It skips all
	// other URLs, so it may be repeated. After an error some may be revived and
	// some not.
	Revive(ctx context.Context, crawl string, urls []string) error
}

// Accepter makes documents of pages that were passed over.
type Accepter interface {
	// Accept makes the entries of pages that were Passed those of pages that are Kept by a
	// rule, in the totals and the history, too. Their traces stay. It skips all
	// other URLs, so it may be repeated. After an error some may be accepted and some not.
	Accept(ctx context.Context, crawl, rule string, pages []Accepted) error
}

// Accepted is a page that becomes a document.
type Accepted struct {
	URL    string
	Change Change // in a refresh
}

// Accept makes e the entry of a page that was accepted.
func (e *Entry) Accept(rule string, change Change) {
	e.Verdict, e.Rule, e.Change, e.Relevant = Kept, rule, change, true
}

// Accounts reads the totals and entries of a crawl.
type Accounts interface {
	// Totals sums the entries of crawl.
	Totals(ctx context.Context, crawl string) (*Totals, error)
	// Entry returns the entry of a URL, nil if there is none.
	Entry(ctx context.Context, crawl, url string) (*Entry, error)
}

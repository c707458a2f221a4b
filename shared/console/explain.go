package console

import (
	"cmp"
	"encoding/json"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// Explanation has everything that a crawl knows about a URL.
type Explanation struct {
	URL     string `json:"url"`     // canonical form
	Fate    string `json:"fate"`    // a ledger verdict, or dropped, waiting, queued, leased, unknown
	Fetched bool   `json:"fetched"` // a response was received
	Kept    bool   `json:"kept"`
	Dropped bool   `json:"dropped"`
	Rule    string `json:"rule,omitempty"` // that decided it; of a waiting link, the one that closed its host

	Link  *frontier.Link `json:"link,omitempty"` // how it was found, and eq. 5 with its parts
	Trace *step.Trace    `json:"trace,omitempty"`
	Entry *ledger.Entry  `json:"entry,omitempty"`

	Failures   int        `json:"failures,omitempty"` // of a waiting link on one machine: connections to its host that failed in a row
	Cause      string     `json:"cause,omitempty"`    // of the last of these
	DeadReason string     `json:"dead_reason,omitempty"`
	At         *time.Time `json:"at,omitempty"`

	Constants *Constants `json:"constants,omitempty"` // nil: the topic is gone, or can no longer be read
	Robots    *Robots    `json:"robots,omitempty"`    // nil: no longer known
	Past      []Finding  `json:"past,omitempty"`      // of a crawl that was refreshed, newest first
}

// SetEntry fills in the ledger's entry of the URL.
func (x *Explanation) SetEntry(e *ledger.Entry) {
	x.Fate, x.Rule, x.Fetched, x.Kept, x.At = string(e.Verdict), e.Rule, e.Fetched, e.Verdict == ledger.Kept, &e.At
	trace := new(step.Trace)
	if err := json.Unmarshal(e.Trace, trace); err == nil {
		x.Trace, x.Link = trace, &trace.Link
	}
	entry := *e
	entry.Trace = nil // it is beside
	x.Entry = &entry
}

// Constants are those of the topic that decide about pages and links.
type Constants struct {
	Strategy string `json:"strategy"`

	Alpha  float64 `json:"alpha"` // eq. 5
	Beta   float64 `json:"beta"`
	Lambda float64 `json:"lambda"`

	PriorityThreshold    float64 `json:"priority_threshold"`
	DescriptionThreshold float64 `json:"description_threshold"`
	BodyThreshold        float64 `json:"body_threshold"`   // 0: off
	AnchorThreshold      float64 `json:"anchor_threshold"` // 0: off

	// Changes of the threshold of links by a strategy that adapts, the latest last: when a
	// link was judged, it may have been another than now.
	Changes []Change `json:"changes,omitempty"`
}

// Change is one of the threshold of links.
type Change struct {
	Fetched   int64   `json:"fetched"` // pages when it was made
	Rule      string  `json:"rule"`    // raise, raise_more, lower or keep, as in job.Adjustment
	Threshold float64 `json:"threshold"`
}

// ConstantsOf returns the constants of a topic.
func ConstantsOf(t *topic.File) *Constants {
	return &Constants{
		Strategy: cmp.Or(t.Strategy, rank.NameSemantic),
		Alpha:    t.Weights.Alpha, Beta: t.Weights.Beta, Lambda: t.Weights.Lambda,
		PriorityThreshold: t.Thresholds.Priority, DescriptionThreshold: t.Thresholds.Description,
		BodyThreshold: t.Thresholds.Body, AnchorThreshold: t.Thresholds.Anchor,
	}
}

// Adjust notes what a strategy that adapts has made of the threshold of links.
func (c *Constants) Adjust(log []job.Adjustment) {
	for _, a := range log {
		c.PriorityThreshold = a.Threshold
		c.Changes = append(c.Changes, Change{Fetched: a.Fetched, Rule: a.Rule, Threshold: a.Threshold})
	}
}

// Robots has the data of the robots.txt that decides about a URL.
type Robots struct {
	Allowed     bool      `json:"allowed"`
	CrawlDelayS float64   `json:"crawl_delay_s"` // 0: none
	Fetched     time.Time `json:"fetched"`
	Expires     time.Time `json:"expires"`
}

// Finding is how one generation of a crawl found a page.
type Finding struct {
	Generation int            `json:"generation"`
	Verdict    ledger.Verdict `json:"verdict"`
	Rule       string         `json:"rule,omitempty"`
	Change     ledger.Change  `json:"change,omitempty"`
	Version    int            `json:"version,omitempty"` // of the document
	At         time.Time      `json:"at"`
}

// Package console defines status, explanations and controls of a crawl for its
// operator, the same for a folder and for a stack. Its JSON keys are stable.
package console

import (
	"strings"
	"time"

	"sluice/shared/state/job"
)

// Summary sums up a crawl with all its refreshes.
type Summary struct {
	Crawl  string    `json:"crawl"`
	Topic  string    `json:"topic"` // its name; of a stack, its key in the bucket
	State  job.State `json:"state"`
	Reason string    `json:"reason"` // why it is stopped or done

	Created time.Time `json:"created,omitzero"` // of a stack
	Updated time.Time `json:"updated,omitzero"` // of a stack

	MaxPages int        `json:"max_pages"`
	Deadline *time.Time `json:"deadline,omitempty"`
	MaxCost  float64    `json:"max_cost,omitempty"` // dollars; of a stack

	OutageSince time.Time `json:"outage_since,omitzero"` // of a running crawl in a folder, while nothing answers

	Generation   int                     `json:"generation"`    // 1, and one more with each refresh
	Fetched      int64                   `json:"fetched"`       // responses received, of pages
	Kept         int64                   `json:"kept"`          // documents in the corpus that are current
	Rejected     int64                   `json:"rejected"`      // records under rejects/, those off topic included
	Passed       int64                   `json:"passed"`        // rejected as off topic; their links were read
	RefusedLater int64                   `json:"refused_later"` // rejected after the crawl had kept them, when more was known; on a stack those that its second look refused
	Skipped      int64                   `json:"skipped"`       // never fetched
	Redirected   int64                   `json:"redirected"`
	Sources      int64                   `json:"sources"`                    // sitemaps and feeds, read for their links
	Forgotten    int64                   `json:"forgotten"`                  // removed for good, or refused since they were
	DroppedLinks int64                   `json:"dropped_links"`              // links skipped, counted on every page
	Enqueued     int64                   `json:"enqueued"`                   // links followed
	DeadLetters  int64                   `json:"dead_letters"`               // links abandoned, by the last refresh if there was one
	HarvestRate  float64                 `json:"harvest_rate"`               // pages that were kept, also again, by pages fetched
	Barren       *job.Harvest            `json:"barren,omitempty"`           // the pages that brought so few documents that the crawl ended (harvest_rate)
	Saturated    *job.Growth             `json:"saturated,omitempty"`        // the pages that brought so little new that the crawl ended (coverage)
	RefreshOf    string                  `json:"refresh_of,omitempty"`       // of a stack: the crawl that it refreshes
	Refresh      Refreshed               `json:"refresh"`                    // what the last refresh came to
	StopReason   string                  `json:"stop_reason"`                // "" until it has ended
	DurationS    float64                 `json:"duration_s"`                 // of this run; of a stack, since it was created and until its end
	Rules        map[string]int64        `json:"rules"`                      // rejected, skipped and dead URLs by rule
	Drops        map[string]int64        `json:"drops"`                      // dropped links by rule
	Rendered     int64                   `json:"rendered,omitempty"`         // pages that a browser showed
	Records      map[string]int          `json:"records,omitzero"`           // of a structured crawl that has ended, by SITE/LAYER, and what has none, see package records; of a stack, once it has made all of them
	BadSeeds     map[string]job.BadSeeds `json:"bad_seeds,omitempty"`        // of a stack: lines that are no URLs, by the key of the object with seeds
	RecordsLeft  string                  `json:"records_left,omitempty"`     // of a stack: why it leaves the records of a host to an export
	Uncleaned    int                     `json:"uncleaned,omitempty"`        // of a stack: segments that are not in the corpus yet; not counted while it runs, but by Status
	Unjudged     bool                    `json:"unjudged,omitempty"`         // of a stack: its second look is still to be taken
	LookLeft     string                  `json:"second_look_left,omitempty"` // of a stack: why it took none
	CostDollars  float64                 `json:"cost_dollars"`               // so far, at public prices; nothing in a folder

	Out     string `json:"out,omitempty"` // the folder, or the bucket as an S3 URI
	Corpus  string `json:"corpus,omitempty"`
	Rejects string `json:"rejects,omitempty"`
	WARC    string `json:"warc,omitempty"`

	ClosedHosts []ClosedHost `json:"closed_hosts,omitzero"` // hosts that got no further fetch
}

// Cleaning is the state of a crawl of a stack that fetches no more, but whose segments
// are still being cleaned. Then it is done.
const Cleaning job.State = "cleaning"

// Ended reports whether the crawl has ended, or was stopped.
func (s *Summary) Ended() bool { return s.State == job.Stopped || s.State == job.Done }

// Refreshed is the result of a refresh; all 0 in a first crawl.
type Refreshed struct {
	Fetched   int64 `json:"fetched"`   // responses received, of pages; max_pages bounds these
	Unchanged int64 `json:"unchanged"` // pages whose document is unchanged
	Changed   int64 `json:"changed"`   // pages with a new version
	Gone      int64 `json:"gone"`      // pages whose document is no longer current
	New       int64 `json:"new"`       // pages that had no document, or none that was current
	Unreached int64 `json:"unreached"` // pages that could not be fetched; their documents stay current
}

// ClosedHost is a host that was ended before its links were, and why.
type ClosedHost struct {
	Crawl string `json:"crawl,omitempty"` // of a redrive on a stack
	Host  string `json:"host"`
	Rule  string `json:"rule"`
	Links int    `json:"links_left"` // 0 in the status of a stack, which does not count them
}

// Status is the state of a crawl.
type Status struct {
	Stack string `json:"stack,omitempty"` // "" for a folder
	Summary
	Waiting    int        `json:"waiting"` // links in the backlog; on a stack the first 1,000 of each host are counted
	Queued     int        `json:"queued"`  // links in tasks
	HostCounts HostCounts `json:"host_counts"`
	Hosts      []Host     `json:"hosts"`            // those with most fetches; on a stack, with most links queued and waiting
	Queues     []Queue    `json:"queues,omitzero"`  // of a stack, of all crawls together
	Health     *Health    `json:"health,omitempty"` // of a stack; not read while it is watched

	Adjustments []job.Adjustment `json:"adjustments,omitempty"` // of the strategy adaptive, the latest last
	SecondLook  *SecondLook      `json:"second_look,omitempty"` // of a crawl that has ended; nil if it had too few pages
}

// SecondLook is what judging all pages again came to.
type SecondLook = job.SecondLook

// HostCounts counts the hosts of a crawl.
type HostCounts struct {
	Active int `json:"active"` // with links queued
	Idle   int `json:"idle"`
	Closed int `json:"closed"` // by a rule: they get no further fetch
}

// Host is the state of one host.
type Host struct {
	Host    string `json:"host"`
	Fetched *int   `json:"fetched,omitempty"` // pages; not counted on a stack
	Queued  int    `json:"queued"`
	Waiting int    `json:"waiting"`
	Closed  string `json:"closed,omitempty"` // the rule; a stack lists only open hosts here
}

// Queue is the number of messages in a queue, according to SQS, which may lag
// by a minute.
type Queue struct {
	Name     string `json:"queue"` // frontier_high … clean_dead
	Waiting  int    `json:"waiting"`
	InFlight int    `json:"in_flight"`
	Delayed  int    `json:"delayed"`
}

// Messages returns all of them.
func (q *Queue) Messages() int { return q.Waiting + q.InFlight + q.Delayed }

// DeadSuffix ends the names of queues of dead letters.
const DeadSuffix = "_dead"

// Dead reports whether its messages are dead letters.
func (q *Queue) Dead() bool { return strings.HasSuffix(q.Name, DeadSuffix) }

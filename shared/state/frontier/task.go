// Package frontier holds links waiting to be fetched: links, host tasks, the
// queue that carries the tasks and the backlog that feeds the queue.
//
// METHOD A1 calls the backlog the task database, the feeder the task
// generator and the queue the task queue.
package frontier

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sluice/shared/rank"
	"sluice/shared/web/urlnorm"
)

// Limits of one task: well below the 256 KB of a queue message.
const (
	MaxLinks     = 25
	MaxTaskBytes = 200 << 10
	maxCrawl     = 128     // bytes of a crawl's id
	maxID        = 1 << 10 // bytes of ID and Part
	taskVersion  = 1

	// SeedPriority puts seeds before every link of a page.
	SeedPriority = 1e6
)

// Link is one URL to be fetched, with everything known about how it was found.
type Link struct {
	URL      string `json:"url"`              // canonical form (urlnorm)
	Origin   string `json:"origin,omitempty"` // first URL of the redirects that led here
	Seed     string `json:"seed,omitempty"`   // the seed it descends from
	Parent   string `json:"parent,omitempty"`
	Anchor   string `json:"anchor,omitempty"`
	Listed   string `json:"listed,omitempty"` // the date beside a link to it in a list or feed: 2024-05-01
	IsSeed   bool   `json:"is_seed,omitempty"`
	IsSource bool   `json:"is_source,omitempty"` // a sitemap or feed: a source of links
	Nested   int    `json:"nested,omitempty"`    // sources in a row that led here
	Depth    int    `json:"depth,omitempty"`     // links followed from the seed
	Round    int    `json:"round,omitempty"`     // see Backlog; 0 unless the crawl is reproducible
	Hops     int    `json:"hops,omitempty"`      // redirects followed to get here
	Attempts int    `json:"attempts,omitempty"`  // fetches that ended in a retryable error

	// Its place among waiting links (rank.Order). In A's strategy Priority is
	// eq. 5 (METHOD A11), Parts are its terms, and there is no Tie.
	Priority float64 `json:"priority"`
	Tie      float64 `json:"tie,omitempty"`
	Parts    Parts   `json:"parts"`

	Value float64 `json:"value,omitempty"` // inherited by the links of its page (rank.Judgement)
}

// First is the URL that was requested first, before all redirects.
func (l *Link) First() string {
	if l.Origin != "" {
		return l.Origin
	}
	return l.URL
}

// Order returns the place of l among the waiting.
func (l *Link) Order() rank.Order { return rank.Order{Priority: l.Priority, Tie: l.Tie} }

// Better reports whether l is the better of two links with one URL (see
// Backlog).
func (l *Link) Better(than *Link) bool {
	return cmp.Or(cmp.Compare(l.Round, than.Round), l.Order().Compare(than.Order()), cmp.Compare(l.Parent, than.Parent)) < 0
}

// BestFirst compares links by their order, then by URL.
func BestFirst(a, b Link) int {
	return cmp.Or(a.Order().Compare(b.Order()), cmp.Compare(a.URL, b.URL))
}

// URLs returns the URLs of links, in order.
func URLs(links []Link) []string {
	urls := make([]string, len(links))
	for i := range links {
		urls[i] = links[i].URL
	}
	return urls
}

// Parts are the three terms of eq. 5 before their weights: relevance of the
// parent's description, relevance of the anchor, structure vote.
type Parts struct {
	Description float64 `json:"description"`
	Anchor      float64 `json:"anchor"`
	Structure   float64 `json:"structure"` // 0 or 1

	Like float64 `json:"like,omitempty"` // the share of pages like it that were kept, if the strategy learns (rank.Judgement)
}

// Task is one queue message: links of one host, and its history so far.
type Task struct {
	V             int       `json:"v"`
	ID            string    `json:"id"` // kept by the rest of a task
	Crawl         string    `json:"crawl"`
	Host          string    `json:"host"` // without its port: politeness is owed to the machine
	Links         []Link    `json:"links"`
	Bounces       int       `json:"bounces,omitempty"` // times sent back because the host was busy
	Hops          int       `json:"hops,omitempty"`    // times that it, or its rest, was sent again
	Part          string    `json:"part,omitempty"`    // identifies a part split off a task
	Render        bool      `json:"render,omitempty"`  // for a worker with a browser
	Held          bool      `json:"held,omitempty"`    // only its mark says that its links are known
	Parks         []string  `json:"-"`                 // marks whose links it has taken along
	FirstEnqueued time.Time `json:"first_enqueued"`
	Sent          time.Time `json:"sent,omitzero"`       // when it, or its rest, was last sent
	NotBefore     time.Time `json:"not_before,omitzero"` // for a delay longer than its queue allows; zero in deliveries
}

// Mark is the record of the task in progress, due at a time.
func (t *Task) Mark(due time.Time) Mark {
	m := Mark{Crawl: t.Crawl, Host: t.Host, ID: t.ID + t.Part, Hops: t.Hops, Links: len(t.Links), Due: due, Parks: t.Parks}
	if t.Held {
		m.Held = t.Links
	}
	return m
}

// Hold has the mark of a new task hold its links, if these are few: no other record is
// needed that says that they are known.
func (t *Task) Hold() {
	b, err := json.Marshal(t.Links)
	t.Held = err == nil && len(b) <= heldBytes
}

// heldBytes is the largest size of a task's links, as JSON, that its mark holds: packed
// they take about a third.
const heldBytes = 2 << 10

// fitBytes is the largest size of a new task's links as JSON: attempts and an
// escape or two are added later.
const fitBytes = MaxTaskBytes * 3 / 4

// NewTask returns a task of links of a host that is to be sent now.
func NewTask(crawl, host string, links []Link, now time.Time) *Task {
	return &Task{ID: uuid.NewString(), Crawl: crawl, Host: host, Links: links, FirstEnqueued: now.UTC(), Sent: now.UTC()}
}

// Fit returns how many of links, from the first, go into one task: at most
// MaxLinks, fewer if their URLs are long, and at least one.
func Fit(links []Link) int {
	size := 0
	for i := range links[:min(len(links), MaxLinks)] {
		b, err := json.Marshal(&links[i])
		if size += len(b) + 1; i > 0 && (err != nil || size > fitBytes) {
			return i
		}
	}
	return min(len(links), MaxLinks)
}

// ErrBadTask says that a message is not a task. Retrying does not help.
var ErrBadTask = errors.New("bad task message")

// Encode returns the message body, or an error when it would be too large.
func (t *Task) Encode() ([]byte, error) {
	c := *t
	c.V = taskVersion
	b, err := json.Marshal(&c)
	if err != nil {
		return nil, fmt.Errorf("encode task %s: %w", t.ID, err)
	}
	if len(b) > MaxTaskBytes {
		return nil, fmt.Errorf("encode task %s: %d bytes, at most %d", t.ID, len(b), MaxTaskBytes)
	}
	return b, nil
}

// Best returns the order of the best link, or the zero Order if that is better.
func (t *Task) Best() rank.Order {
	var best rank.Order
	for i := range t.Links {
		if o := t.Links[i].Order(); o.Compare(best) < 0 {
			best = o
		}
	}
	return best
}

// DecodeTask reads a message body. A bare URL is a task with one seed and
// without a crawl id, which the caller handles. Errors wrap ErrBadTask.
func DecodeTask(body []byte) (*Task, error) {
	if len(body) > MaxTaskBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrBadTask, len(body), MaxTaskBytes)
	}
	if !utf8.Valid(body) {
		return nil, fmt.Errorf("%w: not UTF-8", ErrBadTask)
	}
	if len(body) == 0 || body[0] != '{' {
		u, err := urlnorm.Parse(string(body))
		if err != nil {
			return nil, fmt.Errorf("%w: neither JSON nor a URL: %w", ErrBadTask, err)
		}
		s := u.String()
		return &Task{V: taskVersion, Host: u.Host(), Links: []Link{{URL: s, Seed: s, IsSeed: true}}}, nil
	}
	t := new(Task)
	if err := json.Unmarshal(body, t); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadTask, err)
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadTask, err)
	}
	return t, nil
}

// check refuses tasks that no writer of ours produces: another version, ids
// that are invalid as keys, links of another host, too many links, URLs that
// are not canonical.
func (t *Task) check() error {
	switch {
	case t.V != taskVersion:
		return fmt.Errorf("version %d, want %d", t.V, taskVersion)
	case len(t.Crawl) > maxCrawl:
		return fmt.Errorf("crawl of %d bytes, at most %d", len(t.Crawl), maxCrawl)
	case len(t.ID)+len(t.Part) > maxID:
		return fmt.Errorf("id and part of %d bytes, at most %d", len(t.ID)+len(t.Part), maxID)
	case len(t.Links) == 0:
		return errors.New("no links")
	case len(t.Links) > MaxLinks:
		return fmt.Errorf("%d links, at most %d", len(t.Links), MaxLinks)
	}
	for _, l := range t.Links {
		u, err := urlnorm.Parse(l.URL)
		if err != nil {
			return err
		}
		if u.String() != l.URL {
			return fmt.Errorf("link %q is not in canonical form (%s)", l.URL, u)
		}
		if u.Host() != t.Host {
			return fmt.Errorf("link %q is not of host %q", l.URL, t.Host)
		}
	}
	return nil
}

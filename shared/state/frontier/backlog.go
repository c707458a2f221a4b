package frontier

import (
	"context"

	"sluice/shared/rank"
)

// Backlog is the task database (METHOD A1): every link that waits to be
// queued, by crawl and host, best first. It is safe for concurrent use.
//
// A reproducible crawl goes in rounds: links found in round r wait for round
// r+1, which starts when r is over, so that decisions in a round depend on the
// rounds before it and not on timing.
type Backlog interface {
	// Add puts links under their hosts. It is idempotent by URL: of two links
	// with one URL it keeps the better (lower round, better rank.Order, then
	// smaller parent), in any order of arrival.
	Add(ctx context.Context, crawl string, links []Link) error
	// Best returns up to n waiting links of the host with Round <= round,
	// in the order of BestFirst. They keep waiting. A closed host has none.
	Best(ctx context.Context, crawl, host string, round, n int) ([]Link, error)
	// Remove removes links, once they are safely queued. Absent URLs are not an
	// error.
	Remove(ctx context.Context, crawl, host string, urls []string) error
	// Close closes a host for this crawl: its links, present and future, are
	// kept, but Best and Waiting no longer return them. The first rule is kept.
	Close(ctx context.Context, crawl, host, rule string) error
}

// AnyRound is later than every round.
const AnyRound = 1 << 30

// Directory lists hosts of a backlog that have something to offer.
type Directory interface {
	// Waiting returns up to n hosts of crawl, not closed, that have links with
	// Round <= round, by their best rank.Order, then by name, after skipping skip.
	Waiting(ctx context.Context, crawl string, round, skip, n int) ([]HostDepth, error)
}

// HostDepth is how much waits for a host.
type HostDepth struct {
	Host  string
	Links int     // links waiting
	Best  float64 // the highest priority among them
	Tie   float64 // the highest tie of that priority
}

// Order returns the order of the host's best link.
func (h HostDepth) Order() rank.Order { return rank.Order{Priority: h.Best, Tie: h.Tie} }

// Manner is how a Backlog takes links.
type Manner int

// The manners.
const (
	Adding     Manner = iota // new ones, and better ones
	Raising                  // better ones
	Reordering               // waiting ones, better or worse, of the same parent
)

// Raiser is a Backlog that can change the order of links that still wait.
type Raiser interface {
	// Raise replaces waiting links by better ones of the same URL, as Add
	// would, and ignores links that do not wait.
	Raise(ctx context.Context, crawl string, links []Link) error
	// Reorder replaces waiting links by others of the same URL and parent, better or
	// worse, and ignores links that do not wait: a better one of another parent may
	// have been added since they were read.
	Reorder(ctx context.Context, crawl string, links []Link) error
}

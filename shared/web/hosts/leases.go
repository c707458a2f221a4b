// Package hosts keeps the crawler polite: one lease for each host, shared by
// all workers and crawls, with the time of its next fetch, its robots.txt and
// similar files, and each crawl's state of the host.
package hosts

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// Lease is the right to fetch from a host.
type Lease struct {
	Host  string
	Owner string
	Next  time.Time // no fetch may start before; zero: at once
	State State     // of this crawl
}

// State is a crawl's data of a host, held under the lease.
type State struct {
	Pages     int            `json:"pages"`               // fetches so far, for the budget per host
	Overrides map[string]int `json:"overrides,omitempty"` // of Pages those that an override bounds, by the hash of its entry
	Failures  int            `json:"failures,omitempty"`  // connections that failed, in a row
	Cause     string         `json:"cause,omitempty"`     // of the last of them
	Failed    uint32         `json:"failed,omitempty"`    // hash of the URL of all of them; 0: of several
	Answered  bool           `json:"answered,omitempty"`  // one page at least
	OutSince  int64          `json:"out_since,omitempty"` // Unix time since which no host answers; 0: some do
	Digests   map[string]int `json:"digests,omitempty"`   // page digest → pages seen with it
	Sitemaps  bool           `json:"sitemaps,omitempty"`  // robots.txt's sitemaps were taken up
	Feeds     int            `json:"feeds,omitempty"`     // feeds that its pages named and that were taken up
	Sources   int            `json:"sources,omitempty"`   // fetches of sitemaps and feeds so far

	// Layers counts the pages that were found static and dynamic, by layer (see
	// step.Rendering).
	Layers map[string][2]int `json:"layers,omitempty"`

	// Lists are the latest lists of a structured crawl (see step.walk).
	Lists []List `json:"lists,omitempty"`

	Asked bool `json:"asked,omitempty"` // a structured crawl has asked for its analysis

	// Learned counts the pages that were read and kept, by group of the host (see
	// rank.HostCounts).
	Learned map[string][2]int `json:"learned,omitempty"`
}

// Fail notes that a connection for a URL, by its hash, failed, and why.
func (s *State) Fail(url uint32, cause string) {
	switch {
	case s.Failures == 0:
		s.Failed = url
	case s.Failed != url:
		s.Failed = 0
	}
	s.Failures++
	s.Cause, s.OutSince = cause, 0
}

// Forgive forgets that the host, or every host, did not answer.
func (s *State) Forgive() { s.Failures, s.Cause, s.Failed, s.OutSince = 0, "", 0, 0 }

// List is a list that a structured crawl has read.
type List struct {
	Page    uint32 `json:"page"`    // hash of its URL
	Records uint32 `json:"records"` // hash of where its records lead
	Path    string `json:"path"`    // XPath of its records
}

// BusyError says that another owner holds the host.
type BusyError struct {
	Host  string
	Until time.Time // when its lease ends, at the latest
}

// Error implements error.
func (e *BusyError) Error() string {
	return fmt.Sprintf("host %s is leased until %s", e.Host, e.Until.Format(time.RFC3339Nano))
}

// Leases gives every host to one owner at a time, for all crawls. It is safe
// for concurrent use; conditional writes are atomic across processes.
type Leases interface {
	// Acquire leases host to owner for ttl, or returns a *BusyError while
	// another owner's lease is running. The owner may acquire again, which
	// moves the end. If a lease ended without Release, its holder may have died
	// during a fetch: Next is then no earlier than the lease's start plus its
	// ttl.
	Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (*Lease, error)
	// Release stores Next (for all crawls) and State (for this one) and frees
	// the host, if l.Owner holds it or was the last holder: an expired lease
	// that no other owner has taken is released like any other. Otherwise, and
	// if the lease was already released, it does nothing.
	Release(ctx context.Context, crawl string, l *Lease) error
}

// Alone calls f while it holds the lease of a name that is no host's, and returns a
// *BusyError while another does. That the lease is not released is logged: it ends by
// itself.
func Alone(ctx context.Context, l Leases, crawl, name string, ttl time.Duration, log *slog.Logger, f func() error) error {
	lease, err := l.Acquire(ctx, crawl, name, uuid.NewString(), ttl)
	if err != nil {
		return err
	}
	err = f()
	// Not with a context that may have ended: the next call need not wait.
	if rerr := l.Release(context.WithoutCancel(ctx), crawl, lease); rerr != nil {
		log.WarnContext(ctx, "lease is not released", "crawl", crawl, "lease", name, "err", rerr)
	}
	return err
}

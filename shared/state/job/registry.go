package job

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/fault"
)

// Errors of a Registry.
var (
	ErrExists  = errors.New("the crawl exists already")
	ErrUnknown = errors.New("no such crawl")
	ErrContest = errors.New("too many changes at once") // try again
)

// Registry has the crawls of a stack. It is safe for concurrent use; a change
// is atomic across processes, and every later read sees it. Jobs are passed and
// returned as copies.
type Registry interface {
	// Create stores a new crawl, sets its Revision and Updated, and refuses an
	// invalid one. If the ID exists, it returns ErrExists and changes nothing.
	Create(ctx context.Context, j *Job) error
	// Get returns a crawl, or ErrUnknown.
	Get(ctx context.Context, id string) (*Job, error)
	// List returns all crawls, by ID.
	List(ctx context.Context) ([]*Job, error)
	// Update changes a crawl and returns the result, or ErrUnknown. If change
	// returns an error, Update returns that and writes nothing; nor does it
	// write a Job that is invalid or has another ID. If another update comes
	// first, change runs again on a fresh copy, so it must have no side
	// effects; after too many such conflicts the error is ErrContest. With any
	// other error the change may have been written.
	Update(ctx context.Context, id string, change func(*Job) error) (*Job, error)
}

// Asked returns the crawl that a message names; what says what the message asks for. The
// fault of a crawl that is not there is Poison.
func Asked(ctx context.Context, r Registry, id, what string) (*Job, error) {
	j, err := r.Get(ctx, id)
	switch {
	case errors.Is(err, ErrUnknown):
		return nil, fault.New(fault.Poison, "unknown_crawl", fmt.Errorf("%s crawl %q: %w", what, id, err))
	case err != nil:
		return nil, fmt.Errorf("read crawl %s: %w", id, err)
	}
	return j, nil
}

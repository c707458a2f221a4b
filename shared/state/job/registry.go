package job

import (
	"context"
	"errors"
)

// Errors of a Registry.
var (
	ErrExists  = errors.New("the crawl exists already")
	ErrUnknown = errors.New("no such crawl")
	ErrContest = errors.New("too many changes at once") // try again
)

// Registry knows the crawls of a stack. It is safe for concurrent use; a change
// is atomic for all processes and seen by whatever is asked after it. Jobs that
// go in and come out are the caller's own copies.
type Registry interface {
	// Create stores a new crawl, sets its Revision and Updated, and refuses one
	// that is not valid. Of several with one ID the first stays and the others
	// get ErrExists.
	Create(ctx context.Context, j *Job) error
	// Get returns a crawl, or ErrUnknown.
	Get(ctx context.Context, id string) (*Job, error)
	// List returns all crawls, by ID.
	List(ctx context.Context) ([]*Job, error)
	// Update changes a crawl and returns it as it is then, or ErrUnknown. An
	// error of change is returned as it is, and nothing is written; nor is
	// where change leaves a Job that is not valid or has another ID. change
	// runs again on a fresh copy where another update came first, so it must
	// have no other effects; where that happens too often the error is
	// ErrContest. Any other error may be that of a change which was written.
	Update(ctx context.Context, id string, change func(*Job) error) (*Job, error)
}

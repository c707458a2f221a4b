package boilerplate

import "context"

// Store keeps the sketches of crawls.
//
// Pages come at least once, in any order, from any number of processes at a
// time. What they leave is the sketch of the set of pages whose Update has
// returned, and perhaps of others whose Update has failed: a caller that tries
// again does no harm. Crawls know nothing of each other, and neither do hosts.
//
// Errors have their fault class; a sketch that cannot be read is Permanent. All
// methods may be called concurrently.
type Store interface {
	// Update adds pages of a host and returns what its pages show then, theirs
	// included. What other processes have added since may be missing from it.
	// Pages that leave the sketch as it is cost no write.
	Update(ctx context.Context, crawl, host string, pages []Page) (*Learned, error)

	// Sketch returns the sketch of a host, as it is at the time of the call;
	// that of a host without pages is empty. It is the caller's.
	Sketch(ctx context.Context, crawl, host string) (*Sketch, error)
}

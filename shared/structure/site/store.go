package site

import "context"

// Store keeps what is known of sites, for all crawls. It is safe for concurrent use.
type Store interface {
	// Site returns what is known of a host. The error is ErrUnknown where that is
	// nothing.
	Site(ctx context.Context, host string) (*Site, error)

	// Update joins what an analysis has found with what is known, as the function of
	// that name does, and returns the result. Of updates at one time none is lost.
	Update(ctx context.Context, found *Site) (*Site, error)
}

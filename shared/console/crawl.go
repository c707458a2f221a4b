package console

import (
	"context"
	"time"

	"sluice/shared/state/job"
)

// Viewer looks at one crawl. Nothing that it does changes the crawl.
type Viewer interface {
	// Look returns the status without what takes long to count.
	Look(ctx context.Context) (*Status, error)
	Status(ctx context.Context) (*Status, error)
	// Explain returns what happened to a URL in any of its spellings.
	Explain(ctx context.Context, url string) (*Explanation, error)
}

// Controls steer one crawl. What the state of the crawl does not allow is an
// error that wraps a *job.StateError.
type Controls interface {
	// Pause lets a running crawl wait.
	Pause(ctx context.Context) (*Control, error)
	// Resume lets a paused crawl continue.
	Resume(ctx context.Context) (*Control, error)
	// Stop ends a running or paused crawl early, with its state kept, for a
	// reason of the user's; "" for none.
	Stop(ctx context.Context, reason string) (*Control, error)
}

// Redriver sends dead letters back to where they came from, so that what was
// abandoned is done again, and tells why letters that are not valid stay. Or it
// deletes letters, for good.
type Redriver interface {
	Redrive(ctx context.Context, opts RedriveOptions) (*Redriven, error)
}

// Control is the state of a crawl after it was steered.
type Control struct {
	Stack    string     `json:"stack,omitempty"` // "" for a folder
	Out      string     `json:"out,omitempty"`   // of a folder
	Crawl    string     `json:"crawl"`
	State    job.State  `json:"state"`
	Reason   string     `json:"reason"`
	MaxPages int        `json:"max_pages"`
	Deadline *time.Time `json:"deadline,omitempty"`
	MaxCost  float64    `json:"max_cost,omitempty"`
}

package console

import (
	"context"
	"time"

	"sluice/shared/state/job"
)

// Viewer shows one crawl, without changing it.
type Viewer interface {
	// Look returns the status without counts that take long.
	Look(ctx context.Context) (*Status, error)
	Status(ctx context.Context) (*Status, error)
	// Explain returns what happened to a URL in any spelling.
	Explain(ctx context.Context, url string) (*Explanation, error)
}

// Controls control one crawl. If the state of the crawl does not allow an
// operation, the error wraps a *job.StateError.
type Controls interface {
	// Pause lets a running crawl wait.
	Pause(ctx context.Context) (*Control, error)
	// Resume lets a paused crawl continue.
	Resume(ctx context.Context) (*Control, error)
	// Stop ends a running or paused crawl early and keeps its state. The reason
	// is the user's and may be empty.
	Stop(ctx context.Context, reason string) (*Control, error)
}

// Redriver sends dead letters back to their queues, so that abandoned work is
// repeated, and reports why invalid letters stay. Or it deletes letters for
// good.
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

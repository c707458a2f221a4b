package forget

import (
	"context"
	"io"
	"time"
)

// Place has the records of a crawl: a folder, or a crawl of a stack. Nothing else
// may change it during Run.
type Place interface {
	Files
	State
	Journal
}

// Files are the files of a place. Names have slashes.
type Files interface {
	// List returns their names.
	List(ctx context.Context) (*Listing, error)

	// Open opens a file, and may be called concurrently.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)

	// Replace replaces a file by the output of write, or changes nothing.
	Replace(ctx context.Context, name string, write func(w io.Writer) error) error
}

// Listing is the files of a place, by name.
type Listing struct {
	Corpus, Rejects, Archives []string

	Uncleaned []string // archives that have neither documents nor rejects yet
	Open      bool     // the last line of a file may be incomplete: a crawl will continue it
	AtOnce    int      // how many files to open at a time; 0: one
}

// State is the knowledge of a place about pages besides its files.
type State interface {
	// Meet learns from the ledger which URLs are of one page, and reports whether
	// the set has grown.
	Meet(ctx context.Context, s *Set) (grown bool, err error)

	// Survey counts in the set what goes besides the records in files, and adds the
	// exports that may hold some of it to the plan. It changes nothing.
	Survey(ctx context.Context, p *Plan) error

	// Effects returns what to do before the files are replaced, and after. The first
	// one refuses the pages from then on. Each may be repeated.
	Effects(p *Plan) (before, after []Effect)
}

// Effect is a step of Run that changes something.
type Effect struct {
	Name string
	Do   func(ctx context.Context) error
}

// Refusal is the error of an effect that has changed nothing, and will not. If it
// is that of the first effect, the call leaves no note.
type Refusal struct{ Cause error }

// Error returns the cause.
func (r Refusal) Error() string { return r.Cause.Error() }

// Unwrap returns the cause.
func (r Refusal) Unwrap() error { return r.Cause }

// Journal records calls.
type Journal interface {
	// Note returns the note of a call that was interrupted, nil if there is none.
	Note(ctx context.Context) ([]byte, error)

	// SetNote replaces the note atomically; nil removes it.
	SetNote(ctx context.Context, note []byte) error

	// Mark returns the place in the log for the lines of a call that begins now: later
	// places are greater.
	Mark(ctx context.Context) (int64, error)

	// Log writes lines at a place in the log, and replaces those that are there.
	Log(ctx context.Context, mark int64, lines []byte) error
}

// Options change how Run works.
type Options struct {
	DryRun bool
	// Progress, unless nil, is called after each file that was read. Calls do not
	// overlap.
	Progress func(done, all int)
	// Now is time.Now by default.
	Now func() time.Time
	// Effect, unless nil, is called before each effect; an error ends Run like a
	// crash.
	Effect func(name string) error
}

// Plan is what goes from a place.
type Plan struct {
	*Outcome
	Set   *Set
	At    time.Time
	Crawl string // named in the log; Survey sets it where a place has several
}

// Outcome is what was removed from a place, or would be; the keys are stable.
type Outcome struct {
	Targets []Done   `json:"targets"`
	Files   []string `json:"files"`            // that were replaced
	Exports []string `json:"exports,omitzero"` // that were removed, since they held what was forgotten; nil: the place has no exports
	Damaged []string `json:"damaged"`          // places that cannot be read, and may hold what should go
}

// Done is what went for a target.
type Done struct {
	Target string `json:"target"` // as it was named
	Tally
}

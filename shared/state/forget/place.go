package forget

import (
	"context"
	"io"
	"time"
)

// Place is where the records of a crawl are kept: a folder, or a crawl of a
// stack. Nobody else may change it while Run works on it.
type Place interface {
	Files
	State
	Journal
}

// Files are the files of a place. A name is that of one file, in slashes.
type Files interface {
	// List returns what there is.
	List(ctx context.Context) (*Listing, error)

	// Open opens a file, and may be called concurrently.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)

	// Replace replaces a file by what write writes, or changes nothing.
	Replace(ctx context.Context, name string, write func(w io.Writer) error) error
}

// Listing is the files of a place, by name.
type Listing struct {
	Corpus, Rejects, Archives []string

	Uncleaned []string // archives of which there are neither documents nor rejects yet
	Open      bool     // the last line of a file may be half, since a crawl goes on with it
	AtOnce    int      // how many files to open at a time; 0: one
}

// State is what a place knows of pages besides its files.
type State interface {
	// Meet takes in what the ledger says of the URLs of pages, and reports whether
	// the set has grown.
	Meet(ctx context.Context, s *Set) (grown bool, err error)

	// Survey counts in the set what goes besides the records in files, and notes in
	// the plan the exports that may hold what goes. It changes nothing.
	Survey(ctx context.Context, p *Plan) error

	// Effects returns what to do before the files are replaced, and after. The first
	// one has the pages refused from then on; what shows which pages are to go is
	// changed last. Each may be repeated.
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

// Journal keeps account of calls.
type Journal interface {
	// Note returns what a call has noted that was broken off, nil if none was.
	Note(ctx context.Context) ([]byte, error)

	// SetNote replaces that, as a whole; nil removes it.
	SetNote(ctx context.Context, note []byte) error

	// Mark returns the place in the log where the lines of a call go that begins now:
	// a later one is greater.
	Mark(ctx context.Context) (int64, error)

	// Log writes lines at a place in the log; what a call has written there before is
	// replaced.
	Log(ctx context.Context, mark int64, lines []byte) error
}

// Options change how Run works.
type Options struct {
	DryRun bool
	// Progress, unless nil, is called as files are read, with how many of all. Calls
	// do not overlap.
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

// Outcome is what went from a place, or would; the keys are stable.
type Outcome struct {
	Targets []Done   `json:"targets"`
	Files   []string `json:"files"`            // that were replaced
	Exports []string `json:"exports,omitzero"` // that were removed, since they held what was forgotten; nil: the place has no exports
	Damaged []string `json:"damaged"`          // places that cannot be read, and may hold what was to go
}

// Done is what went for a target.
type Done struct {
	Target string `json:"target"` // as it was named
	Tally
}

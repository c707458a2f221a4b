package limits

import (
	"fmt"
	"time"
)

// Which known pages a refresh fetches again.
const (
	RevisitAll     = "all"     // each that may have changed or may have new links
	RevisitSources = "sources" // sitemaps and feeds
)

// Revisits says which known pages a refresh fetches again; the zero value is
// RevisitAll.
type Revisits struct {
	Revisit string    `json:"revisit,omitempty"`
	Since   time.Time `json:"revisit_since,omitzero"` // pages fetched since are left as they are, seeds, sitemaps and feeds are not; zero: none is left
}

// RevisitsFrom returns the pages that a refresh which begins now fetches again: those
// that were fetched longer ago than an age, if that is not 0.
func RevisitsFrom(revisit string, olderThan time.Duration, now time.Time) Revisits {
	r := Revisits{Revisit: revisit}
	if olderThan > 0 {
		r.Since = now.Add(-olderThan)
	}
	return r
}

// Bounded reports whether some known pages are left as they are.
func (r *Revisits) Bounded() bool { return r.Revisit == RevisitSources || !r.Since.IsZero() }

// Leaves reports whether a known page is left as it is, that was fetched at a time.
func (r *Revisits) Leaves(at time.Time, isSeed, isSource bool) bool {
	switch {
	case isSource:
		return false
	case r.Revisit == RevisitSources:
		return true
	}
	return !isSeed && !r.Since.IsZero() && at.After(r.Since)
}

// CheckRevisits reports what is wrong with settings of a refresh; older and which are
// their names.
func CheckRevisits(revisit string, olderThan time.Duration, older, which string) error {
	switch {
	case revisit != "" && revisit != RevisitAll && revisit != RevisitSources:
		return fmt.Errorf("%s is %q: use %s or %s", which, revisit, RevisitAll, RevisitSources)
	case olderThan < 0:
		return fmt.Errorf("%s is %v: it must not be negative", older, olderThan)
	case olderThan > MaxDuration:
		return fmt.Errorf("%s is %v: it must be at most %v", older, olderThan, MaxDuration)
	case revisit == RevisitSources && olderThan > 0:
		return fmt.Errorf("%s is for pages, and %s %s fetches none again: leave one out", older, which, revisit)
	}
	return nil
}

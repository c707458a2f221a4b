package ledger

import "time"

// Forget returns the entry that replaces e when its page is forgotten. It has
// no other data, and the page no longer counts anywhere.
func (e *Entry) Forget(at time.Time) *Entry {
	return &Entry{Verdict: Forgotten, Round: e.Round, At: at.UTC()}
}

package ledger

import "time"

// Forget returns the entry that takes the place of e when its page is forgotten.
// It says that and nothing else: the page counts nowhere any more.
func (e *Entry) Forget(at time.Time) *Entry {
	return &Entry{Verdict: Forgotten, Round: e.Round, At: at.UTC()}
}

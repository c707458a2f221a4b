package opscmd

import (
	"bytes"
	"fmt"
	"time"

	"sluice/shared/console"
	"sluice/shared/state/ledger"
)

// printPast says how each generation of a crawl found a page.
func printPast(w *bytes.Buffer, past []console.Finding) {
	if since, ok := goneSince(past); ok {
		field(w, "gone since", "%s", since.Format(timeLayout))
	}
	for i, p := range past {
		name := ""
		if i == 0 {
			name = "history"
		}
		when := "first crawl"
		if p.Generation > 1 {
			when = fmt.Sprintf("refresh %d", p.Generation-1)
		}
		field(w, name, "%s, %s: %s", when, p.At.Format(timeLayout), found(p))
	}
}

// timeLayout is how times are shown.
const timeLayout = "2006-01-02 15:04:05 MST"

// found says how a page was found.
func found(p console.Finding) string {
	what := string(p.Verdict)
	if p.Change != "" {
		what = string(p.Change)
	}
	if p.Version > 0 {
		what += fmt.Sprintf(", version %d", p.Version)
	}
	if p.Rule != "" {
		what += ", by " + p.Rule
	}
	return what
}

// goneSince returns since when a document is no longer current. A page that could
// not be fetched does not tell.
func goneSince(past []console.Finding) (time.Time, bool) {
	for _, p := range past {
		switch {
		case p.Change == ledger.Gone:
			return p.At, true
		case p.Verdict == ledger.Kept:
			return time.Time{}, false
		}
	}
	return time.Time{}, false
}

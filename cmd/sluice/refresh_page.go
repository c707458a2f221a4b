package main

import (
	"bytes"
	"fmt"
	"text/tabwriter"
	"time"

	"sluice/shared/local"
	"sluice/shared/state/ledger"
)

// printRefreshed prints what a refresh came to; nothing of a first crawl.
func printRefreshed(w *bytes.Buffer, s *local.Summary) {
	if s.Generation < 2 {
		return
	}
	fmt.Fprintf(w, "\nrefresh %d of the crawl found\n", s.Generation-1)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		name string
		n    int64
		note string
	}{
		{"unchanged", s.Refresh.Unchanged, "documents stand as they are"},
		{"changed", s.Refresh.Changed, "have a new version beside the old"},
		{"gone", s.Refresh.Gone, "are current no more; rejects/ says which"},
		{"new", s.Refresh.New, "are documents for the first time"},
		{"unreached", s.Refresh.Unreached, "could not be had, and stay as they were"},
	} {
		fmt.Fprintf(t, "%s\t%d\t  %s\n", row.name, row.n, row.note)
	}
	_ = t.Flush() // to memory
}

// printPast says how each generation of a crawl found a page.
func printPast(w *bytes.Buffer, past []local.Finding) {
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
func found(p local.Finding) string {
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

// goneSince returns since when a document is current no more. What could not be
// had says nothing of that.
func goneSince(past []local.Finding) (time.Time, bool) {
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

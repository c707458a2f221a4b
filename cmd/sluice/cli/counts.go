package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"sluice/shared/console"
	"sluice/shared/state/job"
)

// PrintRefreshed prints what a refresh came to; nothing of a first crawl.
func PrintRefreshed(w *bytes.Buffer, s *console.Summary) {
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
		{"fetched", s.Refresh.Fetched, ""},
		{"unchanged", s.Refresh.Unchanged, "the documents stay as they are"},
		{"changed", s.Refresh.Changed, "have a new version beside the old"},
		{"gone", s.Refresh.Gone, "no longer current; listed in rejects/"},
		{"new", s.Refresh.New, "are documents for the first time, or again"},
		{"unreached", s.Refresh.Unreached, "could not be fetched, and stay as they were"},
	} {
		fmt.Fprintf(t, "%s\t%d\t  %s\n", row.name, row.n, row.note)
	}
	_ = t.Flush() // to memory
}

// Why puts stop reasons into words.
var Why = map[string]string{
	"frontier_empty": "the frontier is empty: nothing is left to fetch",
	"harvest_rate":   "the last pages brought too few documents",
	"coverage":       "the last documents say nearly nothing new",
	"max_pages":      "the budget of pages is used up; continue with --resume and a larger --max-pages",
	"max_duration":   "the budget of time is used up; continue with --resume",
	"interrupted":    "interrupted; continue with --resume",
	"killed":         "killed; continue with --resume",
	"outage":         "nothing answered for too long; continue with --resume",
	"hosts_down":     "links are left on hosts that were down; continue with --resume",
	"unreachable":    "nothing could be reached",
}

// Ending says why a crawl ended, with the figures behind it; words are those of the
// reason.
func Ending(s *console.Summary, words string) string {
	switch {
	case s.StopReason == job.ReasonHarvestRate && s.Barren != nil:
		return fmt.Sprintf("%s: of %d that were read %d were kept", words, s.Barren.Read, s.Barren.Kept)
	case s.StopReason == job.ReasonCoverage && s.Saturated != nil:
		g := s.Saturated
		return fmt.Sprintf("%s: of %d pages read %d were kept, with %s and %s", words,
			g.Read, g.Kept, Count(int(g.Documents), "new document"), Count(int(g.Words), "new word"))
	case (s.StopReason == "outage" || s.StopReason == "unreachable") && s.Reason != s.StopReason:
		return fmt.Sprintf("%s (%s)", words, s.Reason)
	case s.StopReason == job.ReasonMaxPages && s.MaxPages > 0:
		fetched, _ := s.OfRun()
		return fmt.Sprintf("%s (%d of %d)", words, fetched, s.MaxPages)
	}
	return words
}

// SummaryHosts is how many ended hosts a summary lists: it is one page.
const SummaryHosts = 10

// PrintCounts prints the numbers of a crawl; ran says of which time.
func PrintCounts(w *bytes.Buffer, s *console.Summary, ran string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		name string
		n    int64
		note string
	}{
		{"fetched", s.Fetched, ran},
		{renderedRow, s.Rendered, "of these; a browser showed them"},
		{"kept", s.Kept, fmt.Sprintf("harvest rate %.1f %%", 100*s.HarvestRate)},
		{"rejected", s.Rejected, "recorded with the rule"},
		{"off topic", s.Passed, "of these; their links were read"},
		{"redirected", s.Redirected, ""},
		{"sources", s.Sources, "sitemaps and feeds, read for their links"},
		{"skipped", s.Skipped, "never fetched"},
		{forgottenRow, s.Forgotten, "removed for good"},
		{"dead letters", s.DeadLetters, "links abandoned"},
		{"links followed", s.Enqueued, ""},
		{"links skipped", s.DroppedLinks, "counted on every page"},
	} {
		if (row.name == forgottenRow || row.name == renderedRow) && row.n == 0 {
			continue // few crawls have any
		}
		fmt.Fprintf(t, "%s\t%d\t", row.name, row.n)
		if row.note != "" {
			fmt.Fprintf(t, "  %s", row.note)
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
}

const (
	forgottenRow = "forgotten" // what sluice forget took out
	renderedRow  = "rendered"
)

// PrintRules prints counts, most first.
func PrintRules(w *bytes.Buffer, title string, rules map[string]int64) {
	if len(rules) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return cmp.Or(cmp.Compare(rules[b], rules[a]), cmp.Compare(a, b))
	})
	counts := make([]string, len(names))
	for i, name := range names {
		counts[i] = fmt.Sprintf("%s %d", name, rules[name])
	}
	fmt.Fprintf(w, "\n%s\n%s\n", title, Wrap("  ", counts))
}

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"sluice/shared/local"
)

// why puts stop reasons into words.
var why = map[string]string{
	"frontier_empty": "the frontier is empty: nothing is left to fetch",
	"max_pages":      "the budget of pages is used up",
	"max_duration":   "the budget of time is used up",
	"interrupted":    "interrupted; --resume goes on",
}

// printSummary prints one page about a crawl and where to look next.
func printSummary(w io.Writer, s *local.Summary) {
	fmt.Fprintf(w, "%s: %s\n\n", s.Crawl, why[s.StopReason])
	printCounts(w, s)
	printRules(w, "rejected, skipped or dead, by rule", s.Rules)
	printRules(w, "links let go, by rule", s.Drops)
	for _, h := range s.ClosedHosts {
		fmt.Fprintf(w, "host %s ended by %s, %d links left\n", h.Host, h.Rule, h.Links)
	}
	fmt.Fprintf(w, `
corpus    %s/*.jsonl   one document a line
rejects   %s/*.jsonl   pages that did not stay, and the rule
archive   %s/*.warc.gz   what went over the wire (WARC 1.1)
next      sluice status %s
          sluice explain %s URL
`, s.Corpus, s.Rejects, s.WARC, s.Out, s.Out)
}

func printCounts(w io.Writer, s *local.Summary) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		name string
		n    int64
		note string
	}{
		{"fetched", s.Fetched, fmt.Sprintf("in %.1f s", s.DurationS)},
		{"kept", s.Kept, fmt.Sprintf("harvest rate %.1f %%", 100*s.HarvestRate)},
		{"off topic", s.Passed, "only their links were read"},
		{"rejected", s.Rejected, ""},
		{"redirected", s.Redirected, ""},
		{"skipped", s.Skipped, "never asked for"},
		{"dead letters", s.DeadLetters, ""},
		{"links followed", s.Enqueued, ""},
		{"links let go", s.DroppedLinks, "counted on every page"},
	} {
		fmt.Fprintf(t, "%s\t%d\t", row.name, row.n)
		if row.note != "" {
			fmt.Fprintf(t, "  %s", row.note)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// printRules prints counts on one line, most first.
func printRules(w io.Writer, title string, rules map[string]int64) {
	if len(rules) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		if rules[a] != rules[b] {
			return int(rules[b] - rules[a])
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = fmt.Sprintf("%s %d", n, rules[n])
	}
	fmt.Fprintf(w, "\n%s\n  %s\n", title, strings.Join(parts, ", "))
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"sluice/shared/local"
)

// why puts stop reasons into words.
var why = map[string]string{
	"frontier_empty": "the frontier is empty: nothing is left to fetch",
	"max_pages":      "the budget of pages is used up; --resume with a larger --max-pages goes on",
	"max_duration":   "the budget of time is used up; --resume goes on",
	"interrupted":    "interrupted; --resume goes on",
}

// summaryHosts is how many ended hosts a summary lists: it is one page.
const summaryHosts = 10

// summaryPage is one page about a crawl and where to look next.
func summaryPage(s *local.Summary) *bytes.Buffer {
	w := new(bytes.Buffer)
	fmt.Fprintf(w, "%s: %s\n\n", s.Crawl, why[s.StopReason])
	printCounts(w, s, fmt.Sprintf("this run took %.1f s", s.DurationS))
	printRefreshed(w, s)
	printRules(w, "rejected, skipped or dead, by rule", s.Rules)
	printRules(w, "links let go, by rule", s.Drops)
	printClosed(w, s.ClosedHosts)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s/*.jsonl\tone document a line\n", s.Corpus)
	fmt.Fprintf(t, "rejects\t%s/*.jsonl\tpages that did not stay, and the rule\n", s.Rejects)
	fmt.Fprintf(t, "archive\t%s/*.warc.gz\twhat went over the wire (WARC 1.1)\n", s.WARC)
	fmt.Fprintf(t, "next\tsluice status %s\thow it stands, host by host\n", s.Out)
	fmt.Fprintf(t, "\tsluice explain %s URL\twhat became of a URL, and why\n", s.Out)
	_ = t.Flush() // to memory
	return w
}

// printCounts prints the numbers of a crawl; ran says of which time.
func printCounts(w *bytes.Buffer, s *local.Summary, ran string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		name string
		n    int64
		note string
	}{
		{"fetched", s.Fetched, ran},
		{"kept", s.Kept, fmt.Sprintf("harvest rate %.1f %%", 100*s.HarvestRate)},
		{"rejected", s.Rejected, "recorded with the rule"},
		{"off topic", s.Passed, "of these; their links were read"},
		{"redirected", s.Redirected, ""},
		{"sources", s.Sources, "sitemaps and feeds, read for their links"},
		{"skipped", s.Skipped, "never asked for"},
		{forgottenRow, s.Forgotten, "taken out for good"},
		{"dead letters", s.DeadLetters, "links given up on"},
		{"links followed", s.Enqueued, ""},
		{"links let go", s.DroppedLinks, "counted on every page"},
	} {
		if row.name == forgottenRow && row.n == 0 {
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

// forgottenRow counts what sluice forget took out.
const forgottenRow = "forgotten"

// printRules prints counts, most first.
func printRules(w *bytes.Buffer, title string, rules map[string]int64) {
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
	fmt.Fprintf(w, "\n%s\n%s\n", title, wrap("  ", counts))
}

// printClosed prints the hosts that were ended with links left, most first.
func printClosed(w *bytes.Buffer, hosts []local.ClosedHost) {
	if len(hosts) == 0 {
		return
	}
	hosts = slices.SortedFunc(slices.Values(hosts), func(a, b local.ClosedHost) int {
		return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Host, b.Host))
	})
	fmt.Fprint(w, "\nhosts ended early, by rule\n")
	for _, h := range hosts[:min(len(hosts), summaryHosts)] {
		fmt.Fprintf(w, "  %s by %s, %s left\n", h.Host, h.Rule, count(int64(h.Links), "link"))
	}
	if more := len(hosts) - summaryHosts; more > 0 {
		fmt.Fprintf(w, "  and %s\n", count(int64(more), "more host"))
	}
}

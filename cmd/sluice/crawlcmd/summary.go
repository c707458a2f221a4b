package crawlcmd

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/rank"
	"sluice/shared/state/job"
)

// summaryPage is one page about a crawl and where to look next.
func summaryPage(w *bytes.Buffer, s *console.Summary) {
	fmt.Fprintf(w, "%s: %s\n\n", s.Crawl, cli.Why[s.StopReason])
	cli.PrintCounts(w, s, fmt.Sprintf("this run took %.1f s", s.DurationS))
	cli.PrintRefreshed(w, s)
	cli.PrintRules(w, "rejected, skipped or dead, by rule", s.Rules)
	cli.PrintRules(w, "links skipped, by rule", s.Drops)
	printClosed(w, s.ClosedHosts)
	printStarved(w, s)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s/*.jsonl\tone document a line\n", s.Corpus)
	fmt.Fprintf(t, "rejects\t%s/*.jsonl\tpages that were not kept, with the rule\n", s.Rejects)
	fmt.Fprintf(t, "archive\t%s/*.warc.gz\trequests and responses (WARC 1.1)\n", s.WARC)
	fmt.Fprintf(t, "next\tsluice status %s\tits state, host by host\n", s.Out)
	fmt.Fprintf(t, "\tsluice explain %s URL\twhat became of a URL, and why\n", s.Out)
	_ = t.Flush() // to memory
}

// printStarved says what to do about a crawl that ended with nothing because weak
// links were not followed.
func printStarved(w *bytes.Buffer, s *console.Summary) {
	weak := s.Drops[rank.DropPriority] + s.Drops[rank.DropAnchor]
	if s.Kept == 0 && s.StopReason == job.ReasonFrontierEmpty && weak > 0 {
		fmt.Fprintf(w, "\nNothing was kept; skipped for a low value: %s. With \"strategy: best-first\"\n"+
			"in the topic file a new crawl follows them, too.\n", cli.Count(weak, "link"))
	}
}

// printClosed prints the hosts that were ended with links left, most first.
func printClosed(w *bytes.Buffer, hosts []console.ClosedHost) {
	if len(hosts) == 0 {
		return
	}
	hosts = slices.SortedFunc(slices.Values(hosts), func(a, b console.ClosedHost) int {
		return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Host, b.Host))
	})
	fmt.Fprint(w, "\nhosts ended early, by rule\n")
	for _, h := range hosts[:min(len(hosts), cli.SummaryHosts)] {
		fmt.Fprintf(w, "  %s by %s, %s left\n", h.Host, h.Rule, cli.Count(int64(h.Links), "link"))
	}
	if more := len(hosts) - cli.SummaryHosts; more > 0 {
		fmt.Fprintf(w, "  and %s\n", cli.Count(int64(more), "more host"))
	}
}

package crawlcmd

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/local"
	"sluice/shared/rank"
	"sluice/shared/state/job"
)

// summaryPage is one page about a crawl and where to look next.
func summaryPage(w *bytes.Buffer, s *console.Summary) { printSummary(w, s, cli.Why[s.StopReason]) }

// printSummary prints the page with other words for the end of the crawl.
func printSummary(w *bytes.Buffer, s *console.Summary, ended string) {
	fmt.Fprintf(w, "%s: %s\n\n", s.Crawl, cli.Ending(s, ended))
	cli.PrintCounts(w, s, fmt.Sprintf("this run took %.1f s", s.DurationS))
	cli.PrintRefreshed(w, s)
	cli.PrintRules(w, "rejected, skipped or dead, by rule", s.Rules)
	cli.PrintRules(w, "links skipped, by rule", s.Drops)
	printClosed(w, s.ClosedHosts)
	cli.PrintRecords(w, s.Records)
	printStarved(w, s)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s/*.jsonl\tone document a line\n", s.Corpus)
	if s.Records != nil {
		fmt.Fprintf(t, "records\t%s/SITE/LAYER/*.jsonl\tone record a line\n", filepath.Join(s.Out, local.RecordsFolder))
	}
	fmt.Fprintf(t, "rejects\t%s/*.jsonl\tpages that were not kept, with the rule\n", s.Rejects)
	fmt.Fprintf(t, "archive\t%s/*.warc.gz\trequests and responses (WARC 1.1)\n", s.WARC)
	fmt.Fprintf(t, "next\tsluice status %s\tits state, host by host\n", s.Out)
	fmt.Fprintf(t, "\tsluice explain %s URL\twhat became of a URL, and why\n", s.Out)
	_ = t.Flush() // to memory
}

// handful is how many documents no crawl is made for.
const handful = 5

// printStarved says what to do about a crawl that ended by itself with next to
// nothing, by what it met.
func printStarved(w *bytes.Buffer, s *console.Summary) {
	if s.Records != nil {
		return // its seeds are a site, not a topic
	}
	ended := s.StopReason == job.ReasonFrontierEmpty || s.StopReason == job.ReasonHarvestRate
	if !ended || s.Kept >= handful || s.Generation > 1 {
		return
	}
	found := "Nothing was kept"
	if s.Kept > 0 {
		found = fmt.Sprintf("Only %s kept", cli.Count(s.Kept, "document"))
	}
	if weak := s.Drops[rank.DropPriority] + s.Drops[rank.DropAnchor]; weak > 0 {
		fmt.Fprintf(w, "\n%s; skipped for a low value: %s. With \"strategy: hybrid\"\n"+
			"in the topic file a new crawl follows them, too; with a lower thresholds.priority more of them.\n", found, cli.Count(weak, "link"))
		printWords(w, s)
		return
	}
	fmt.Fprintf(w, "\n%s. What may help a new crawl:\n", found)
	advised := false
	for _, advice := range []struct {
		n          int64
		noun, help string
	}{
		{s.Rules[reading.RuleDescription], "page", "had too few words of the topic in title and description: a lower thresholds.description"},
		{s.Rules[reading.RuleBody], "page", "had too few in the main text: a lower thresholds.body"},
		{s.Rules[reading.RuleLanguage], "page", "had another language than the topic"},
		{sumOf(s.Rules, "quality_"), "page", "broke a rule of quality: switch it off in the topic file if it is wrong for them"},
		{s.Rules["http_401"], "page", "wanted a password: name the host in the file of --auth, as http://HOST if it has no https"},
		{s.Rules[step.RuleRobots], "page", "forbidden by robots.txt: other sites"},
		{s.Drops[rank.DropTunnel], "link", "too far behind the last page on the topic: a larger tunnel"},
		{s.Drops[step.DropDepth], "link", "too deep: a larger max_depth"},
		{s.Drops[step.DropScope], "link", "to other sites: a wider scope"},
	} {
		if advice.n > 0 {
			fmt.Fprintf(w, "  %s %s\n", cli.Count(advice.n, advice.noun), advice.help)
			advised = true
		}
	}
	offTopic := s.Rules[reading.RuleDescription] + s.Rules[reading.RuleBody] + s.Drops[rank.DropTunnel]
	switch failed := sumOf(s.Rules, "http_"); {
	case offTopic > 0, !advised && failed == 0:
		fmt.Fprintln(w, "  seeds nearer to the topic than a home page")
	case !advised:
		fmt.Fprintf(w, "  %s answered with an error: other seeds\n", cli.Count(failed, "page"))
	}
	printWords(w, s)
}

// sumOf adds up what was counted by the rules with a prefix.
func sumOf(rules map[string]int64, prefix string) (sum int64) {
	for rule, n := range rules {
		if strings.HasPrefix(rule, prefix) {
			sum += n
		}
	}
	return sum
}

// printWords says how to find better words where pages had too few of the topic.
func printWords(w *bytes.Buffer, s *console.Summary) {
	if s.Rules[reading.RuleDescription]+s.Rules[reading.RuleBody] > 0 {
		fmt.Fprintln(w, "  sluice topic from-pages URL… makes a topic of pages that you want, sluice topic score TOPIC FILE… shows what a text scores")
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

package opscmd

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/console"
)

// overview shows all crawls of the stack.
func overview(ctx context.Context, s cli.Streams, f *stackFlags) error {
	return f.run(ctx, "the crawl continues", func(ctx context.Context, o *operator.Operator) error {
		all, err := o.Overview(ctx)
		if err != nil {
			return err
		}
		return cli.PrintResult(s, f.json, all, overviewPage)
	})
}

// overviewPage is the page of a stack, for people.
func overviewPage(w *bytes.Buffer, v *operator.Overview) {
	if len(v.Crawls) == 0 {
		fmt.Fprintf(w, "stack %s has no crawls; sluice seed starts one\n", v.Stack)
	} else {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "crawl\tstate\treason\tfetched\tkept\tharvest\tdead\tcost\tbegun")
		for i := range v.Crawls {
			c := &v.Crawls[i]
			fetched, _ := c.OfRun()
			fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%d\t%.1f %%\t%d\t%s\t%s\n",
				c.Crawl, c.State, cli.Clean(c.Reason), fetched, c.MaxPages, c.Kept, 100*c.HarvestRate, c.DeadLetters, dollars(c.CostDollars), minute(c.Created))
		}
		_ = t.Flush() // to memory
	}
	printQueues(w, v.Stack, v.Queues)
	printHealth(w, v.Health)
}

// stackStatusPage is the page of one crawl of a stack.
func stackStatusPage(w *bytes.Buffer, st *console.Status) {
	fmt.Fprintf(w, "%s of stack %s: %s\n", st.Crawl, st.Stack, cli.Ending(&st.Summary, stateInWords(&st.Summary)))
	fmt.Fprintf(w, "topic %s, begun %s\n\n", cli.Clean(st.Topic), minute(st.Created))
	cli.PrintCounts(w, &st.Summary, fmt.Sprintf("of %s at most, in %s", cli.Count(int64(st.MaxPages), "page"), cli.Roughly(cli.Seconds(st.DurationS))))
	cli.PrintRefreshed(w, &st.Summary)
	fmt.Fprintf(w, "\n%s so far", dollars(st.CostDollars))
	if st.MaxCost > 0 {
		fmt.Fprintf(w, ", of %s at most", dollars(st.MaxCost))
	}
	if st.Deadline != nil {
		fmt.Fprintf(w, "; its time ends at %s", minute(*st.Deadline))
	}
	fmt.Fprintf(w, "\n%s waiting, %d queued\n", cli.Count(int64(st.Waiting), "link"), st.Queued)
	switch segments := cli.Count(int64(st.Uncleaned), "segment"); {
	case st.Uncleaned > 0 && st.Ended():
		fmt.Fprintf(w, "not cleaned: %s; sluice redrive --stack %s --dry-run may tell why\n", segments, st.Stack)
	case st.Uncleaned > 0:
		fmt.Fprintf(w, "not cleaned yet: %s\n", segments)
	}
	printAdjustments(w, st.Adjustments)
	printStackHosts(w, st)
	printSecondLook(w, st.SecondLook)
	if st.LookLeft != "" {
		fmt.Fprintf(w, "\nno second look: %s\n", cli.Clean(st.LookLeft))
	}
	cli.PrintRules(w, "rejected, skipped or dead, by rule", st.Rules)
	cli.PrintRules(w, "links skipped, by rule", st.Drops)
	for _, key := range slices.Sorted(maps.Keys(st.BadSeeds)) {
		bad := st.BadSeeds[key]
		fmt.Fprintf(w, "\nskipped as no URL: %s of %s, such as %s\n", cli.Count(bad.Lines, "line"), cli.Clean(key), cli.Clean(bad.First))
	}
	cli.PrintRecords(w, st.Records)
	if st.RecordsLeft != "" {
		fmt.Fprintf(w, "\nrecords are made by sluice export: %s\n", cli.Clean(st.RecordsLeft))
	}
	printQueues(w, st.Stack, st.Queues)
	printHealth(w, st.Health)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "corpus\t%s/*.jsonl\tone document a line\n", st.Corpus)
	fmt.Fprintf(t, "next\tsluice export --stack %s %s --out DIR\tcopies it here\n", st.Stack, st.Crawl)
	_ = t.Flush() // to memory
}

func printStackHosts(w *bytes.Buffer, st *console.Status) {
	n := st.HostCounts
	if n.Active+n.Idle+n.Closed == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: %d with links queued, %d idle, %d closed\n", cli.Count(int64(n.Active+n.Idle+n.Closed), "host"), n.Active, n.Idle, n.Closed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "host\tqueued\twaiting")
	for _, h := range st.Hosts {
		fmt.Fprintf(t, "%s\t%d\t%d\n", cli.Clean(h.Host), h.Queued, h.Waiting)
	}
	for i, h := range st.ClosedHosts {
		if i == cli.SummaryHosts {
			fmt.Fprintf(t, "and %s that were ended by a rule\n", cli.Count(int64(len(st.ClosedHosts)-i), "more host"))
			break
		}
		fmt.Fprintf(t, "%s\t\t\tended by %s\n", cli.Clean(h.Host), cli.Clean(h.Rule))
	}
	_ = t.Flush() // to memory
}

// printQueues prints the queues of a stack, of all its crawls together.
func printQueues(w *bytes.Buffer, stack string, queues []console.Queue) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "queue\twaiting\tin flight\tdelayed")
	dead := 0
	for _, q := range queues {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", q.Name, q.Waiting, q.InFlight, q.Delayed)
		if q.Dead() {
			dead += q.Messages()
		}
	}
	_ = t.Flush() // to memory
	if dead > 0 {
		fmt.Fprintf(w, "%s; sluice redrive --stack %s --dry-run tells why\n", cli.Count(dead, "dead letter"), stack)
	}
}

// printHealth prints what is wrong with a stack itself.
func printHealth(w *bytes.Buffer, h *console.Health) {
	if h == nil || len(h.Alarms)+len(h.Errors)+len(h.Unread) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, a := range h.Alarms {
		fmt.Fprintf(w, "alarm since %s: %s (%s)\n", minute(a.Since), cli.Clean(a.Why), cli.Clean(a.Name))
	}
	for _, e := range h.Errors {
		fmt.Fprintf(w, "last error of %s, %s: %s\n", e.Function, minute(e.At), cli.Clean(e.Message))
	}
	for _, why := range h.Unread {
		fmt.Fprintf(w, "not known: %s\n", cli.Clean(why))
	}
}

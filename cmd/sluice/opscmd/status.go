// Package opscmd has the commands that look at crawls and steer them, in a
// folder or on a stack.
package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/state/job"
)

// NewStatus makes the command status.
func NewStatus(s cli.Streams) *cobra.Command {
	var f stackFlags
	var watching bool
	var interval time.Duration
	cmd := &cobra.Command{
		Use:   "status DIR | --stack NAME [CRAWL]",
		Short: "Show the state of a crawl, also while it runs",
		Long: `Show the state of a crawl, also while it runs: one of this machine by its folder,
one of a stack on AWS by its id. Without an id all crawls of the stack are shown.`,
		Example: `  sluice status out/finance
  sluice status out/finance --watch
  sluice status --stack sluice finance --watch`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case watching && len(args) == 0:
				return cli.Usage(errors.New("--watch: CRAWL is missing: name the crawl to watch"))
			case interval < watchLeast:
				return cli.Usage(fmt.Errorf("--interval is %v: at least %v is needed", interval, watchLeast))
			case len(args) == 0:
				return overview(cmd.Context(), s, &f)
			}
			return f.with(cmd.Context(), args[0], "the crawl continues", func(ctx context.Context, c crawl) error {
				if watching {
					if err := watch(ctx, cli.NewScreen(s.Err), c, interval); err != nil {
						return err
					}
				}
				st, err := c.Status(ctx)
				if err != nil {
					return err
				}
				return cli.PrintResult(s, f.json, st, statusPage)
			})
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&watching, "watch", false, "look again until the crawl has ended")
	cmd.Flags().DurationVar(&interval, "interval", watchEvery, "with --watch: `D` between two looks, at least 1s")
	return cmd
}

// How often a crawl is looked at.
const (
	watchEvery = 5 * time.Second
	watchLeast = time.Second
)

// statusPage is the page of a status, for people.
func statusPage(w *bytes.Buffer, st *console.Status) {
	if st.Stack != "" {
		stackStatusPage(w, st)
		return
	}
	why := st.Reason // of "interrupted", what a user said
	if st.StopReason != "" && st.StopReason != "interrupted" {
		why = st.StopReason
	}
	fmt.Fprintf(w, "%s: %s\n\n", st.Crawl, cli.Ending(&st.Summary, folderState(st.State, why)))
	if !st.OutageSince.IsZero() {
		fmt.Fprintf(w, "nothing answers since %s; the crawl waits\n\n", st.OutageSince.Local().Format(time.DateTime))
	}
	cli.PrintCounts(w, &st.Summary, "in all runs")
	cli.PrintRefreshed(w, &st.Summary)
	fmt.Fprintf(w, "\n%s waiting, %d queued\n", cli.Count(int64(st.Waiting), "link"), st.Queued)
	printAdjustments(w, st.Adjustments)
	printSecondLook(w, st.SecondLook)
	printHosts(w, st.Hosts)
	cli.PrintRules(w, "rejected, skipped or dead, by rule", st.Rules)
	cli.PrintRules(w, "links skipped, by rule", st.Drops)
	cli.PrintRecords(w, st.Records)
}

// Of what a strategy has changed, the latest is shown.
const (
	shownAdjustments = 10
	shownWords       = 40
)

func printAdjustments(w *bytes.Buffer, all []job.Adjustment) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s of the strategy, the last ones:\n", cli.Count(int64(len(all)), "change"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "fetched\tkept\tof pages\tabove the threshold\tkept\trule\tthreshold")
	for _, a := range all[max(0, len(all)-shownAdjustments):] {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%s\t%.4g\n", a.Fetched, a.Kept, a.Pages, a.Above, a.KeptNow, a.Rule, a.Threshold)
	}
	_ = t.Flush() // to memory
	for _, a := range all {
		if len(a.Words) == 0 {
			continue
		}
		printLearned(w, a.Words, "after "+cli.Count(a.Fetched, "page"))
	}
}

// printSecondLook says what judging all pages again came to.
func printSecondLook(w *bytes.Buffer, look *console.SecondLook) {
	if look == nil {
		return
	}
	fmt.Fprintf(w, "\nsecond look, when the crawl last ended: %s became documents, %s became rejects\n", cli.Count(look.Added, "page"), cli.Count(look.Removed, "document"))
	printLearned(w, look.Words, fmt.Sprintf("from %d texts on the topic and %d others", look.On, look.Off))
}

func printLearned(w *bytes.Buffer, words []job.Learned, when string) {
	fmt.Fprintf(w, "\n%s learned %s:", cli.Count(int64(len(words)), "word"), when)
	for _, word := range words[:min(len(words), shownWords)] {
		fmt.Fprintf(w, " %s", cli.Clean(word.Word))
	}
	if len(words) > shownWords {
		fmt.Fprint(w, " …")
	}
	fmt.Fprintln(w)
}

func printHosts(w *bytes.Buffer, hosts []console.Host) {
	if len(hosts) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "host\tfetched\twaiting")
	for _, h := range hosts {
		fmt.Fprintf(t, "%s\t%d\t%d", h.Host, *h.Fetched, h.Waiting)
		if h.Closed != "" {
			fmt.Fprintf(t, "\tended by %s", h.Closed)
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
}

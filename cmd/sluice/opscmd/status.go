// Package opscmd has the commands that look at crawls and steer them, in a
// folder or on a stack.
package opscmd

import (
	"bytes"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
)

// NewStatus makes the command status.
func NewStatus(s cli.Streams) *cobra.Command {
	var f stackFlags
	var watching bool
	var interval time.Duration
	cmd := &cobra.Command{
		Use:   "status DIR | --stack NAME [CRAWL]",
		Short: "Show how a crawl stands, also while it runs",
		Long: `Show how a crawl stands, also while it runs: one of this machine by its folder,
one of a stack on AWS by its id. Without an id all crawls of the stack are shown.`,
		Example: `  sluice status out/finance
  sluice status --stack sluice finance --watch`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.stackOnly(cmd.Flags(), "watch", "interval"); err != nil {
				return err
			}
			if f.stack != "" {
				v := &stackView{s: s, flags: &f, watch: watching, interval: interval}
				return v.status(cmd.Context(), args)
			}
			return localStatus(cmd.Context(), s, args[0], f.json)
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&watching, "watch", false, "with --stack: look again until the crawl has ended")
	cmd.Flags().DurationVar(&interval, "interval", watchEvery, "with --watch: `D` between two looks, at least 1s")
	return cmd
}

// localStatus shows a crawl of this machine.
func localStatus(ctx context.Context, s cli.Streams, dir string, asJSON bool) (err error) {
	if err := cli.CheckFolder(dir); err != nil {
		return err
	}
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = cli.CloseWith(f, err) }()
	st, err := f.Status(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.PrintJSON(s.Out, st)
	}
	return cli.PrintPage(s.Out, statusPage(st))
}

// statusPage is the page of a status, for people.
func statusPage(st *local.Status) *bytes.Buffer {
	w := new(bytes.Buffer)
	state := cli.Why[st.StopReason]
	if state == "" {
		state = "running, or killed; continue with --resume"
	}
	fmt.Fprintf(w, "%s: %s\n\n", st.Crawl, state)
	cli.PrintCounts(w, &st.Summary, "in all runs")
	cli.PrintRefreshed(w, &st.Summary)
	fmt.Fprintf(w, "\n%s waiting, %d queued\n", cli.Count(int64(st.Waiting), "link"), st.Queued)
	printHosts(w, st.Hosts)
	cli.PrintRules(w, "rejected, skipped or dead, by rule", st.Rules)
	cli.PrintRules(w, "links skipped, by rule", st.Drops)
	return w
}

func printHosts(w *bytes.Buffer, hosts []local.HostStatus) {
	if len(hosts) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "host\tfetched\twaiting")
	for _, h := range hosts {
		fmt.Fprintf(t, "%s\t%d\t%d", h.Host, h.Fetched, h.Waiting)
		if h.Closed != "" {
			fmt.Fprintf(t, "\tended by %s", h.Closed)
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
}

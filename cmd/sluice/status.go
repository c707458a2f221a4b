package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sluice/shared/local"
)

func newStatus(s streams) *cobra.Command {
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
		Args: f.onStackOr(wantArgs("DIR"), cobra.MaximumNArgs(1)),
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
func localStatus(ctx context.Context, s streams, dir string, asJSON bool) (err error) {
	if err := checkFolder(dir); err != nil {
		return err
	}
	f, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = closeWith(f, err) }()
	st, err := f.Status(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(s.out, st)
	}
	return printPage(s.out, statusPage(st))
}

// closeWith closes c and returns the first error.
func closeWith(c io.Closer, err error) error {
	if cerr := c.Close(); err == nil {
		return cerr
	}
	return err
}

// statusPage is the page of a status, for people.
func statusPage(st *local.Status) *bytes.Buffer {
	w := new(bytes.Buffer)
	state := why[st.StopReason]
	if state == "" {
		state = "running, or killed; --resume goes on"
	}
	fmt.Fprintf(w, "%s: %s\n\n", st.Crawl, state)
	printCounts(w, &st.Summary, "in all runs")
	printRefreshed(w, &st.Summary)
	fmt.Fprintf(w, "\n%s waiting, %d queued\n", count(int64(st.Waiting), "link"), st.Queued)
	printHosts(w, st.Hosts)
	printRules(w, "rejected, skipped or dead, by rule", st.Rules)
	printRules(w, "links let go, by rule", st.Drops)
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

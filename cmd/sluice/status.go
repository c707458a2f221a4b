package main

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/shared/local"
)

func newStatus(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Show how a crawl stands, also while it runs",
		Example: "  sluice status out/finance",
		Args:    wantArgs("DIR"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := checkFolder(args[0]); err != nil {
				return err
			}
			f, err := local.OpenFolder(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer func() { err = closeWith(f, err) }()
			st, err := f.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.out, st)
			}
			return printPage(s.out, statusPage(st))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
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

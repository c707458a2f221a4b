package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/shared/local"
)

func newStatus(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status DIR",
		Short: "Show how a crawl stands, also while it runs",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
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
			printStatus(s.out, st)
			return nil
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

func printStatus(w io.Writer, st *local.Status) {
	state := why[st.StopReason]
	if state == "" {
		state = "running, or killed; --resume goes on"
	}
	fmt.Fprintf(w, "%s: %s\n\n", st.Crawl, state)
	printCounts(w, &st.Summary)
	fmt.Fprintf(w, "\n%d links wait, %d are queued\n\n", st.Waiting, st.Queued)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "host\tfetched\twaiting\t")
	for _, h := range st.Hosts {
		note := ""
		if h.Closed != "" {
			note = "ended by " + h.Closed
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\n", h.Host, h.Fetched, h.Waiting, note)
	}
	t.Flush()
	printRules(w, "rejected, skipped or dead, by rule", st.Rules)
	printRules(w, "links let go, by rule", st.Drops)
}

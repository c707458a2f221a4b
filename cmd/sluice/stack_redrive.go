package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/shared/aws/operator"
)

// everyQueue is the --queue that means all of them.
const everyQueue = "all"

func newRedrive(s streams) *cobra.Command {
	var f stackFlags
	var opts operator.RedriveOptions
	cmd := &cobra.Command{
		Use:   "redrive --stack NAME",
		Short: "Show dead letters with their reasons, and send back those that are valid",
		Long: `Show dead letters with their reasons, and send back those that are valid. Links
that were given up on are fetched again; a crawl whose frontier was empty goes on.`,
		Example: `  sluice redrive --stack sluice --dry-run
  sluice redrive --stack sluice --queue frontier --crawl finance`,
		Args: wantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts := opts
			known := []string{operator.Frontier, operator.Seeds, operator.Clean, everyQueue}
			switch {
			case !slices.Contains(known, opts.Queue):
				return usage(fmt.Errorf("--queue is %q: it must be one of %s", opts.Queue, strings.Join(known, ", ")))
			case opts.Queue == everyQueue:
				opts.Queue = ""
			}
			return f.run(cmd.Context(), "the same command goes on", func(ctx context.Context, o *operator.Operator) error {
				out, err := o.Redrive(ctx, opts)
				if err != nil {
					return err
				}
				return printResult(s, f.json, out, redrivenPage)
			})
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&opts.Queue, "queue", everyQueue, "dead letters of `QUEUE`: frontier, seeds, clean or all")
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "only show them, and what would be done")
	cmd.Flags().StringVar(&opts.Crawl, "crawl", "", "only those of the crawl `ID`")
	return cmd
}

// pageLetters is how many letters a page shows; JSON has them all.
const pageLetters = 50

// redrivenPage is the page of dead letters, for people.
func redrivenPage(out *operator.Redriven) *bytes.Buffer {
	w := new(bytes.Buffer)
	back := "sent back"
	if out.DryRun {
		back = "would go back"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "dead letters of\t%s\tstay\tof other crawls\n", back)
	for _, q := range out.Queues {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", q.Queue, q.Back, q.Stay, q.Others)
	}
	_ = t.Flush() // to memory
	for i := range out.Letters {
		if i == pageLetters {
			fmt.Fprintf(w, "\nand %s; --json has them all\n", count(len(out.Letters)-i, "more letter"))
			break
		}
		printLetter(w, &out.Letters[i])
	}
	for _, id := range out.Resumed {
		fmt.Fprintf(w, "\ncrawl %s had come to its end and goes on\n", id)
	}
	return w
}

func printLetter(w *bytes.Buffer, l *operator.Letter) {
	fate := "stays"
	if l.Back {
		fate = "back"
	}
	fmt.Fprintf(w, "\n%s: letter %s of %s\n", fate, clean(l.ID), l.Queue)
	if l.Crawl != "" {
		field(w, "crawl", "%s", l.Crawl)
	}
	if l.Reason != "" {
		field(w, "reason", "%s", l.Reason)
	}
	if l.Why != "" {
		field(w, "stays since", "%s", l.Why)
	}
	switch n := len(l.URLs); {
	case n > 1:
		field(w, "links", "%s and %d more", l.URLs[0], n-1)
	case n == 1:
		field(w, "link", "%s", l.URLs[0])
	}
	if l.Body != "" {
		field(w, "body", "%s", l.Body)
	}
	field(w, "at", "%s", minute(l.Sent))
}

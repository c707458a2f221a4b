package opscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/console"
	"sluice/shared/local"
)

// everyQueue is the --queue that means all of them.
const everyQueue = "all"

// NewRedrive makes the command redrive.
func NewRedrive(s cli.Streams) *cobra.Command {
	var f stackFlags
	var opts console.RedriveOptions
	var yes bool
	cmd := &cobra.Command{
		Use:   "redrive DIR | --stack NAME [CRAWL]",
		Short: "Show dead letters with their reasons, and send back those that are valid",
		Long: `Show dead letters with their reasons, and send back those that are valid: the
abandoned links are fetched again, and hosts that were closed because they were down
are asked again. On a stack that happens at once, also in a crawl that ended with an
empty frontier. In a folder no crawl may be running, and sluice crawl --resume goes on.
(--resume alone does the same for those hosts and the links that were abandoned
because of it.) Links of hosts that were closed for another reason go on waiting.

With --discard nothing is sent back. Letters that are not valid are deleted for
good; valid ones only if --letter names them.`,
		Example: `  sluice redrive out/finance --dry-run
  sluice redrive out/finance --rule http_503 --rule connect
  sluice redrive --stack sluice --dry-run
  sluice redrive --stack sluice finance --queue frontier
  sluice redrive --stack sluice --queue seeds --discard --yes`,
		Args: f.onStackOr(cli.WantArgs("DIR"), cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.stackOnly(cmd.Flags(), "queue", "crawl"); err != nil {
				return err
			}
			opts := opts
			if f.stack != "" {
				if rest := crawlFirst(&opts.Crawl, args); len(rest) > 0 {
					return cli.Usage(fmt.Errorf("unexpected argument %q: with --stack the only argument is CRAWL", rest[0]))
				}
			}
			known := []string{operator.Frontier, operator.Seeds, operator.Clean, operator.Structure, everyQueue}
			switch {
			case !slices.Contains(known, opts.Queue):
				return cli.Usage(fmt.Errorf("--queue is %q: it must be one of %s", opts.Queue, strings.Join(known, ", ")))
			case opts.Queue == everyQueue:
				opts.Queue = ""
			}
			if err := discards(&opts, yes); err != nil {
				return cli.Usage(err)
			}
			redrive := func(ctx context.Context, r console.Redriver) error {
				out, err := r.Redrive(ctx, opts)
				if err != nil {
					return err
				}
				err = cli.PrintResult(s, f.json, out, redrivenPage)
				if err == nil && len(out.Missing) > 0 {
					err = fmt.Errorf("no letter that was chosen has the id %s", strings.Join(out.Missing, ", "))
					if f.stack != "" {
						err = fmt.Errorf("%w; one that was just read shows again after two minutes", err)
					}
					err = cli.Usage(err)
				}
				return err
			}
			const again = "continue with the same command"
			if f.stack == "" {
				return inFolder(cmd.Context(), args[0], again, func(ctx context.Context, c *local.Console) error { return redrive(ctx, c) })
			}
			return f.run(cmd.Context(), again, func(ctx context.Context, o *operator.Operator) error { return redrive(ctx, o) })
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&opts.Queue, "queue", everyQueue, "dead letters of `QUEUE`: frontier, seeds, clean, structure or all")
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "only show them, and what would be done")
	cmd.Flags().StringVar(&opts.Crawl, "crawl", "", "only those of the crawl `ID`, in place of CRAWL")
	cmd.Flags().StringArrayVar(&opts.Letters, "letter", nil, "only the letter `ID`, as shown; repeatable")
	cmd.Flags().StringArrayVar(&opts.Rules, "rule", nil, "only letters whose reason begins with `RULE`, as shown; host_down stands for the hosts of a folder that were down; repeatable")
	cmd.Flags().BoolVar(&opts.Discard, "discard", false, "delete letters that are not valid, in place of sending back those that are; asks for --yes or --dry-run")
	cmd.Flags().BoolVar(&yes, "yes", false, "discard: deleted letters do not come back")
	return cmd
}

// discards refuses to delete without a confirmation.
func discards(opts *console.RedriveOptions, yes bool) error {
	switch {
	case opts.Discard && !yes && !opts.DryRun:
		return errors.New("--discard deletes letters for good: look at them with --dry-run, then add --yes")
	case yes && !opts.Discard:
		return errors.New("--yes is for --discard: nothing else here needs it")
	}
	return nil
}

// pageLetters is how many letters a page shows; JSON has them all.
const pageLetters = 50

// redrivenPage is the page of dead letters, for people.
func redrivenPage(w *bytes.Buffer, out *console.Redriven) {
	done := "sent back"
	switch {
	case out.Discard && out.DryRun:
		done = "would be discarded"
	case out.Discard:
		done = "discarded"
	case out.DryRun:
		done = "would go back"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "dead letters of\t%s\tstay\tnot chosen\n", done)
	for _, q := range out.Queues {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", q.Queue, q.Back+q.Discarded, q.Stay, q.Others) // one of the two is 0
	}
	_ = t.Flush() // to memory
	for i := range out.Letters {
		if i == pageLetters {
			fmt.Fprintf(w, "\nand %s; --json has them all\n", cli.Count(len(out.Letters)-i, "more letter"))
			break
		}
		printLetter(w, &out.Letters[i])
	}
	for _, h := range out.Hosts {
		ask := "is asked again"
		if out.DryRun {
			ask = "would be asked again"
		}
		of := ""
		if h.Crawl != "" {
			of = " of crawl " + h.Crawl
		}
		fmt.Fprintf(w, "\nhost %s%s, closed by %s, %s: %s wait\n", h.Host, of, h.Rule, ask, cli.Count(h.Links, "link"))
	}
	for _, id := range out.Resumed {
		fmt.Fprintf(w, "\ncrawl %s had ended and continues\n", id)
	}
	if out.Out != "" && !out.DryRun && (out.Queues[0].Back > 0 || len(out.Hosts) > 0) {
		fmt.Fprintf(w, "\ncontinue with sluice crawl --resume --out %s\n", out.Out)
	}
}

func printLetter(w *bytes.Buffer, l *console.Letter) {
	fate := "stays"
	switch {
	case l.Back:
		fate = "back"
	case l.Discarded:
		fate = "discarded"
	}
	fmt.Fprintf(w, "\n%s: letter %s of %s\n", fate, cli.Clean(l.ID), l.Queue)
	if l.Crawl != "" {
		field(w, "crawl", "%s", l.Crawl)
	}
	if l.Reason != "" {
		field(w, "reason", "%s", l.Reason)
	}
	if l.Why != "" {
		because := "stays since"
		if l.Discarded {
			because = "not valid"
		}
		field(w, because, "%s", l.Why)
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

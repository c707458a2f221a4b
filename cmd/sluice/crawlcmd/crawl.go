// Package crawlcmd has the commands that fill a folder: crawl, demo and sift.
package crawlcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/local"
	"sluice/shared/local/engine"
)

// NewCrawl makes the command crawl.
func NewCrawl(s cli.Streams, getenv func(string) string) *cobra.Command {
	f := &crawlFlags{}
	cmd := &cobra.Command{
		Use:   "crawl --topic FILE",
		Short: "Crawl for a topic into a folder, on this machine",
		Long: `Crawl for a topic into a folder, on this machine.

The crawl ends when nothing is left to fetch, too few of the last pages were
kept, or a budget is used up. Ctrl-C stops it after the pages in progress;
continue with --resume.

--refresh fetches the pages of a finished or stopped crawl again. Changed
documents become new versions, and those whose pages are gone are marked. Budgets
count from zero. --resume continues a refresh that was stopped; --refresh begins
the next one. With --older-than pages that were fetched lately are not fetched
again. With --revisit sources only sitemaps and feeds are, and what is new there.`,
		Example: `  sluice crawl --topic topics/finance.yaml --contact you@example.org
  sluice crawl --topic my.yaml --seed https://example.com/ --out out/my --max-pages 500
  sluice crawl --topic my.topic --out out/compiled
  sluice crawl --resume --out out/my
  sluice crawl --refresh --out out/my
  sluice crawl --refresh --out out/my --older-than 7d
  sluice crawl --refresh --out out/my --revisit sources`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := f.spec(s, cmd.Flags(), getenv)
			if err != nil {
				return err
			}
			return RunCrawl(cmd.Context(), s, spec, f.json)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// RunCrawl runs a crawl to its end, shows how it goes, and prints what came of
// it. The first interrupt lets the pages in progress finish, the second does not.
func RunCrawl(ctx context.Context, s cli.Streams, spec local.Spec, asJSON bool) error {
	return runCrawl(ctx, s, spec, asJSON, summaryPage)
}

func runCrawl(ctx context.Context, s cli.Streams, spec local.Spec, asJSON bool, page func(*bytes.Buffer, *local.Summary)) error {
	sc := cli.NewScreen(s.Err)
	spec.Log = cli.NewLog(sc)
	// What net/http logs about odd servers goes the same way, as details.
	slog.SetDefault(spec.Log)

	hard, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	stop, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	defer cli.OnInterrupt(
		func() {
			fmt.Fprintln(sc, "stopping after the pages in progress; interrupt again to abort them")
			halt(engine.ErrInterrupted)
		},
		func() { kill(engine.ErrInterrupted) },
	)()

	sum, err := crawlFolder(hard, stop, sc, spec)
	if errors.Is(err, engine.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return cli.ErrStopped // aborted: the result is unknown
	}
	if err != nil {
		return err
	}
	return errors.Join(cli.PrintResult(s, asJSON, sum, page), failure(sum))
}

// failure is the error of a crawl that did not end by itself.
func failure(sum *local.Summary) error {
	switch engine.StopReason(sum.StopReason) {
	case engine.Interrupted, engine.Outage:
		return cli.ErrStopped
	case engine.HostsDown:
		return cli.Stopped(cli.Why[sum.StopReason])
	case engine.Unreachable:
		return fmt.Errorf("nothing could be reached: %s", sum.Reason)
	}
	return nil
}

// crawlFolder opens the crawl, runs it (see local.Crawl.Run) and closes it.
func crawlFolder(hard, stop context.Context, sc *cli.Screen, spec local.Spec) (sum *local.Summary, err error) {
	c, err := local.Open(hard, spec)
	if err != nil {
		return nil, err
	}
	defer func() { err = cli.CloseWith(c, err) }()
	var deadline time.Time
	if d := c.MaxDuration(); d > 0 {
		deadline = time.Now().Add(d)
	}
	defer showProgress(hard, sc, c, deadline)()
	return c.Run(hard, stop)
}

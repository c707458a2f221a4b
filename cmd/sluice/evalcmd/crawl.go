package evalcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/cmd/sluice/crawlcmd"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
)

// frozenFlags are the flags of the command.
type frozenFlags struct {
	web, topic, out   string
	maxPages, workers int
	randomSeed        uint64
	resume, json      bool
}

func newEvalCrawl(s cli.Streams) *cobra.Command {
	f := &frozenFlags{}
	cmd := &cobra.Command{
		Use:   "crawl --web FILE --topic FILE --out DIR",
		Short: "Crawl a frozen web into a folder that is kept",
		Long: `Crawl a frozen web into a folder that is kept, to refine a topic by it or to
judge it (eval table8 --crawl, eval sheet). The crawl is the same as those that
the other evaluations run, and as any other but for the network: it asks no
server but its own, makes no pauses, and has a budget of pages in place of the
topic's.`,
		Example: `  sluice eval crawl --web news.web.jsonl.zst --topic topics/finance.topic --out out/first
  sluice eval table8 --crawl out/first --labels news.web.jsonl.zst --label finance`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return runEvalCrawl(cmd.Context(), s, f)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.web, "web", "", "frozen web to crawl, a `FILE`; required")
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled; required")
	fl.StringVar(&f.out, "out", "", "folder of the crawl, `DIR`; required")
	fl.IntVar(&f.maxPages, "max-pages", 0, "budget of `N` pages (default the whole web)")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.Uint64Var(&f.randomSeed, "random-seed", 1, "make the crawl reproducible by `N`: it goes in rounds; 0 does not")
	fl.BoolVar(&f.resume, "resume", false, "go on with the crawl in the folder")
	fl.BoolVar(&f.json, "json", false, "print the summary as JSON")
	return cmd
}

func (f *frozenFlags) check() error {
	problems := []error{cli.Required([2]string{"web", f.web}, [2]string{"topic", f.topic}, [2]string{"out", f.out})}
	if f.maxPages < 0 {
		problems = append(problems, fmt.Errorf("--max-pages is %d: it must not be negative", f.maxPages))
	}
	if f.workers < 1 {
		problems = append(problems, fmt.Errorf("--workers is %d: at least 1 is needed", f.workers))
	}
	return cli.Usage(errors.Join(append(problems, cli.CheckFolder(f.out))...))
}

func runEvalCrawl(ctx context.Context, s cli.Streams, f *frozenFlags) error {
	setup, err := loadSetup(f.topic, f.web)
	if err != nil {
		return err
	}
	setup.MaxPages, setup.Workers, setup.RandomSeed = f.maxPages, f.workers, f.randomSeed
	spec := setup.Spec(wholecrawl.AsIs(), f.out)
	spec.Resume = f.resume
	return crawlcmd.RunCrawl(ctx, s, spec, f.json)
}

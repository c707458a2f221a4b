package evalcmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/cmd/sluice/crawlcmd"
	"sluice/shared/eval/wholecrawl"
)

// frozenFlags are the flags of the command.
type frozenFlags struct {
	web, topic, out string
	budget          budget
	resume, json    bool
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
	f.budget.register(fl)
	fl.BoolVar(&f.resume, "resume", false, "continue the crawl in the folder")
	fl.BoolVar(&f.json, "json", false, "print the summary as JSON")
	return cmd
}

func (f *frozenFlags) check() error {
	missing := cli.Required([2]string{"web", f.web}, [2]string{"topic", f.topic}, [2]string{"out", f.out})
	return cli.Usage(errors.Join(missing, f.budget.check(), cli.CheckFolder(f.out)))
}

func runEvalCrawl(ctx context.Context, s cli.Streams, f *frozenFlags) error {
	setup, err := loadSetup(f.topic, f.web)
	if err != nil {
		return err
	}
	f.budget.apply(&setup)
	spec := setup.Spec(wholecrawl.AsIs(), f.out)
	spec.Resume = f.resume
	return crawlcmd.RunCrawl(ctx, s, spec, f.json)
}

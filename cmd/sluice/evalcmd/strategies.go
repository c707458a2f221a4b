package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/rank"
)

// strategiesFlags are the flags of the comparison of strategies.
type strategiesFlags struct {
	web, hosts, csv            string
	topics, labels, strategies []string
	budgets                    []int
	perHost, workers           int
}

func newEvalStrategies(s cli.Streams) *cobra.Command {
	f := &strategiesFlags{}
	cmd := &cobra.Command{
		Use:   "strategies --web FILE --topic FILE...",
		Short: "How soon each strategy finds the articles of a topic",
		Long: `How soon each strategy finds the articles of a topic: crawls a frozen web for
every topic by every strategy, and for comparison by an oracle, which fetches a
wanted article whenever it has a link to one.

Recall at the end, and "pages to", count the wanted articles that were fetched;
precision and recall of the corpus those that were kept. Area is that under the
curve of recall over pages fetched, as a share of the web's pages.`,
		Example: "  sluice eval strategies --web news.web.jsonl.zst --topic finance.yaml --topic sports.yaml --budget 500,1000",
	}
	fl := cmd.Flags()
	fl.StringVar(&f.web, "web", "", "frozen web to crawl, a `FILE`; required")
	fl.StringArrayVar(&f.topics, "topic", nil, "topic `FILE`, YAML or compiled; may be repeated; required")
	fl.StringArrayVar(&f.labels, "label", nil, "label `L` of the pages of a topic, in the order of the topics (default their names)")
	fl.StringVar(&f.hosts, "hosts", "", "judge only pages of this `HOST` and its subdomains")
	fl.StringSliceVar(&f.strategies, "strategy", rank.Names(), "`NAMES` of the strategies")
	fl.IntSliceVar(&f.budgets, "budget", nil, "show the recall after these `NUMBERS` of pages, and end with the largest (default the whole web)")
	fl.IntVar(&f.perHost, "cap", 0, "fetch `N` pages of one host at most (default no limit)")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.StringVar(&f.csv, "csv", "", "write the curves as CSV to `FILE`: the pages fetched at each wanted article")
	return cli.WithFile(cli.WithResult(s, cmd, func(ctx context.Context, _ []string) (*strategiesTable, error) {
		return f.run(ctx, s)
	}, strategiesPage))
}

func (f *strategiesFlags) check() error {
	var problems []error
	if f.web == "" {
		problems = append(problems, errors.New("--web is missing: name a frozen web"))
	}
	if len(f.topics) == 0 {
		problems = append(problems, errors.New("--topic is missing: name a topic file or a compiled topic"))
	}
	if len(f.labels) > 0 && len(f.labels) != len(f.topics) {
		problems = append(problems, fmt.Errorf("--label is given %d times, --topic %d times: give one for each topic", len(f.labels), len(f.topics)))
	}
	for i, name := range f.strategies {
		_, err := rank.New(name, rank.Settings{})
		if slices.Contains(f.strategies[:i], name) {
			err = fmt.Errorf("--strategy has %s twice", name)
		}
		problems = append(problems, err)
	}
	for _, n := range f.budgets {
		if n < 1 {
			problems = append(problems, fmt.Errorf("--budget has %d: at least 1 page is needed", n))
		}
	}
	if f.perHost < 0 {
		problems = append(problems, fmt.Errorf("--cap is %d: it must not be negative", f.perHost))
	}
	if f.workers < 1 {
		problems = append(problems, fmt.Errorf("--workers is %d: at least 1 is needed", f.workers))
	}
	return cli.Usage(errors.Join(problems...))
}

func (f *strategiesFlags) run(ctx context.Context, s cli.Streams) (*strategiesTable, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer cancel()
	slices.Sort(f.budgets)
	t := &strategiesTable{Web: f.web, Hosts: f.hosts, Workers: f.workers, Budgets: f.budgets}
	web, err := frozenweb.Load(f.web)
	if err != nil {
		return nil, cli.Usage(err)
	}
	links := wholecrawl.ReadLinks(web)
	for i, path := range f.topics {
		setup, err := readTopic(path)
		if err != nil {
			return nil, err
		}
		setup.Web = web
		q := wholecrawl.Question{Web: web, Label: setup.Topic.File.Name, Hosts: f.hosts}
		if len(f.labels) > 0 {
			q.Label = f.labels[i]
		}
		if err := q.Check(); err != nil {
			return nil, cli.Usage(fmt.Errorf("%s: %w", f.web, err))
		}
		if err := f.compare(ctx, s, t, setup, q, links); err != nil {
			return nil, err
		}
	}
	t.average(append([]string{oracle}, f.strategies...))
	return t, writeFile(f.csv, t.curves)
}

// compare crawls for one topic.
func (f *strategiesFlags) compare(ctx context.Context, s cli.Streams, t *strategiesTable, setup wholecrawl.Setup, q wholecrawl.Question, links wholecrawl.Links) error {
	setup.Workers, setup.PerHost = f.workers, f.perHost
	if len(f.budgets) > 0 {
		setup.MaxPages = f.budgets[len(f.budgets)-1]
	}
	name := setup.Topic.File.Name
	t.add(q, name, q.Oracle(links, setup.StartsAt(), setup.MaxPages))
	for _, strategy := range f.strategies {
		fmt.Fprintf(s.Err, "topic %s: %s\n", name, strategy)
		o, err := wholecrawl.Run(ctx, setup, wholecrawl.Strategy(strategy))
		if err != nil {
			return err
		}
		t.add(q, name, o)
	}
	return nil
}

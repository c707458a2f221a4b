package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/rank"
)

// strategiesFlags are the flags of the comparison of strategies.
type strategiesFlags struct {
	web, hosts, csv, svg       string
	topics, labels, strategies []string
	budgets, caps              []int
	workers, repeats           int
}

// trial is a topic to crawl for, and what is right for it.
type trial struct {
	setup wholecrawl.Setup
	q     wholecrawl.Question
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
curve of recall over pages fetched, as a share of the web's pages. The harvest
rate is the share of the fetched pages that were kept and are right. Failed are
the URLs that the web lacks.

With --repeats every crawl is repeated from other seeds. Each seed is replaced by
a random page of its domain that has links and none of the labels; the draws are
the same for all topics and strategies, and in every run. Seeds that reach less
than nine tenths of what the first ones reach are drawn again. The intervals hold
the mean over topics and draws with 95 %, by bootstrap: 2,000 samples of topics,
and of draws within them.

With several numbers for --cap, such as 0,500, all crawls are made with each; the
oracle has none.`,
		Example: "  sluice eval strategies --web news.web.jsonl.zst --topic finance.yaml --topic sports.yaml --budget 500,1000",
	}
	fl := cmd.Flags()
	fl.StringVar(&f.web, "web", "", "frozen web to crawl, a `FILE`; required")
	fl.StringArrayVar(&f.topics, "topic", nil, "topic `FILE`, YAML or compiled; may be repeated; required")
	fl.StringArrayVar(&f.labels, "label", nil, "label `L` of the pages of a topic, in the order of the topics (default their names)")
	fl.StringVar(&f.hosts, "hosts", "", "judge only pages of this `HOST` and its subdomains")
	fl.StringSliceVar(&f.strategies, "strategy", rank.Names(), "`NAMES` of the strategies")
	fl.IntSliceVar(&f.budgets, "budget", nil, "show the recall after these `NUMBERS` of pages, and end with the largest (default the whole web)")
	fl.IntSliceVar(&f.caps, "cap", []int{0}, "fetch as many pages of one host at most; `NUMBERS`, 0 for no limit")
	fl.IntVar(&f.repeats, "repeats", 1, "crawl from `K` draws of seeds, the first of which is the web's own")
	fl.IntVar(&f.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.StringVar(&f.csv, "csv", "", "write the curves as CSV to `FILE`: the pages fetched at each wanted article")
	fl.StringVar(&f.svg, "svg", "", "draw the curves, the mean over topics and draws, as SVG into `FILE`")
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
	for i, n := range f.caps {
		switch {
		case n < 0:
			problems = append(problems, fmt.Errorf("--cap has %d: it must not be negative", n))
		case slices.Contains(f.caps[:i], n):
			problems = append(problems, fmt.Errorf("--cap has %d twice", n))
		}
	}
	if f.repeats < 1 {
		problems = append(problems, fmt.Errorf("--repeats is %d: at least 1 is needed", f.repeats))
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
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	slices.Sort(f.budgets)
	trials, err := f.load()
	if err != nil {
		return nil, err
	}
	web := trials[0].setup.Web
	t := &strategiesTable{Web: f.web, Hosts: f.hosts, Workers: f.workers, Budgets: f.budgets, Repeats: f.repeats, pages: len(web.Pages)}
	if len(f.budgets) > 0 {
		t.pages = f.budgets[len(f.budgets)-1]
	}
	links := wholecrawl.ReadLinks(web)
	var labels []string
	for _, trial := range trials {
		labels = append(labels, trial.q.Label)
	}
	for _, trial := range trials {
		draws, err := wholecrawl.Draws(web, links, trial.setup.StartsAt(), labels, f.repeats)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("--repeats is %d: %w", f.repeats, err))
		}
		for i, seeds := range draws {
			trial.setup.Seeds = seeds
			if err := f.compare(ctx, s, t, trial, i+1, links); err != nil {
				return nil, err
			}
		}
	}
	t.average(f.strategies, f.caps)
	return t, errors.Join(writeFile(f.csv, t.curves), writeFile(f.svg, t.figure().SVG))
}

// load reads web and topics, and makes sure that each question has an answer.
func (f *strategiesFlags) load() ([]trial, error) {
	web, err := frozenweb.Load(f.web)
	if err != nil {
		return nil, cli.Usage(err)
	}
	var trials []trial
	for i, path := range f.topics {
		setup, err := readTopic(path)
		if err != nil {
			return nil, err
		}
		setup.Web, setup.Workers = web, f.workers
		if len(f.budgets) > 0 {
			setup.MaxPages = f.budgets[len(f.budgets)-1]
		}
		q := wholecrawl.Question{Web: web, Label: setup.Topic.File.Name, Hosts: f.hosts}
		if len(f.labels) > 0 {
			q.Label = f.labels[i]
		}
		if err := q.Check(); err != nil {
			return nil, cli.Usage(fmt.Errorf("%s: %w", f.web, err))
		}
		trials = append(trials, trial{setup, q})
	}
	return trials, nil
}

// compare crawls for one topic from one draw of seeds.
func (f *strategiesFlags) compare(ctx context.Context, s cli.Streams, t *strategiesTable, tr trial, draw int, links wholecrawl.Links) error {
	name := tr.setup.Topic.File.Name
	t.add(tr.q, strategyRun{Topic: name, Draw: draw, Seeds: tr.setup.StartsAt()}, tr.q.Oracle(links, tr.setup.StartsAt(), tr.setup.MaxPages))
	for _, perHost := range f.caps {
		tr.setup.PerHost = perHost
		for _, strategy := range f.strategies {
			run := strategyRun{Topic: name, Draw: draw, Seeds: tr.setup.StartsAt(), Cap: perHost}
			fmt.Fprintf(s.Err, "topic %s: %s%s\n", name, strategy, t.remark(&run))
			o, err := wholecrawl.Run(ctx, tr.setup, wholecrawl.Strategy(strategy))
			if err != nil {
				return err
			}
			t.add(tr.q, run, o)
		}
	}
	return nil
}

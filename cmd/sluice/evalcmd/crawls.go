package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/topic"
)

// crawlsFlags are the flags of the evaluations that run whole crawls.
type crawlsFlags struct {
	labelled
	budget budget
}

func (f *crawlsFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.web, "web", "", "frozen web to crawl, a `FILE`; required")
	fl.StringVar(&f.topic, "topic", "", "topic `FILE`, YAML or compiled; required")
	fl.StringVar(&f.label, "label", "", "label `L` of the pages that belong to the topic; required")
	fl.StringVar(&f.hosts, "hosts", "", "judge only pages of this `HOST` and its subdomains")
	f.budget.register(fl)
}

func (f *crawlsFlags) check() error { return errors.Join(f.labelled.check(), f.budget.check()) }

// budget is what a crawl of a frozen web may use.
type budget struct {
	maxPages, workers int
	randomSeed        uint64
}

func (b *budget) register(fl *pflag.FlagSet) {
	fl.IntVar(&b.maxPages, "max-pages", 0, "budget of `N` pages for a crawl (default the whole web)")
	fl.IntVar(&b.workers, "workers", local.DefaultWorkers, "fetch from `N` hosts at a time")
	fl.Uint64Var(&b.randomSeed, "random-seed", 1, "make a crawl reproducible by `N`: it goes in rounds; 0 does not")
}

func (b *budget) check() error {
	var problems []error
	if b.maxPages < 0 {
		problems = append(problems, fmt.Errorf("--max-pages is %d: it must not be negative", b.maxPages))
	}
	if b.workers < 1 {
		problems = append(problems, fmt.Errorf("--workers is %d: at least 1 is needed", b.workers))
	}
	return cli.Usage(errors.Join(problems...))
}

func (b *budget) apply(s *wholecrawl.Setup) {
	s.MaxPages, s.Workers, s.RandomSeed = b.maxPages, b.workers, b.randomSeed
}

// load reads web and topic, and makes sure that the question has an answer.
func (f *crawlsFlags) load() (wholecrawl.Setup, wholecrawl.Question, error) {
	setup, err := loadSetup(f.topic, f.web)
	if err != nil {
		return setup, wholecrawl.Question{}, err
	}
	q := wholecrawl.Question{Web: setup.Web, Label: f.label, Hosts: f.hosts}
	if err := q.Check(); err != nil {
		return setup, q, cli.Usage(fmt.Errorf("%s: %w", f.web, err))
	}
	f.budget.apply(&setup)
	return setup, q, nil
}

// loadSetup reads a topic, YAML or compiled, and the web to crawl for it.
func loadSetup(path, webPath string) (s wholecrawl.Setup, err error) {
	if s, err = readTopic(path); err != nil {
		return s, err
	}
	if s.Web, err = frozenweb.Load(webPath); err != nil {
		return s, cli.Usage(err)
	}
	return s, nil
}

// readTopic reads a topic, YAML or compiled.
func readTopic(path string) (s wholecrawl.Setup, err error) {
	if s.Source, err = topic.ReadSource(path); err != nil {
		return s, cli.Usage(err)
	}
	s.Topic, err = topic.Read(path, s.Source)
	return s, cli.Usage(err)
}

// crawlAll runs the crawls one after the other and reports each. An interrupt
// ends it and leaves nothing behind.
func crawlAll(ctx context.Context, s cli.Streams, setup wholecrawl.Setup, q wholecrawl.Question, variants []wholecrawl.Variant) ([]wholecrawl.Result, error) {
	ctx, stop := cli.UntilInterrupt(ctx)
	defer stop()
	results := make([]wholecrawl.Result, 0, len(variants))
	for i, v := range variants {
		fmt.Fprintf(s.Err, "crawl %d of %d: %s\n", i+1, len(variants), v.Name)
		o, err := wholecrawl.Run(ctx, setup, v)
		if err != nil {
			return nil, err
		}
		results = append(results, q.Judge(o))
	}
	return results, nil
}

// crawlsTable is what these commands print as JSON.
type crawlsTable struct {
	Web     string              `json:"web"`
	Topic   string              `json:"topic"`
	Label   string              `json:"label"`
	Hosts   string              `json:"hosts,omitempty"`
	Crawls  []wholecrawl.Result `json:"crawls"`
	Caption string              `json:"caption"`
}

// caption says what the columns count.
const caption = `kept: documents in the corpus; right: of these, pages with the label, lists as
well as articles. Recall: of the articles with the label, those kept. Fetched:
pages of the web; harvest rate: right by fetched.`

// printResults prints one line for each crawl.
func printResults(w *bytes.Buffer, results []wholecrawl.Result, to80 bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "crawl\tfetched\tkept\tprecision\trecall\tF1\tharvest rate")
	if to80 {
		fmt.Fprint(t, "\tpages to 80 %")
	}
	fmt.Fprintln(t)
	for _, r := range results {
		printScore(t, cli.Clean(r.Name), &r.Score)
		if to80 {
			fmt.Fprintf(t, "\t%s", number(r.To80))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
}

// printScore prints a line but for its end.
func printScore(t *tabwriter.Writer, name string, s *wholecrawl.Score) {
	fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s", name, number(s.Fetched), s.Kept,
		cell(s.Precision), cell(s.Recall), cell(s.F1), cell(s.Harvest))
}

// number is a count in a table, a dash where it is not known.
func number(n *int) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprint(*n)
}

func crawlsTitle(w *bytes.Buffer, t *crawlsTable) {
	where := ""
	if t.Hosts != "" {
		where = ", pages on " + cli.Clean(t.Hosts)
	}
	fmt.Fprintf(w, "Topic %s on %s: label %s%s\n\n", cli.Clean(t.Topic), cli.Clean(t.Web), cli.Clean(t.Label), where)
}

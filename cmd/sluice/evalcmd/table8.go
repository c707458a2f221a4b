package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
)

func newEvalTable8(s cli.Streams) *cobra.Command {
	f := &crawlsFlags{}
	var dir, labels string
	cmd := &cobra.Command{
		Use:   "table8 --web FILE --topic FILE --label L",
		Short: "Precision of whole crawls by site, beside breadth-first and keywords (Table 8)",
		Long: `Precision of whole crawls by site, beside breadth-first and keywords (Table 8):
crawls a frozen web for the topic, then with all links followed and all pages
kept, then by keywords alone (a link is followed if its anchor has a topic word,
a page kept if title, description or keywords have one), each with the same
budget, and judges what was kept by the labels of the web.

With --crawl it judges a crawl that exists: by the labels of a web, which may
be any frozen web or JSON lines with url and label.

` + caption,
		Example: `  sluice eval table8 --web news.web.jsonl.zst --topic topics/finance.topic --label finance --hosts portal.test
  sluice eval table8 --crawl out/finance --labels news.web.jsonl.zst --label finance`,
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&dir, "crawl", "", "judge the crawl in this folder, `DIR`, instead of crawling")
	cmd.Flags().StringVar(&labels, "labels", "", "web whose labels judge it, a `FILE`")
	return cli.WithFile(cli.WithResult(s, cmd, func(ctx context.Context, _ []string) (*crawlsTable, error) {
		return runTable8(ctx, s, f, dir, labels)
	}, table8Page))
}

func runTable8(ctx context.Context, s cli.Streams, f *crawlsFlags, dir, labels string) (*crawlsTable, error) {
	t := &crawlsTable{Web: f.web, Label: f.label, Hosts: f.hosts, Caption: caption}
	if dir != "" || labels != "" {
		return t, judgeCrawl(ctx, f, t, dir, labels)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	setup, q, err := f.load()
	if err != nil {
		return nil, err
	}
	t.Topic = setup.Topic.File.Name
	t.Crawls, err = crawlAll(ctx, s, setup, q, []wholecrawl.Variant{wholecrawl.AsIs(), wholecrawl.Keyword(), wholecrawl.BreadthFirst()})
	return t, err
}

// judgeCrawl fills the table with a crawl that exists.
func judgeCrawl(ctx context.Context, f *crawlsFlags, t *crawlsTable, dir, labels string) error {
	var problems []error
	for _, flag := range []struct{ name, value, what string }{
		{"crawl", dir, "the folder of a crawl"},
		{"labels", labels, "a web with labels"},
		{"label", f.label, "the label of the pages that belong to the topic"},
	} {
		if flag.value == "" {
			problems = append(problems, fmt.Errorf("--%s is missing: name %s", flag.name, flag.what))
		}
	}
	if f.web != "" || f.topic != "" {
		problems = append(problems, errors.New("--web and --topic start crawls, --crawl and --labels judge one: choose"))
	}
	if err := cli.Usage(errors.Join(problems...)); err != nil {
		return err
	}
	web, err := frozenweb.LoadIndex(labels)
	if err != nil {
		return cli.Usage(err)
	}
	q := wholecrawl.Question{Web: web, Label: f.label, Hosts: f.hosts}
	if err := q.Check(); err != nil {
		return cli.Usage(fmt.Errorf("%s: %w", labels, err))
	}
	o, err := wholecrawl.Of(ctx, dir)
	if err != nil {
		return err
	}
	t.Web, t.Topic, t.Crawls = labels, o.Name, []wholecrawl.Result{q.Judge(o)}
	return nil
}

func table8Page(w *bytes.Buffer, t *crawlsTable) {
	crawlsTitle(w, t)
	printResults(w, t.Crawls, false)
	for _, r := range t.Crawls {
		fmt.Fprintf(w, "\n%s, by site\n\n", cli.Clean(r.Name))
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "site\tfetched\tkept\tprecision\trecall\tF1\tharvest rate")
		for i := range r.Sites {
			printScore(tw, cli.Clean(r.Sites[i].Site), &r.Sites[i])
			fmt.Fprintln(tw)
		}
		_ = tw.Flush() // to memory
	}
	fmt.Fprintf(w, "\n%s\n", t.Caption)
}

package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/sheet"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/state/corpus"
)

func newEvalSheet(s cli.Streams) *cobra.Command {
	var dir, marks string
	var n int
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sheet --crawl DIR | --read FILE",
		Short: "Draw documents for labelling, and read the marks back",
		Long: `Draw documents for labelling, and read the marks back: how precise a crawl is
when nothing is labelled. With --crawl it draws documents of the corpus and
writes tab-separated text: mark, url, title, first 200 characters. A person
writes 1, y or 是 into the first column where a document belongs to the topic,
0, n or 否 where not, and leaves blank what cannot be told. With --read it
prints the precision, altogether and by site, with its 95 % interval (Wilson).`,
		Example: `  sluice eval sheet --crawl out/finance --n 100 >sheet.tsv
  sluice eval sheet --read sheet.tsv`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case (dir == "") == (marks == ""):
				return cli.Usage(errors.New("name a crawl to draw from by --crawl, or a marked sheet by --read"))
			case dir != "" && asJSON:
				return cli.Usage(errors.New("--json goes with --read: a sheet is for people"))
			case dir != "":
				return drawSheet(cmd.Context(), s, dir, n, seed)
			}
			return readSheet(s, marks, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&dir, "crawl", "", "folder of the crawl to draw from, `DIR`")
	fl.IntVar(&n, "n", 100, "draw `N` documents")
	fl.Uint64Var(&seed, "seed", 1, "of the draw, a number `N`")
	fl.StringVar(&marks, "read", "", "sheet with marks, a `FILE`")
	fl.BoolVar(&asJSON, "json", false, "print the precision as JSON")
	return cmd
}

func drawSheet(ctx context.Context, s cli.Streams, dir string, n int, seed uint64) error {
	if n < 1 || n > 100_000 {
		return cli.Usage(fmt.Errorf("--n is %d: it must be 1 to 100,000", n))
	}
	folder, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }() // only looked at
	sample := sheet.NewSample(n, seed)
	err = wholecrawl.Documents(dir, func(d *corpus.Document) error {
		sample.Add(cmp.Or(d.FinalURL, d.URL), d.Title, d.Text)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if sample.Len() == 0 {
		return fmt.Errorf("the corpus in %s is empty: nothing to draw", dir)
	}
	fmt.Fprintf(s.Err, "drew %d of %s\n", sample.Len(), cli.Count(sample.Seen(), "document"))
	return sample.Write(s.Out)
}

func readSheet(s cli.Streams, path string, asJSON bool) error {
	file, err := os.Open(path)
	if err != nil {
		return cli.Usage(fmt.Errorf("read sheet: %w", err))
	}
	defer func() { _ = file.Close() }() // only read
	result, err := sheet.Read(file)
	if err != nil {
		return cli.Usage(fmt.Errorf("read sheet %s: %w", path, err))
	}
	return cli.PrintResult(s, asJSON, result, sheetPage)
}

func sheetPage(w *bytes.Buffer, r *sheet.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "site\tmarked\tright\tnot marked\tprecision\t95 % interval")
	for i := range r.Sites {
		printPrecision(t, cli.Clean(r.Sites[i].Site), &r.Sites[i])
	}
	printPrecision(t, "all", &r.Precision)
	_ = t.Flush() // to memory
}

func printPrecision(t *tabwriter.Writer, name string, p *sheet.Precision) {
	fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%.3f–%.3f\n", name, p.Marked, p.Right, p.Unmarked, cell(p.Value), p.Low, p.High)
}

package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/duplicates"
)

func newEvalDuplicates(s cli.Streams, getenv func(string) string) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "duplicates [--data DIR]",
		Short: "How well documents that repeat others are found (A13)",
		Long: `How well documents that repeat others are found (A13): among articles, copies of
them are planted, and bulletins that are filled into the same forms.

  edited             a share of the characters, here and there: a third of them
                     replaced, a third left out, a third put in
  replaced           a share of the characters, here and there
  in runs            a share of the characters, in runs of 5 to 20
  in words           a share of the characters, two neighbours at a time
  swapped            a share of the characters, by their neighbours, alone or in twos
  header and footer  what a site puts around its articles
  traditional        in traditional characters
  cropped            the first 70 %
  joined             with another article behind it

Recall is the share of copies of which only one document stays, alone that where
there is nothing but the copy and its original. Precision is that of all that is
reported. Articles that repeat each other by themselves, since they have 100
characters in sequence in common, are counted apart.`,
		Example: `  sluice eval duplicates --data ../shared/data`,
	}
	fl := cmd.Flags()
	fl.StringVar(&dir, "data", "", "`DIR` with html/daniel_zh/reference or text/*.txt.zst (default data in $SLUICE_SHARED, or in ../shared)")
	return cli.WithFile(cli.WithResult(s, cmd, func(ctx context.Context, _ []string) (*duplicates.Table, error) {
		articles, err := duplicates.Load(cmp.Or(dir, filepath.Join(cmp.Or(getenv("SLUICE_SHARED"), "../shared"), "data")))
		if err != nil {
			return nil, cli.Usage(err)
		}
		return duplicates.Judge(ctx, articles)
	}, duplicatesPage))
}

func duplicatesPage(w *bytes.Buffer, t *duplicates.Table) {
	fmt.Fprintf(w, "Copies among %d documents, made of %s\n\n", t.Documents, cli.Count(t.Articles, "article"))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "copy\tplanted\tfound\trecall\talone")
	for _, r := range t.Rows {
		fmt.Fprintf(tab, "%s\t%d\t%d\t%.4f\t%.4f\n", r.Kind, r.Planted, r.Found, r.Recall, r.Alone)
	}
	_ = tab.Flush() // to memory
	fmt.Fprintf(w, "\nreported    %d, of which %d are true: precision %.4f (%d natural ones apart)\n", t.Reported, t.True, t.Precision, t.Natural)
	b := t.Bulletins
	fmt.Fprintf(w, "look-alikes %d, of which %d were taken for copies; of %s alone %d\n", b.Documents, b.Wrong, cli.Count(b.Pairs, "pair"), b.WrongPair)
	c := t.Cost
	fmt.Fprintf(w, "cost        %.0f documents a second, %.1f comparisons a document\n", c.DocumentsPerSecond, float64(c.Candidates)/float64(t.Documents))
	fmt.Fprintf(w, "index       %.0f MB in memory and %.0f MB on disk per million documents\n", c.Memory/1e6, c.Index/1e6)
}

package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/maintext"
)

// extractTable is what the command prints as JSON.
type extractTable struct {
	Tables     []*maintext.Table     `json:"tables"`
	Agreements []*maintext.Agreement `json:"agreements"`
}

func newEvalExtract(s cli.Streams, getenv func(string) string) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "extract [--data DIR]",
		Short: "How well the main text of pages is found (A13)",
		Long: `How well the main text of pages is found (A13): by the method of a crawl, beside
the two that it is made of, each alone.

  sluice          what a crawl keeps
  go-readability  the library as it comes
  density         the density of text over blocks

Folders of DIR with an index.tsv have a reference for each page: F1 of character
4-grams, as a mean over all pages, those in simplified and in traditional
characters, and those with less than 300 and from 1,000 characters on. Nearly
all references begin with the headline, so it is put in front of each text, the
same for all methods; bare is the figure without. Two pages of DAnIEL are left
out, whose reference is the text of another page.

Of folders without references it shows how far the methods agree: F1 between their
texts. Pages under a folder named like "list" are lists of links, and no
documents.`,
		Example: `  sluice eval extract --data ../shared/data/html`,
	}
	fl := cmd.Flags()
	fl.StringVar(&dir, "data", "", "`DIR` of folders of saved pages, or one of these folders (default data/html in $SLUICE_SHARED, or in ../shared)")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*extractTable, error) {
		return runExtract(cmp.Or(dir, filepath.Join(cmp.Or(getenv("SLUICE_SHARED"), "../shared"), "data", "html")))
	}, extractPage))
}

func runExtract(dir string) (*extractTable, error) {
	sets, err := maintext.Load(dir)
	if err != nil {
		return nil, cli.Usage(err)
	}
	result := &extractTable{Tables: []*maintext.Table{}, Agreements: []*maintext.Agreement{}}
	var problems []error
	for i := range sets {
		if sets[i].HasReferences() {
			t, err := maintext.Judge(&sets[i])
			problems = append(problems, err)
			result.Tables = append(result.Tables, t)
			continue
		}
		a, err := maintext.Agree(&sets[i])
		problems = append(problems, err)
		result.Agreements = append(result.Agreements, a)
	}
	return result, cli.Usage(errors.Join(problems...))
}

func extractPage(w *bytes.Buffer, r *extractTable) {
	for _, t := range r.Tables {
		fmt.Fprintf(w, "Main text of %s: F1 of character 4-grams, headline in front (%s left out)\n\n", cli.Clean(t.Set), cli.Count(t.Mismatched, "page"))
		printExtracted(w, t)
		fmt.Fprintln(w)
	}
	if len(r.Agreements) > 0 {
		fmt.Fprint(w, "Agreement: F1 between two texts of a page\n\n")
		printAgreements(w, r.Agreements)
	}
}

func printExtracted(w *bytes.Buffer, t *maintext.Table) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "method\tall\tsimplified\ttraditional\tshort\tlong\tbare\tlost")
	fmt.Fprintf(tab, "pages\t%d\t%d\t%d\t%d\t%d\t%[1]d\t\n", t.Pages.All, t.Pages.Simplified, t.Pages.Traditional, t.Pages.Short, t.Pages.Long)
	for _, row := range t.Rows {
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", row.Method, cell(row.F1.All), cell(row.F1.Simplified),
			cell(row.F1.Traditional), cell(row.F1.Short), cell(row.F1.Long), cell(row.Bare), row.Lost)
	}
	_ = tab.Flush() // to memory
}

func printAgreements(w *bytes.Buffer, agreements []*maintext.Agreement) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "set\tpages\tdocuments\tmedia\tlost\tlibrary, density\tlibrary, sluice\tdensity, sluice\tapart\tlists\ttaken for lists")
	for _, a := range agreements {
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t%d\n", cli.Clean(a.Set), a.Pages, a.Documents, a.Media, len(a.Lost),
			cell(a.F1.Methods), cell(a.F1.Library), cell(a.F1.Density), len(a.Apart), a.Lists, a.TakenForLists)
	}
	_ = tab.Flush() // to memory
	for _, a := range agreements {
		for _, name := range a.Lost {
			fmt.Fprintf(w, "\nno text: %s/%s", cli.Clean(a.Set), cli.Clean(name))
		}
		for _, name := range a.TakenForText {
			fmt.Fprintf(w, "\na list taken for a document: %s/%s", cli.Clean(a.Set), cli.Clean(name))
		}
	}
	fmt.Fprintln(w)
}

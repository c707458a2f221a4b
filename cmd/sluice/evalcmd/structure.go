package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/sitefields"
	"sluice/shared/eval/sitelists"
)

// structureTable is what the command prints as JSON.
type structureTable struct {
	Fields fieldsTable `json:"fields"`
	Lists  listsTable  `json:"lists"`
	Shops  *shopsTable `json:"shops,omitempty"` // nil where pages are named
}

// listsTable judges the main lists of pages.
type listsTable struct {
	Rows       []sitelists.Row `json:"rows"` // by page
	Pages      int             `json:"pages"`
	Exact      int             `json:"exact"`     // pages with as many records as wanted
	P          metric.Number   `json:"precision"` // of records
	R          metric.Number   `json:"recall"`
	AnalysisMS float64         `json:"analysis_ms"` // of a page, without parsing
}

// fieldsTable judges the fields of detail pages.
type fieldsTable struct {
	Rows   []fieldRow    `json:"rows"`   // by site and field
	Totals []fieldRow    `json:"totals"` // by template and field: Site is the template
	Pages  int           `json:"pages"`
	P      metric.Number `json:"precision"` // over all values
	R      metric.Number `json:"recall"`
	F1     metric.Number `json:"f1"`
	// Milliseconds without parsing: of the analysis of a site, and of reading a
	// page by the paths found.
	AnalysisMS   float64 `json:"analysis_ms"`
	ExtractionMS float64 `json:"extraction_ms"`
}

type fieldRow struct {
	sitefields.Row
	ErrorRate metric.Number `json:"error_rate"`
}

func newEvalStructure(s cli.Streams, getenv func(string) string) *cobra.Command {
	var dir, table, csv, svg string
	cmd := &cobra.Command{
		Use:   "structure [--data DIR] [--lists FILE] [--csv FILE] [--svg FILE]",
		Short: "How well the fields and lists of pages are found (C3, C4, C7)",
		Long: `How well the fields of pages are found by the templates that come with sluice
(C4, C7): analyses the pages of each site together, reads all of them by the
paths found, and compares the values with the true ones.

DIR is in the form of SWDE: html/VERTICAL-SITE/PAGE.htm, read by the template
of the vertical, and groundtruth/VERTICAL-SITE-FIELD.txt with two lines of heading,
then page, number of values and values between tabs.

A value is right if it is one of the true ones, or all of them together; letters
and digits count, and of prices and dates what they mean. The others are errors:
empty, garbled (characters that no text has), ill-typed (no number or date), or
wrong. Values on pages that have none lower the precision.

FILE names saved list pages, with tabs between its columns, which have headings: path
relative to FILE, encoding, record_xpath, n_records; 0 for a page without a list. The
main list of each page is compared: the number of its records, and how many of them hold
exactly one of the true ones, or are in one.

Without DIR and FILE the shops of the demo web are judged as well, 540 products in four
themes: ten pages of each are analysed, all are read. The pages over time (C7, Fig. 10),
with the analysis, are compared with those of extractors that were written by hand for
each theme: the fastest of three rounds counts. Nothing else should run meanwhile.`,
		Example: `  sluice eval structure --data ../shared/data/swde
  sluice eval structure --csv pages.csv --svg pages.svg`,
	}
	cmd.Flags().StringVar(&dir, "data", "", "`DIR` of pages and true values (default data/swde in $SLUICE_SHARED, or in ../shared)")
	cmd.Flags().StringVar(&table, "lists", "", "`FILE` of list pages and the paths of their records (default data/shop/list_gold.tsv there)")
	cmd.Flags().StringVar(&csv, "csv", "", "write the pages over time as CSV to `FILE`")
	cmd.Flags().StringVar(&svg, "svg", "", "draw them into `FILE`")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*structureTable, error) {
		if dir+table != "" && csv+svg != "" {
			return nil, cli.Usage(errors.New("--csv and --svg are of the shops of the demo web, which are not judged with --data or --lists"))
		}
		data := filepath.Join(cmp.Or(getenv("SLUICE_SHARED"), "../shared"), "data")
		t := &structureTable{}
		var err error
		if dir == "" && table == "" {
			if t.Shops, err = judgeShops(); err == nil {
				err = errors.Join(writeFile(csv, t.Shops.csv), writeFile(svg, t.Shops.figure().SVG))
			}
			if err != nil {
				return nil, err
			}
			if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintf(s.Err, "sluice: no folder %s: only the shops of the demo web are judged\n", data)
				return t, nil
			}
		}
		sites, err := sitefields.Load(cmp.Or(dir, filepath.Join(data, "swde")))
		if err != nil {
			return nil, cli.Usage(err)
		}
		if t.Fields, err = judgeFields(sites); err != nil {
			return nil, err
		}
		if table == "" && dir != "" {
			return t, nil
		}
		lists, err := sitelists.Judge(cmp.Or(table, filepath.Join(data, "shop", "list_gold.tsv")))
		if err != nil {
			return nil, cli.Usage(err)
		}
		t.Lists = listsTable{lists.Rows, len(lists.Rows), lists.Exact, metric.Number(lists.Records.Precision()), metric.Number(lists.Records.Recall()), milliseconds(lists.Analysis)}
		return t, nil
	}, structurePage))
}

func judgeFields(sites []sitefields.Site) (fieldsTable, error) {
	r, err := sitefields.Judge(sites)
	if err != nil {
		return fieldsTable{}, err
	}
	all := r.All.Count()
	return fieldsTable{
		Rows: fieldRows(r.Rows), Totals: fieldRows(r.Fields), Pages: r.Pages,
		P: metric.Number(all.Precision()), R: metric.Number(all.Recall()), F1: metric.Number(all.F1()),
		AnalysisMS: milliseconds(r.Analysis), ExtractionMS: milliseconds(r.Extraction),
	}, nil
}

func fieldRows(rows []sitefields.Row) []fieldRow {
	with := make([]fieldRow, len(rows))
	for i, row := range rows {
		with[i] = fieldRow{row, row.Errors()}
	}
	return with
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func structurePage(w *bytes.Buffer, t *structureTable) {
	if t.Fields.Pages > 0 {
		printFields(w, &t.Fields)
	}
	if t.Lists.Pages > 0 {
		fmt.Fprintln(w)
		printLists(w, &t.Lists)
	}
	if t.Shops != nil {
		if t.Fields.Pages > 0 {
			fmt.Fprint(w, "\nThe shops of the demo web\n\n")
		}
		printFields(w, &t.Shops.fieldsTable)
		t.Shops.printCourses(w)
	}
}

func printFields(w *bytes.Buffer, f *fieldsTable) {
	fmt.Fprintf(w, "Fields of %s: F1 %s, precision %s, recall %s\n", cli.Count(f.Pages, "page"), cell(f.F1), cell(f.P), cell(f.R))
	fmt.Fprintf(w, "Analysis of a site %.0f ms, fields of a page %.2f ms\n\n", f.AnalysisMS, f.ExtractionMS)
	printFieldRows(w, "site", f.Rows)
	fmt.Fprintln(w)
	printFieldRows(w, "template", f.Totals)
}

func printLists(w *bytes.Buffer, l *listsTable) {
	fmt.Fprintf(w, "Lists of %s: %d exact, precision of records %s, recall %s; analysis of a page %.1f ms\n\n", cli.Count(l.Pages, "page"), l.Exact, cell(l.P), cell(l.R), l.AnalysisMS)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "page\trecords\tfound\tright")
	for _, r := range l.Rows {
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\n", cli.Clean(r.Page), r.Want, r.Got, r.Right)
	}
	_ = tab.Flush() // to memory
}

func printFieldRows(w *bytes.Buffer, of string, rows []fieldRow) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "%s\tfield\tpages\tright\tempty\tgarbled\till-typed\twrong\textra\terror rate\n", of)
	for _, r := range rows {
		fmt.Fprintf(tab, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", cli.Clean(r.Site), cli.Clean(r.Field),
			r.Wanted, r.Right, r.Empty, r.Garbled, r.IllTyped, r.Wrong, r.Extra, cell(r.ErrorRate))
	}
	_ = tab.Flush() // to memory
}

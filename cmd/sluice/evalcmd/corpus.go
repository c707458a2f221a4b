package evalcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/fidelity"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/readweb"
	"sluice/shared/text/pii"
)

// corpusTable is what the command prints as JSON.
type corpusTable struct {
	Web     string `json:"web"`
	Pages   int    `json:"pages"`
	Sources int    `json:"sources"`
	*fidelity.Table
}

func newEvalCorpus(s cli.Streams) *cobra.Command {
	var web string
	var sources []string
	cmd := &cobra.Command{
		Use:   "corpus --web FILE --source FILE...",
		Short: "How true documents are to the texts that their pages were made of",
		Long: `How true documents are to the texts that their pages were made of (A13). All
pages of a web are read as a crawl reads those that are on its topic: main text,
what recurs on the pages of a host, quality rules, personal data. Each document
of an article is then compared with its source, character by character in their
order; white space does not count. What the source has in front may be in the
title of the document.

  kept         share of the sources of documents that is in the documents
  body         the same without the lines that name an editor
  of all       as kept, with the sources of articles that were refused
  clean        share of the texts of documents that is in their sources
  with foreign documents with a line that their source lacks, by more than half

Sources are read from files, one a line: objects of JSON with url and body, or a
label and a text with a tab between them, whose page is the one that shows most
of it. Personal data is masked in them, too. Articles without a
source are counted, not compared.`,
		Example: `  sluice eval corpus --web zh-news.web.jsonl.zst --source chinanews.jsonl --source cnews1000.tsv`,
	}
	fl := cmd.Flags()
	fl.StringVar(&web, "web", "", "frozen web, a `FILE`; required")
	fl.StringArrayVar(&sources, "source", nil, "`FILE` of texts that its pages were made of; may be repeated; required")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*corpusTable, error) {
		return runEvalCorpus(web, sources)
	}, corpusPage))
}

// corpusLanguage is that of the webs that are judged.
const corpusLanguage = "zh"

func runEvalCorpus(path string, files []string) (*corpusTable, error) {
	var problems []error
	if path == "" {
		problems = append(problems, errors.New("--web is missing: name a frozen web"))
	}
	if len(files) == 0 {
		problems = append(problems, errors.New("--source is missing: name the texts that the pages were made of"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, cli.Usage(err)
	}
	sources, err := fidelity.Load(files...)
	if err != nil {
		return nil, cli.Usage(err)
	}
	web, err := frozenweb.Load(path)
	if err != nil {
		return nil, cli.Usage(err)
	}
	verdicts, err := readweb.Read(web, corpusLanguage)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("%s: %w", path, err))
	}
	pages := make([]fidelity.Page, len(verdicts))
	for i := range verdicts {
		pages[i] = judgedPage(&web.Pages[i], &verdicts[i], sources)
	}
	return &corpusTable{Web: path, Pages: len(pages), Sources: sources.Len(), Table: fidelity.Judge(pages)}, nil
}

// judgedPage is a page as it is judged, with its source masked as the document
// is.
func judgedPage(p *frozenweb.Page, v *readweb.Page, sources *fidelity.Sources) fidelity.Page {
	judged := fidelity.Page{URL: v.URL, Host: v.Host, Rule: v.Rule, Detail: v.Detail}
	if v.Document != nil {
		judged.Document = &fidelity.Document{Title: v.Document.Title, Text: v.Document.Text}
	}
	switch p.Kind {
	case frozenweb.Article:
		if source := sources.Find(v.URL, v.Markup); source != nil {
			masked := *source
			masked.Text, _ = pii.Mask(source.Text)
			judged.Source = &masked
		}
	case frozenweb.Media:
		judged.Kind = fidelity.Media
	default:
		judged.Kind = fidelity.Other
	}
	return judged
}

func corpusPage(w *bytes.Buffer, r *corpusTable) {
	fmt.Fprintf(w, "Documents of %s beside %s\n\n", cli.Count(r.Pages, "page"), cli.Count(r.Sources, "source"))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "host\tarticles\tkept\tmedia\tkept\tothers\tkept\tcompared\tkept\tbody\tof all\tclean\twith foreign")
	for _, row := range append(slices.Clone(r.Hosts), r.Total) {
		name := cli.Clean(row.Host)
		name = cmp.Or(name, "all")
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%d\n", name, row.Articles.Pages, row.Articles.Kept,
			row.Media.Pages, row.Media.Kept, row.Others.Pages, row.Others.Kept,
			row.Compared, exact(row.Kept), exact(row.KeptBody), exact(row.KeptOfAll), exact(row.Clean), row.Foreign)
	}
	_ = tab.Flush() // to memory
	if rules := r.Total.Rules; len(rules) > 0 {
		var parts []string
		for _, rule := range slices.Sorted(maps.Keys(rules)) {
			parts = append(parts, fmt.Sprintf("%s %d", rule, rules[rule]))
		}
		fmt.Fprintf(w, "\nArticles refused: %s\n", strings.Join(parts, ", "))
	}
	printLines(w, "Lines that the source lacks", r.Foreign)
	printLines(w, "Lines that the document lacks", r.Missing)
}

// exact shows a share that is near 1.
func exact(n metric.Number) string {
	if math.IsNaN(float64(n)) {
		return cell(n)
	}
	return fmt.Sprintf("%.4f", n)
}

func printLines(w *bytes.Buffer, title string, lines []fidelity.Line) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s, by documents\n\n", title)
	for _, l := range lines {
		fmt.Fprintf(w, "%6d  %.160s\n", l.Documents, cli.Clean(l.Line))
	}
}

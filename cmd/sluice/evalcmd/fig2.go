package evalcmd

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/chart"
	"sluice/shared/eval/wholecrawl"
)

// fig2Flags are crawlsFlags and what else fig2 takes.
type fig2Flags struct {
	crawlsFlags
	thresholds, csv, svg string
}

// fig2Table is what the command prints as JSON.
type fig2Table struct {
	crawlsTable
	Thresholds []float64 `json:"thresholds"` // of the crawls, in their order
	Own        float64   `json:"own_threshold"`
}

func newEvalFig2(s cli.Streams) *cobra.Command {
	f := &fig2Flags{}
	cmd := &cobra.Command{
		Use:   "fig2 --web FILE --topic FILE --label L",
		Short: "Precision and volume of a crawl by priority threshold (Fig. 2)",
		Long: `Precision and volume of a crawl by priority threshold (Fig. 2): crawls a frozen
web once for each threshold and judges what was kept by the labels of the web.
A topic's relevance has a scale of its own; by default the thresholds are
multiples of the topic's, from an eighth to four times. λ stays below each.

` + caption,
		Example: `  sluice eval fig2 --web news.web.jsonl.zst --topic topics/finance.topic --label finance --svg fig2.svg
  sluice eval fig2 --web news.web.jsonl.zst --topic topics/finance.topic --label finance --thresholds 0.01,0.05,0.1,0.2,0.3`,
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&f.thresholds, "thresholds", "", "`LIST` of numbers above 0, as in 0.05,0.1,0.2 (default multiples of the topic's)")
	cmd.Flags().StringVar(&f.csv, "csv", "", "write the table as CSV to `FILE`")
	cmd.Flags().StringVar(&f.svg, "svg", "", "draw the figure into `FILE`")
	return cli.WithFile(cli.WithResult(s, cmd, func(ctx context.Context, _ []string) (*fig2Table, error) {
		return runFig2(ctx, s, f)
	}, fig2Page))
}

// parseThresholds reads a list of positive numbers; nil for an empty one.
func parseThresholds(list string) ([]float64, error) {
	if list == "" {
		return nil, nil
	}
	var thresholds []float64
	for item := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return nil, cli.Usage(fmt.Errorf("--thresholds has %.40q: numbers above 0 are needed, with commas between them", item))
		}
		thresholds = append(thresholds, v)
	}
	return thresholds, nil
}

func runFig2(ctx context.Context, s cli.Streams, f *fig2Flags) (*fig2Table, error) {
	thresholds, err := parseThresholds(f.thresholds)
	if err = errors.Join(f.check(), err); err != nil {
		return nil, err
	}
	setup, q, err := f.load()
	if err != nil {
		return nil, err
	}
	own := setup.Topic.File.Thresholds.Priority
	if thresholds == nil {
		for _, factor := range []float64{0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4} {
			thresholds = append(thresholds, factor*own)
		}
	}
	variants := make([]wholecrawl.Variant, len(thresholds))
	for i, t := range thresholds {
		variants[i] = wholecrawl.Priority(t)
	}
	result := &fig2Table{Thresholds: thresholds, Own: own, crawlsTable: crawlsTable{
		Web: f.web, Topic: setup.Topic.File.Name, Label: f.label, Hosts: f.hosts, Caption: caption,
	}}
	if result.Crawls, err = crawlAll(ctx, s, setup, q, variants); err != nil {
		return nil, err
	}
	return result, errors.Join(
		writeFile(f.csv, result.csv),
		writeFile(f.svg, result.figure().SVG),
	)
}

// writeFile writes a file by a function; no path, no file.
func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return errors.Join(write(file), file.Close())
}

func (r *fig2Table) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"threshold", "fetched", "kept", "right", "wanted", "found", "precision", "recall", "f1", "harvest_rate"}}
	for i := range r.Crawls {
		c := &r.Crawls[i]
		row := []string{strconv.FormatFloat(r.Thresholds[i], 'g', -1, 64), number(c.Fetched)}
		for _, n := range []int{c.Kept, c.Right, c.Wanted, c.Found} {
			row = append(row, strconv.Itoa(n))
		}
		for _, v := range []float64{float64(c.Precision), float64(c.Recall), float64(c.F1), float64(c.Harvest)} {
			field := ""
			if !math.IsNaN(v) {
				field = strconv.FormatFloat(v, 'g', 6, 64)
			}
			row = append(row, field)
		}
		rows = append(rows, row)
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

func (r *fig2Table) figure() *chart.Figure {
	figure := &chart.Figure{
		Title:  "Crawl for " + cli.Clean(r.Topic) + " by priority threshold",
		Axis:   fmt.Sprintf("priority threshold (the topic's own: %.4g)", r.Own),
		Amount: chart.Series{Name: "documents kept"}, Share: chart.Series{Name: "precision"},
	}
	for i := range r.Crawls {
		figure.Positions = append(figure.Positions, fmt.Sprintf("%.4g", r.Thresholds[i]))
		figure.Amount.Values = append(figure.Amount.Values, float64(r.Crawls[i].Kept))
		figure.Share.Values = append(figure.Share.Values, float64(r.Crawls[i].Precision))
	}
	return figure
}

func fig2Page(w *bytes.Buffer, r *fig2Table) {
	crawlsTitle(w, &r.crawlsTable)
	printResults(w, r.Crawls, false)
	fmt.Fprintln(w)
	figure := r.figure()
	figure.Axis = "threshold"
	_ = figure.Terminal(w, cli.PageWidth) // to memory
	fmt.Fprintf(w, "\nThe topic's own threshold is %.4g.\n%s\n", r.Own, r.Caption)
}

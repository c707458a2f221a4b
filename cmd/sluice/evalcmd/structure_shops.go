package evalcmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/chart"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/sitefields"
)

const (
	shopSample = 10 // pages of a shop that are analysed
	shopRounds = 3
)

// shopsTable judges the shops of the demo web.
type shopsTable struct {
	fieldsTable
	Sample int `json:"sample"` // pages of each that are analysed
	// Courses are of reading all pages, with analysis and parsing.
	Courses []courseRow `json:"courses"`
}

type courseRow struct {
	sitefields.Course
	ReadyMS   float64       `json:"ready_ms"` // before the first page
	TotalMS   float64       `json:"total_ms"`
	Rate      metric.Number `json:"pages_per_second"` // from the first page on
	ErrorRate metric.Number `json:"price_error_rate"`
}

func judgeShops() (*shopsTable, error) {
	sites, err := sitefields.Carried(shopSample)
	if err != nil {
		return nil, err
	}
	t := &shopsTable{Sample: shopSample}
	if t.fieldsTable, err = judgeFields(sites); err != nil {
		return nil, err
	}
	courses, err := sitefields.Compare(sites, shopRounds)
	if err != nil {
		return nil, err
	}
	for _, c := range courses {
		t.Courses = append(t.Courses, courseRow{c, milliseconds(c.Ready), milliseconds(c.Total()), metric.Number(c.Rate()), c.Price.Errors()})
	}
	return t, nil
}

func (t *shopsTable) printCourses(w *bytes.Buffer) {
	fmt.Fprintf(w, "\nPages over time, the fastest of %d rounds\n\n", shopRounds)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "site\textractor\tbefore the first page\tall pages\tpages/s\tprice error rate")
	for _, c := range t.Courses {
		fmt.Fprintf(tab, "%s\t%s\t%.0f ms\t%.0f ms\t%.0f\t%s\n", cli.Clean(c.Site), c.Method, c.ReadyMS, c.TotalMS, float64(c.Rate), cell(c.ErrorRate))
	}
	_ = tab.Flush() // to memory
}

func (t *shopsTable) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"site", "extractor", "pages", "milliseconds"}}
	for _, c := range t.Courses {
		for i, done := range c.Done {
			rows = append(rows, []string{c.Site, c.Method, strconv.Itoa(i + 1), strconv.FormatFloat(milliseconds(done), 'f', -1, 64)})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

// figureSteps are the points of a line.
const figureSteps = 100

// figure shows the share of the pages that were read after a time.
func (t *shopsTable) figure() *chart.Curves {
	var end time.Duration
	for _, c := range t.Courses {
		end = max(end, c.Total())
	}
	figure := &chart.Curves{Title: fmt.Sprintf("Share of %d pages read after a time", t.Pages/max(1, len(t.Rows)/len(t.Totals))), Axis: "milliseconds", Most: milliseconds(end)}
	for _, c := range t.Courses {
		line := chart.Curve{Name: c.Site + ", " + c.Method}
		at := 0
		for step := range figureSteps + 1 {
			if at == len(c.Done) {
				line.Values = append(line.Values, math.NaN())
				continue
			}
			for at < len(c.Done) && c.Done[at] <= end*time.Duration(step)/figureSteps {
				at++
			}
			line.Values = append(line.Values, float64(at)/float64(len(c.Done)))
		}
		figure.Lines = append(figure.Lines, line)
	}
	return figure
}

package export

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"sluice/shared/chart"
	"sluice/shared/state/corpus"
)

// quantity is something that the card shows the distribution of.
type quantity struct {
	name   string // of its picture
	title  string
	axis   string
	bounds []float64 // a bin ends before each but the last
	of     func(d *corpus.Document) float64
}

// quantities are the same in every export: what two shards count adds up.
var quantities = [...]quantity{
	{"length", "Length of the texts", "characters", lengths, func(d *corpus.Document) float64 { return float64(count(d.Text)) }},
	{"relevance", "Relevance", "of the body, or of the description where no body was judged", relevances, relevance},
	{"language_score", "Share of the text that is in its language", "share", shares, func(d *corpus.Document) float64 { return float64(d.LanguageScore) }},
	{"sentences", "Share of the lines that end as sentences do", "share", shares, func(d *corpus.Document) float64 { return float64(d.Quality.SentenceLines) }},
	{"symbols", "Share of the characters that are symbols", "share", rareShares, func(d *corpus.Document) float64 { return float64(d.Quality.Symbols) }},
	{"repetition", "Share of the characters in 5-grams that stood before", "share", shares, func(d *corpus.Document) float64 { return float64(d.Quality.Repeated5) }},
}

// Bounds of bins.
var (
	lengths    = []float64{50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, math.Inf(1)}
	relevances = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, math.Inf(1)}
	shares     = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, math.Inf(1)}
	rareShares = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, math.Inf(1)}
)

// histogram counts values by bins.
type histogram struct {
	Counts []int64 `json:"counts"` // of the bins of a quantity
	bounds []float64
}

func newHistograms() []*histogram {
	hs := make([]*histogram, len(quantities))
	for i, q := range quantities {
		hs[i] = &histogram{Counts: make([]int64, len(q.bounds)), bounds: q.bounds}
	}
	return hs
}

func (h *histogram) add(v float64) {
	for i, b := range h.bounds {
		if v < b || i == len(h.bounds)-1 {
			h.Counts[i]++
			return
		}
	}
}

func (h *histogram) merge(o *histogram) {
	for i := range min(len(h.Counts), len(o.Counts)) {
		h.Counts[i] += o.Counts[i]
	}
}

// figure draws a histogram, with the share of the records up to each bin.
func (h *histogram) figure(q *quantity) *chart.Figure {
	names := make([]string, len(h.Counts))
	for i := range names {
		names[i] = "< " + strconv.FormatFloat(q.bounds[i], 'g', -1, 64)
		if math.IsInf(q.bounds[i], 1) {
			names[i] = "more"
		}
	}
	return newFigure(q.title, q.axis, names, h.Counts)
}

func newFigure(title, axis string, names []string, counts []int64) *chart.Figure {
	f := &chart.Figure{
		Title: title, Axis: axis, Positions: names,
		Amount: chart.Series{Name: "documents"}, Share: chart.Series{Name: "share up to here"},
	}
	all, sum := int64(0), int64(0)
	for _, n := range counts {
		all += n
	}
	for _, n := range counts {
		sum += n
		f.Amount.Values = append(f.Amount.Values, float64(n))
		f.Share.Values = append(f.Share.Values, float64(sum)/float64(max(all, 1)))
	}
	return f
}

// picture is a figure as a file.
type picture struct {
	Name  string // below the dataset
	Title string
	data  []byte
}

// pictureFolder holds the pictures of the card.
const pictureFolder = "pictures"

// pictures draws what the card shows.
func pictures(s *Stats) ([]picture, error) {
	var list []picture
	draw := func(name string, f *chart.Figure) error {
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			return fmt.Errorf("draw %s: %w", name, err)
		}
		list = append(list, picture{pictureFolder + "/" + name + ".svg", f.Title, b.Bytes()})
		return nil
	}
	for i := range quantities {
		if err := draw(quantities[i].name, s.Histograms[i].figure(&quantities[i])); err != nil {
			return nil, err
		}
	}
	if names, counts := s.years(); len(names) > 0 {
		return list, draw("years", newFigure("Year of publication", "year", names, counts))
	}
	return list, nil
}

// maxYears is how many years a picture has room for.
const maxYears = 15

// years lists the last years with documents, those before as one.
func (s *Stats) years() (names []string, counts []int64) {
	last, err := strconv.Atoi(s.Published.To[:min(4, len(s.Published.To))])
	if err != nil {
		return nil, nil
	}
	first, _ := strconv.Atoi(s.Published.From[:4]) // as the last one it is a date
	from := max(first, last-maxYears+1)
	if first < from {
		names, counts = append(names, "before"), append(counts, 0)
		for year, n := range s.Years {
			if y, err := strconv.Atoi(year); err == nil && y < from {
				counts[0] += n
			}
		}
	}
	for y := from; y <= last; y++ {
		year := fmt.Sprintf("%04d", y)
		names, counts = append(names, year), append(counts, s.Years[year])
	}
	return names, counts
}

package evalcmd

import (
	"bytes"
	"fmt"
	"math"
	"text/tabwriter"

	"sluice/shared/chart"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
)

// strategyMean is the mean of a strategy over topics and draws of seeds, with
// intervals of 95 %. An interval is absent for a single crawl.
type strategyMean struct {
	Strategy  string        `json:"strategy"`
	Cap       int           `json:"cap"`
	Precision metric.Number `json:"precision"` // of the corpus, as recall and F1
	Recall    metric.Number `json:"recall"`
	F1        metric.Number `json:"f1"`
	Harvest   metric.Number `json:"harvest_rate"`
	Area      metric.Number `json:"area"`
	To50      metric.Number `json:"pages_to_50_by_oracle"` // pages to 50 %, by those of the oracle; null unless all crawls got there
	To80      metric.Number `json:"pages_to_80_by_oracle"`
	To90      metric.Number `json:"pages_to_90_by_oracle"`

	Fetched   metric.Number `json:"fetched"` // METHOD B7: pages found, relevant, discarded, failed
	Kept      metric.Number `json:"kept"`
	Discarded metric.Number `json:"discarded"`
	Failed    metric.Number `json:"failed"`
	Seconds   metric.Number `json:"seconds"`

	PrecisionSpan interval `json:"precision_95,omitempty"`
	RecallSpan    interval `json:"recall_95,omitempty"`
	F1Span        interval `json:"f1_95,omitempty"`
	HarvestSpan   interval `json:"harvest_rate_95,omitempty"`
	AreaSpan      interval `json:"area_95,omitempty"`
	To50Span      interval `json:"pages_to_50_by_oracle_95,omitempty"`
	To80Span      interval `json:"pages_to_80_by_oracle_95,omitempty"`
	To90Span      interval `json:"pages_to_90_by_oracle_95,omitempty"`
}

// interval is empty, or from and to.
type interval []metric.Number

func (i interval) String() string {
	if len(i) == 0 {
		return ""
	}
	return fmt.Sprintf(" [%s–%s]", cell(i[0]), cell(i[1]))
}

// average works out the means of the strategies.
func (t *strategiesTable) average(strategies []string, caps []int) {
	t.mean(oracle, 0)
	for _, perHost := range caps {
		for _, name := range strategies {
			t.mean(name, perHost)
		}
	}
}

// mean adds the mean of a strategy.
func (t *strategiesTable) mean(strategy string, perHost int) {
	m := strategyMean{Strategy: strategy, Cap: perHost}
	for _, measure := range []struct {
		mean *metric.Number
		span *interval
		of   func(c, best *strategyRun) metric.Number
	}{
		{&m.Precision, &m.PrecisionSpan, func(c, _ *strategyRun) metric.Number { return orZero(c.corpus().Precision) }},
		{&m.Recall, &m.RecallSpan, func(c, _ *strategyRun) metric.Number { return orZero(c.corpus().Recall) }},
		{&m.F1, &m.F1Span, func(c, _ *strategyRun) metric.Number { return orZero(c.corpus().F1) }},
		{&m.Harvest, &m.HarvestSpan, func(c, _ *strategyRun) metric.Number { return orZero(c.corpus().Harvest) }},
		{&m.Area, &m.AreaSpan, func(c, _ *strategyRun) metric.Number { return c.Area }},
		{&m.To50, &m.To50Span, func(c, best *strategyRun) metric.Number { return quotient(c.To50, best.To50) }},
		{&m.To80, &m.To80Span, func(c, best *strategyRun) metric.Number { return quotient(c.To80, best.To80) }},
		{&m.To90, &m.To90Span, func(c, best *strategyRun) metric.Number { return quotient(c.To90, best.To90) }},
		{&m.Fetched, nil, func(c, _ *strategyRun) metric.Number { return metric.Number(c.Fetched) }},
		{&m.Kept, nil, func(c, _ *strategyRun) metric.Number { return metric.Number(c.corpus().Kept) }},
		{&m.Discarded, nil, func(c, _ *strategyRun) metric.Number { return metric.Number(c.Discarded) }},
		{&m.Failed, nil, func(c, _ *strategyRun) metric.Number { return metric.Number(c.Failed) }},
		{&m.Seconds, nil, func(c, _ *strategyRun) metric.Number { return metric.Number(c.Seconds) }},
	} {
		groups := t.groups(strategy, perHost, measure.of)
		*measure.mean = metric.Number(meanOf(groups))
		if measure.span == nil {
			continue
		}
		if low, high := metric.Interval(groups); !math.IsNaN(low) {
			*measure.span = interval{metric.Number(low), metric.Number(high)}
		}
	}
	t.Means = append(t.Means, m)
}

// groups are the values of a strategy, those of a topic together.
func (t *strategiesTable) groups(strategy string, perHost int, value func(c, best *strategyRun) metric.Number) [][]float64 {
	var groups [][]float64
	topic, best := "", map[int]*strategyRun{} // the oracle's crawls for it, by draw
	for i := range t.Crawls {
		c := &t.Crawls[i]
		if len(groups) == 0 || c.Topic != topic {
			topic, groups = c.Topic, append(groups, nil)
		}
		if c.Strategy == oracle {
			best[c.Draw] = c
		}
		if c.Strategy == strategy && c.Cap == perHost {
			last := &groups[len(groups)-1]
			*last = append(*last, float64(value(c, best[c.Draw])))
		}
	}
	return groups
}

func meanOf(groups [][]float64) float64 {
	total, n := 0.0, 0
	for _, values := range groups {
		for _, v := range values {
			total += v
		}
		n += len(values)
	}
	return total / float64(n)
}

// corpus is the score of what was kept.
func (r *strategyRun) corpus() wholecrawl.Score {
	if r.Corpus == nil {
		return wholecrawl.Score{} // the oracle's
	}
	return *r.Corpus
}

// quotient is NaN if one of the numbers is missing.
func quotient(pages, by *int) metric.Number {
	if pages == nil || by == nil {
		return metric.Number(math.NaN())
	}
	return metric.Number(float64(*pages) / float64(*by))
}

// orZero counts a corpus without documents as one without right ones.
func orZero(n metric.Number) metric.Number {
	if math.IsNaN(float64(n)) {
		return 0
	}
	return n
}

func (t *strategiesTable) meansPage(w *bytes.Buffer) {
	what := "topics"
	if t.Repeats > 1 {
		what = "topics and draws of seeds, with intervals of 95 %"
	}
	fmt.Fprintf(w, "\nMeans over the %s; pages to 80 %% as a multiple of the oracle's\n\n", what)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "strategy\tarea\tpages to 80 %\tharvest\tprecision\trecall\tF1\tfetched\tkept\tdiscarded\tfailed\tseconds")
	for i := range t.Means {
		m := &t.Means[i]
		fmt.Fprintf(tw, "%s%s\t%s%v\t%s%v", m.Strategy, capped(m.Cap), cell(m.Area), m.AreaSpan, cell(m.To80), m.To80Span)
		if m.Strategy != oracle {
			fmt.Fprintf(tw, "\t%s%v\t%s\t%s\t%s%v", cell(m.Harvest), m.HarvestSpan, cell(m.Precision), cell(m.Recall), cell(m.F1), m.F1Span)
			fmt.Fprintf(tw, "\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f", m.Fetched, m.Kept, m.Discarded, m.Failed, m.Seconds)
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush() // to memory
}

// curvePoints is at how many places a mean curve is drawn.
const curvePoints = 200

// figure has the mean curve of every strategy.
func (t *strategiesTable) figure() *chart.Curves {
	c := &chart.Curves{Title: "Recall of wanted articles by pages fetched", Axis: "pages fetched", Most: float64(t.pages)}
	for i := range t.Means {
		m := &t.Means[i]
		line := chart.Curve{Name: m.Strategy + capped(m.Cap)}
		for at := range curvePoints + 1 {
			line.Values = append(line.Values, meanOf(t.groups(m.Strategy, m.Cap, func(c, _ *strategyRun) metric.Number {
				return c.Curve.RecallAt(at*t.pages/curvePoints, c.wanted)
			})))
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

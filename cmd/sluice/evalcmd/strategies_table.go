package evalcmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
)

// oracle is the name of the crawl that knows the labels.
const oracle = "oracle"

// strategyRun is a crawl for a topic by a strategy or by the oracle.
type strategyRun struct {
	Topic    string `json:"topic"`
	Label    string `json:"label"`
	Strategy string `json:"strategy"`
	wholecrawl.Curve
	RecallAt []metric.Number   `json:"recall_at,omitempty"` // by budget
	Corpus   *wholecrawl.Score `json:"corpus,omitempty"`    // what was kept; the oracle keeps nothing
}

// strategyMean is the mean of a strategy over the topics.
type strategyMean struct {
	Strategy  string        `json:"strategy"`
	Precision metric.Number `json:"precision"` // of the corpus, as recall and F1
	Recall    metric.Number `json:"recall"`
	F1        metric.Number `json:"f1"`
	Area      metric.Number `json:"area"`
	To80      metric.Number `json:"pages_to_80_by_oracle"` // pages to 80 %, by those of the oracle; null unless all topics got there
}

// strategiesTable is what the command prints as JSON.
type strategiesTable struct {
	Web     string         `json:"web"`
	Hosts   string         `json:"hosts,omitempty"`
	Workers int            `json:"workers"`
	Budgets []int          `json:"budgets,omitempty"`
	Crawls  []strategyRun  `json:"crawls"`
	Means   []strategyMean `json:"means"`
}

// add judges an outcome.
func (t *strategiesTable) add(q wholecrawl.Question, topic string, o *wholecrawl.Outcome) {
	r := strategyRun{Topic: topic, Label: q.Label, Strategy: o.Name, Curve: q.Curve(o)}
	if o.Name != oracle {
		score := q.Score(o, "")
		r.Corpus = &score
	}
	for _, budget := range t.Budgets {
		r.RecallAt = append(r.RecallAt, r.Curve.RecallAt(budget, q.Wanted()))
	}
	t.Crawls = append(t.Crawls, r)
}

// average works out the means of the strategies over the topics.
func (t *strategiesTable) average(strategies []string) {
	best := map[string]*int{} // the oracle's pages to 80 %, by topic
	sums := map[string]*strategyMean{}
	topics := metric.Number(0)
	for _, name := range strategies {
		sums[name] = &strategyMean{Strategy: name}
	}
	for i := range t.Crawls {
		c := &t.Crawls[i]
		if c.Strategy == oracle {
			best[c.Topic] = c.To80
			topics++
		}
		m := sums[c.Strategy]
		m.Area += c.Area
		m.To80 += quotient(c.To80, best[c.Topic])
		if s := c.Corpus; s != nil {
			m.Precision, m.Recall, m.F1 = m.Precision+orZero(s.Precision), m.Recall+orZero(s.Recall), m.F1+orZero(s.F1)
		}
	}
	for _, name := range strategies {
		m := sums[name]
		t.Means = append(t.Means, strategyMean{name, m.Precision / topics, m.Recall / topics, m.F1 / topics, m.Area / topics, m.To80 / topics})
	}
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

func strategiesPage(w *bytes.Buffer, t *strategiesTable) {
	where := ""
	if t.Hosts != "" {
		where = ", pages on " + cli.Clean(t.Hosts)
	}
	fmt.Fprintf(w, "Strategies on %s%s, %s\n\n", cli.Clean(t.Web), where, cli.Count(int64(t.Workers), "worker"))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "topic\tstrategy\tfetched\trecall\tpages to 50 %\t80 %\t90 %\tarea")
	for _, budget := range t.Budgets {
		fmt.Fprintf(tw, "\trecall at %d", budget)
	}
	fmt.Fprintln(tw, "\tkept\tprecision\trecall\tF1")
	for i := range t.Crawls {
		c := &t.Crawls[i]
		fmt.Fprintf(tw, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s", cli.Clean(c.Topic), c.Strategy, c.Fetched, cell(c.Recall),
			number(c.To50), number(c.To80), number(c.To90), cell(c.Area))
		for _, recall := range c.RecallAt {
			fmt.Fprintf(tw, "\t%s", cell(recall))
		}
		if s := c.Corpus; s != nil {
			fmt.Fprintf(tw, "\t%d\t%s\t%s\t%s", s.Kept, cell(s.Precision), cell(s.Recall), cell(s.F1))
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush() // to memory

	fmt.Fprint(w, "\nMeans over the topics; pages to 80 % as a multiple of the oracle's\n\n")
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "strategy\tarea\tpages to 80 %\tprecision\trecall\tF1")
	for _, m := range t.Means {
		fmt.Fprintf(tw, "%s\t%s\t%s", m.Strategy, cell(m.Area), cell(m.To80))
		if m.Strategy != oracle {
			fmt.Fprintf(tw, "\t%s\t%s\t%s", cell(m.Precision), cell(m.Recall), cell(m.F1))
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush() // to memory
}

// curves writes a line for each wanted article that was fetched.
func (t *strategiesTable) curves(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"topic", "strategy", "found", "pages"}}
	for i := range t.Crawls {
		c := &t.Crawls[i]
		for n, pages := range c.Found {
			rows = append(rows, []string{c.Topic, c.Strategy, strconv.Itoa(n + 1), strconv.Itoa(pages)})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

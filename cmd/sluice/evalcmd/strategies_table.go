package evalcmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
)

// oracle is the name of the crawl that knows the labels.
const oracle = "oracle"

// strategyRun is a crawl for a topic by a strategy or by the oracle.
type strategyRun struct {
	Topic    string   `json:"topic"`
	Label    string   `json:"label"`
	Strategy string   `json:"strategy"`
	Draw     int      `json:"draw"` // of the seeds, from 1
	Seeds    []string `json:"seeds"`
	Cap      int      `json:"cap"` // pages of one host; 0: no limit
	wholecrawl.Curve
	Discarded int               `json:"discarded"` // pages fetched and not kept (METHOD B7, as the next two)
	Failed    int               `json:"failed"`    // URLs that the web lacks
	Seconds   float64           `json:"seconds"`
	RecallAt  []metric.Number   `json:"recall_at,omitempty"` // by budget
	Corpus    *wholecrawl.Score `json:"corpus,omitempty"`    // what was kept; the oracle keeps nothing
	Learned   []string          `json:"learned,omitempty"`   // words, the best first (METHOD B4)

	wanted int // articles
}

// strategiesTable is what the command prints as JSON.
type strategiesTable struct {
	Web     string         `json:"web"`
	Hosts   string         `json:"hosts,omitempty"`
	Workers int            `json:"workers"`
	Repeats int            `json:"repeats"`
	Budgets []int          `json:"budgets,omitempty"`
	Crawls  []strategyRun  `json:"crawls"`
	Means   []strategyMean `json:"means"`

	pages int // of the web, or the largest budget
}

// add judges an outcome.
func (t *strategiesTable) add(q wholecrawl.Question, r strategyRun, o *wholecrawl.Outcome) {
	r.Label, r.Strategy, r.Curve, r.wanted = q.Label, o.Name, q.Curve(o), q.Wanted()
	if o.Name != oracle {
		score := q.Score(o, "")
		r.Corpus = &score
		r.Learned = o.Learned
		r.Discarded, r.Failed, r.Seconds = len(o.Fetched)-len(o.Kept), o.Missing, o.Seconds
	}
	for _, budget := range t.Budgets {
		r.RecallAt = append(r.RecallAt, r.Curve.RecallAt(budget, r.wanted))
	}
	t.Crawls = append(t.Crawls, r)
}

// remark says which draw and cap a crawl has, where there are several draws or
// a cap.
func (t *strategiesTable) remark(r *strategyRun) string {
	text := ""
	if t.Repeats > 1 {
		text += fmt.Sprintf(", draw %d", r.Draw)
	}
	return text + capped(r.Cap)
}

// capped says how many pages of a host a crawl may fetch.
func capped(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", cap %d", n)
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
	fmt.Fprintln(tw, "\tkept\tharvest\tprecision\trecall\tF1")
	for i := range t.Crawls {
		c := &t.Crawls[i]
		fmt.Fprintf(tw, "%s\t%s%s\t%d\t%s\t%s\t%s\t%s\t%s", cli.Clean(c.Topic), c.Strategy, t.remark(c), c.Fetched, cell(c.Recall),
			number(c.To50), number(c.To80), number(c.To90), cell(c.Area))
		for _, recall := range c.RecallAt {
			fmt.Fprintf(tw, "\t%s", cell(recall))
		}
		if s := c.Corpus; s != nil {
			fmt.Fprintf(tw, "\t%d\t%s\t%s\t%s\t%s", s.Kept, cell(s.Harvest), cell(s.Precision), cell(s.Recall), cell(s.F1))
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush() // to memory

	t.meansPage(w)
	t.learnedPage(w)
}

// learnedPage prints the words that crawls have learned.
func (t *strategiesTable) learnedPage(w *bytes.Buffer) {
	for i := range t.Crawls {
		if c := &t.Crawls[i]; len(c.Learned) > 0 {
			fmt.Fprintf(w, "\n%s, %s%s: %s\n", cli.Clean(c.Topic), c.Strategy, t.remark(c),
				cli.Clean(fmt.Sprintf("%s learned: %s", cli.Count(len(c.Learned), "word"), strings.Join(c.Learned, ", "))))
		}
	}
}

// curves writes a line for each wanted article that was fetched.
func (t *strategiesTable) curves(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"topic", "strategy", "found", "pages", "draw", "cap"}}
	for i := range t.Crawls {
		c := &t.Crawls[i]
		for n, pages := range c.Found {
			rows = append(rows, []string{c.Topic, c.Strategy, strconv.Itoa(n + 1), strconv.Itoa(pages), strconv.Itoa(c.Draw), strconv.Itoa(c.Cap)})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

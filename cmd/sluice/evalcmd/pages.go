package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/pagescore"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// pagesTable is what the command prints as JSON.
type pagesTable struct {
	Web      string          `json:"web"`
	Topic    string          `json:"topic"`
	Label    string          `json:"label"`
	Hosts    string          `json:"hosts,omitempty"`
	Articles int             `json:"articles"`
	LeftOut  int             `json:"left_out"` // pages named by --leave-out
	OnTopic  int             `json:"on_topic"`
	Rows     []pagescore.Row `json:"rows"`
}

// labelled are the flags by which labelled pages are named.
type labelled struct{ web, topic, label, hosts string }

func (l *labelled) check() error {
	var problems []error
	for _, flag := range []struct{ name, value, what string }{
		{"web", l.web, "a frozen web or JSON lines of labelled pages"},
		{"topic", l.topic, "a topic file or a compiled topic"},
		{"label", l.label, "the label of the pages that belong to the topic"},
	} {
		if flag.value == "" {
			problems = append(problems, fmt.Errorf("--%s is missing: name %s", flag.name, flag.what))
		}
	}
	return cli.Usage(errors.Join(problems...))
}

func newEvalPages(s cli.Streams) *cobra.Command {
	var l labelled
	var leaveOut string
	cmd := &cobra.Command{
		Use:   "pages --web FILE --topic FILE --label L",
		Short: "How well relevance tells the pages of a topic from others",
		Long: `How well relevance tells the pages of a topic from others, by title, description
and body of labelled pages: area under the ROC curve, best F1, precision at
recall 0.8, and F1 at the topic's own threshold, beside the cosine of plain
TF-IDF vectors and the words that the author wrote, and that of the topic vector
(B1, B2), which has the best words of the 20 texts nearest to these, too. Only
articles count, and only those with a label; where the web does not tell articles
from other pages, all with a label. Title, description (with the keywords) and body are
extracted as a crawl does it.

For comparison, the classifier F1 is that of a linear support vector machine on
the words of the same text, which learns from the labels by 5-fold cross
validation. Where it is low, words cannot tell these labels apart: no topic can.

A topic's own threshold is that of anchors for titles, that of descriptions for
titles with descriptions, and that of bodies for the last two. Most topic files
leave thresholds to topic compile: they have none of their own.

FILE is a frozen web, or JSON lines of {"url", "title", "description", "text",
"label"}; plain, gzip or zstd.`,
		Example: `  sluice eval pages --web news.web.jsonl.zst --topic topics/finance.topic --label finance --hosts portal.test`,
	}
	fl := cmd.Flags()
	fl.StringVar(&l.web, "web", "", "labelled pages, a `FILE`; required")
	fl.StringVar(&l.topic, "topic", "", "topic `FILE`, YAML or compiled; required")
	fl.StringVar(&l.label, "label", "", "label `L` of the pages that belong to the topic; required")
	fl.StringVar(&l.hosts, "hosts", "", "only pages of this `HOST` and its subdomains")
	fl.StringVar(&leaveOut, "leave-out", "", "a `FILE` of URLs, one a line: pages that do not count, such as those that the topic was made from")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*pagesTable, error) {
		if err := l.check(); err != nil {
			return nil, err
		}
		return runEvalPages(l, leaveOut)
	}, pagesPage))
}

func runEvalPages(l labelled, leaveOut string) (*pagesTable, error) {
	scored, name, err := scoredTopic(l.topic)
	if err != nil {
		return nil, err
	}
	web, err := frozenweb.Load(l.web)
	if err != nil {
		return nil, cli.Usage(err)
	}
	except, err := readLeaveOut(web, leaveOut)
	if err != nil {
		return nil, cli.Usage(err)
	}
	documents, err := pagescore.Documents(web, l.label, l.hosts, except)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("%s: %w", l.web, err))
	}
	result := &pagesTable{Web: l.web, Topic: name, Label: l.label, Hosts: l.hosts, Articles: len(documents), LeftOut: len(except)}
	for i := range documents {
		if documents[i].Positive {
			result.OnTopic++
		}
	}
	result.Rows = pagescore.Table(documents, *scored)
	return result, nil
}

// readLeaveOut reads the list of --leave-out; without a path no page is left out.
func readLeaveOut(web *frozenweb.Web, path string) (map[*frozenweb.Page]bool, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read URLs to leave out: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	pages, err := pagescore.LeaveOut(web, file)
	if err != nil {
		return nil, fmt.Errorf("read URLs to leave out: %s: %w", path, err)
	}
	return pages, nil
}

// scoredTopic makes a topic, YAML or compiled, fit for scoring.
func scoredTopic(path string) (*pagescore.Topic, string, error) {
	compiled, err := topic.LoadAny(path)
	if err != nil {
		return nil, "", cli.Usage(err)
	}
	file := compiled.File
	segmenter, err := segment.NewFor(file.Language, compiled.UserWords)
	if err != nil {
		return nil, "", fmt.Errorf("prepare segmenter: %w", err)
	}
	return &pagescore.Topic{
		Words: authorsWords(file), Segment: segmenter.Words, Relevance: compiled.Lexicon.Value,
		Threshold: func(text pagescore.Text) (float64, bool) {
			own := ownThreshold(&file.Thresholds, text)
			return own, own > 0
		},
	}, file.Name, nil
}

// authorsWords are the topic words that the author wrote, as texts hold them,
// with their weights. Related ones are the compiler's work, which is not to be
// held against itself.
func authorsWords(file *topic.File) map[string]float64 {
	words := make(map[string]float64, len(file.Words))
	for _, w := range file.Words {
		if w.Related {
			continue
		}
		form, err := segment.Form(file.Language, w.Text)
		if err != nil {
			form = w.Text // not a word: no text holds it
		}
		words[form] = max(words[form], w.Weight)
	}
	return words
}

// ownThreshold is the threshold by which a crawl judges such texts; 0 where it
// judges none.
func ownThreshold(t *topic.Thresholds, text pagescore.Text) float64 {
	switch text {
	case pagescore.Title:
		return t.Anchor // an anchor is a title, as a rule
	case pagescore.TitleDescription:
		return t.Description
	case pagescore.Body, pagescore.TitleBody:
		return t.Body
	}
	return 0
}

func pagesPage(w *bytes.Buffer, r *pagesTable) {
	where := ""
	if r.Hosts != "" {
		where = " on " + cli.Clean(r.Hosts)
	}
	fmt.Fprintf(w, "Topic %s: %s%s, %d of them labelled %s", r.Topic, cli.Count(r.Articles, "article"), where, r.OnTopic, cli.Clean(r.Label))
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "; %s left out", cli.Count(r.LeftOut, "page"))
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "text\tmethod\tAUC\tbest F1\tat\tclassifier F1\tP at R 0.8\town threshold\tF1 there")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Text, row.Method,
			cell(row.AUC), cell(row.BestF1), cell(row.At), cell(row.Classifier), cell(row.Precision80), cell(row.Own), cell(row.OwnF1))
	}
	_ = t.Flush() // to memory
}

// cell is a measure in a table, a dash where there is no value.
func cell(n metric.Number) string {
	f := float64(n)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "–"
	case f != 0 && math.Abs(f) < 0.01 || math.Abs(f) >= 1000:
		return fmt.Sprintf("%.3g", f)
	}
	return fmt.Sprintf("%.3f", f)
}

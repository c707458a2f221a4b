package topiccmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// weighOptions are the flags of topic weigh.
type weighOptions struct {
	topic                           string
	corpus, background, mix, fields []string
	out                             string
}

func newTopicWeigh(s cli.Streams) *cobra.Command {
	var o weighOptions
	cmd := &cobra.Command{
		Use:   "weigh TOPIC --corpus FILE… --out W.tsv",
		Short: "Weigh words by a domain corpus",
		Long: `Weigh words by a domain corpus, and list those to adjust by hand.

  --corpus alone           f/N · ln(N/n) over the corpus: f occurrences in N
                           documents, n of which have the word (eq. 2)
  --corpus, --background   how much a word marks the corpus against the
                           background: ln of how many times as likely it is there
  --text                   the same, of general text: documents with two or more
                           topic words are the corpus, the others the background

Words that are absent weigh the mean; topic words that the corpus says nothing
for weigh that of the other topic words where there is a background. FILE is
what topic train reads. The words of TOPIC, a topic file or a compiled topic,
are kept whole.`,
		Example: `  sluice topic weigh my.yaml --corpus reports/ --out my.tsv
  sluice topic weigh my.yaml --text news.txt.zst --out my.tsv`,
		Args: cli.WantSome("TOPIC"),
	}
	o.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*weighing, error) {
		o.topic = args[0]
		err := moreFiles(args[1:], &o.corpus, &o.background, &o.mix)
		if err = errors.Join(err, o.check()); err != nil {
			return nil, err
		}
		return runWeigh(ctx, s, &o)
	}, weighPage)
}

func (o *weighOptions) register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&o.corpus, "corpus", nil, "text of the domain, a `FILE` or folder; repeatable")
	fl.StringArrayVar(&o.background, "background", nil, "text about other things, a `FILE` or folder; repeatable")
	fl.StringArrayVar(&o.mix, "text", nil, "general text in place of both, a `FILE` or folder; repeatable")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	fl.StringVar(&o.out, "out", "", "write the weights to `W.tsv`; required")
}

func (o *weighOptions) check() error {
	var problems []error
	switch {
	case len(o.corpus) == 0 && len(o.mix) == 0:
		problems = append(problems, errors.New("--corpus is missing: name text of the domain, or general text by --text"))
	case len(o.mix) > 0 && len(o.corpus)+len(o.background) > 0:
		problems = append(problems, errors.New("--text takes the place of --corpus and --background: give it alone"))
	}
	inputs := slices.Concat([]string{o.topic}, o.corpus, o.background, o.mix)
	return cli.Usage(errors.Join(append(problems, cli.Required([2]string{"out", o.out}), checkOut("out", o.out, inputs...))...))
}

// weighing is what the command prints as JSON.
type weighing struct {
	Topic      string       `json:"topic"`
	Formula    string       `json:"formula"`
	Out        string       `json:"out"`
	Documents  int          `json:"documents"`  // of the domain
	Background int          `json:"background"` // 0: none
	LeftOut    int          `json:"left_out"`
	Words      int          `json:"words"`
	Mean       float64      `json:"mean"`
	Heaviest   []weightRow  `json:"heaviest"`
	Adjust     []adjustment `json:"adjust"`
}

// The values of weighing.Formula.
const (
	formulaPaper = "eq. 2" // METHOD A6
	formulaClass = "class" // METHOD B1
)

// weightRow is a word, its weight, and in how many documents it occurs.
type weightRow struct {
	Word       string  `json:"word"`
	Weight     float64 `json:"weight"`
	Documents  int     `json:"documents"`
	Background int     `json:"background"`
	TopicWord  bool    `json:"topic_word"`
}

const heaviestShown = 30

// shrinkCorpus suits class weights of a corpus (compile.ClassWeights).
const shrinkCorpus = 3

func runWeigh(ctx context.Context, s cli.Streams, o *weighOptions) (*weighing, error) {
	compiled, err := topic.LoadAny(o.topic)
	if err != nil {
		return nil, err
	}
	segmenter, err := segment.NewFor(compiled.File.Language, compiled.UserWords)
	if err != nil {
		return nil, fmt.Errorf("prepare segmenter: %w", err)
	}
	counter := textCounter{s: s, fields: o.fields, segmenter: segmenter, skips: &skips{w: s.Err}}
	domain, background, err := o.count(ctx, &counter, compiled.File)
	if err != nil {
		return nil, err
	}
	counter.skips.end()
	weights, formula := domain.Weights(), formulaPaper
	if background != nil {
		weights, formula = compile.ClassWeights(domain, background, shrinkCorpus), formulaClass
		weights.Know(slices.Sorted(maps.Keys(formsOf(compiled.File))))
	}
	if err := cli.ReplaceFile(o.out, weights.Write); err != nil {
		return nil, err
	}
	if weights.Mean == 0 {
		fmt.Fprintln(s.Err, "warning: all words weigh nothing, and topic compile refuses such weights: give more texts, or others as --background")
	}
	result := &weighing{
		Topic: compiled.File.Name, Formula: formula, Out: o.out,
		Documents: weights.Documents, Background: weights.Background, LeftOut: counter.skips.all,
		Words: len(weights.Words), Mean: weights.Mean,
	}
	rows := weightRows(weights, domain, background, compiled.File)
	result.Heaviest = rows[:min(len(rows), heaviestShown)]
	result.Adjust = adjustments(rows, weights.Mean, domain, background, compiled.File)
	return result, nil
}

// count counts the words of the texts; the background is nil if there is none.
func (o *weighOptions) count(ctx context.Context, c *textCounter, file *topic.File) (domain, background *compile.Counts, err error) {
	if len(o.mix) > 0 {
		return c.split(ctx, o.mix, file)
	}
	if domain, err = c.count(ctx, "corpus", o.corpus); err != nil || len(o.background) == 0 {
		return domain, nil, err
	}
	background, err = c.count(ctx, "background", o.background)
	return domain, background, err
}

// weightRows are the words that weigh anything, the heaviest first.
func weightRows(w *compile.Weights, domain, background *compile.Counts, file *topic.File) []weightRow {
	topical := formsOf(file)
	rows := make([]weightRow, 0, len(w.Words))
	for word, weight := range w.Words {
		if weight <= 0 {
			continue
		}
		row := weightRow{Word: word, Weight: weight, Documents: domain.In[word], TopicWord: topical[word]}
		if background != nil {
			row.Background = background.In[word]
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b weightRow) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Word, b.Word))
	})
	return rows
}

// formsOf are the topic words in the form in which texts yield them.
func formsOf(file *topic.File) map[string]bool {
	forms := make(map[string]bool, len(file.Words))
	for _, word := range file.Words {
		if form, err := segment.Form(file.Language, word.Text); err == nil {
			forms[form] = true
		}
	}
	return forms
}

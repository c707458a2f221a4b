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
	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wordpairs"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// wordSources are the flags by which the sources of word similarity are named.
type wordSources struct{ vectors, hownet string }

func (f *wordSources) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.vectors, "vectors", "", "word vectors, a `FILE` of word2vec or fastText")
	fl.StringVar(&f.hownet, "hownet", "", "your copy of HowNet, the folder `DIR` of its glossary and WHOLE.DAT")
}

func (f *wordSources) check() error {
	if f.vectors == "" && f.hownet == "" {
		return errors.New("--vectors and --hownet are missing: name one of them at least")
	}
	return nil
}

// load returns the shipped similarity over the sources. A file that cannot be
// read is the caller's mistake.
func (f *wordSources) load() (*compile.Similarity, error) {
	s := compile.DefaultSimilarity()
	var vectors, lexicon error
	if f.vectors != "" {
		s.Vectors, vectors = wordvec.Load(f.vectors)
	}
	if f.hownet != "" {
		s.HowNet, lexicon = hownet.Load(f.hownet)
	}
	return &s, cli.Usage(errors.Join(vectors, lexicon))
}

// wordsTable is what the command prints as JSON.
type wordsTable struct {
	blend
	Rows []wordpairs.Row `json:"rows"`
}

// blend holds the constants of algorithm 1.
type blend struct {
	Th1   float64 `json:"th1"`
	Th2   float64 `json:"th2"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

func blendOf(s *compile.Similarity) blend {
	return blend{s.Th1, s.Th2, s.Alpha, s.Beta}
}

func (c blend) String() string {
	return fmt.Sprintf("Th1 %g, Th2 %g, α %g, β %g", c.Th1, c.Th2, c.Alpha, c.Beta)
}

func newEvalWords(s cli.Streams) *cobra.Command {
	var files []string
	var from wordSources
	cmd := &cobra.Command{
		Use:   "words --pairs FILE…",
		Short: "How well word similarity agrees with people",
		Long: `How well word similarity agrees with people: correlation with their scores of
pairs of words, by Pearson's and Spearman's coefficient.

  SimH  by HowNet (A3)
  SimD  cosine of word vectors (A4); for a word without one it is composed from
        those of the words it shares characters with
  Sim   both, by algorithm 1 (A5) with the constants that are shipped

A line of FILE is two words and a score, with tabs or spaces between them.
Every pair counts: where a source does not cover it, its similarity is 0.`,
		Example: `  sluice eval words --pairs mc30.tsv --pairs pku-500.tsv --hownet hownet --vectors news.bin`,
		Args:    cobra.ArbitraryArgs,
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&files, "pairs", nil, "pairs of words with scores, a `FILE`; required, repeatable")
	from.register(fl)
	return cli.WithFile(cli.WithResult(s, cmd, func(_ context.Context, more []string) (*wordsTable, error) {
		files := append(files, more...)
		var missing error
		if len(files) == 0 {
			missing = errors.New("--pairs is missing: name a file of words and scores")
		}
		if err := errors.Join(missing, from.check()); err != nil {
			return nil, cli.Usage(err)
		}
		return runWords(files, from)
	}, wordsPage))
}

func runWords(names []string, from wordSources) (*wordsTable, error) {
	var files [][]wordpairs.Pair
	var problems []error
	for _, name := range names {
		pairs, err := readPairs(name)
		problems = append(problems, err)
		files = append(files, pairs)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, cli.Usage(err)
	}
	s, err := from.load()
	if err != nil {
		return nil, err
	}
	t := &wordsTable{blend: blendOf(s)}
	for i, pairs := range files {
		row := wordpairs.Correlate(pairs, s)
		row.File = names[i]
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func readPairs(name string) ([]wordpairs.Pair, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	pairs, err := wordpairs.Read(f)
	if err != nil {
		return nil, fmt.Errorf("read pairs of %s:\n%w", name, err)
	}
	return pairs, nil
}

func wordsPage(w *bytes.Buffer, r *wordsTable) {
	fmt.Fprintf(w, "Word similarity against people's scores: Pearson / Spearman over all pairs\n(%s)\n\n", r.blend)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "file\tpairs\tby HowNet\tby vectors\tcomposed\tSimH\tSimD\tSim")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", cli.Clean(row.File), row.Pairs, row.HowNet, row.Vectors, row.Composed,
			agreementCell(row.SimH), agreementCell(row.SimD), agreementCell(row.Sim))
	}
	_ = t.Flush() // to memory
}

func agreementCell(a wordpairs.Agreement) string {
	return coefficient(a.Pearson) + " / " + coefficient(a.Spearman)
}

func coefficient(n metric.Number) string {
	if math.IsNaN(float64(n)) {
		return "–"
	}
	return fmt.Sprintf("%.3f", n)
}

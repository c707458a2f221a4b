package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval/wordpairs"
	"sluice/shared/topic/compile"
)

// table5Options are the flags of the command.
type table5Options struct {
	thesaurus string
	pairs     int
	seed      uint64
}

// table5 is what the command prints as JSON.
type table5 struct {
	Pairs    int    `json:"pairs"`
	Seed     uint64 `json:"seed"`
	Eligible int    `json:"eligible_words"`
	blend
	Shipped []table5Row            `json:"shipped"` // by the sources that are there, together and alone
	Grid    [][]wordpairs.Accuracy `json:"grid"`    // a row for each Th1, a column for each Th2
}

// table5Row is the accuracy at the shipped constants.
type table5Row struct {
	Sources string `json:"sources"`
	wordpairs.Accuracy
}

func newEvalTable5(s cli.Streams) *cobra.Command {
	var opts table5Options
	var from wordSources
	cmd := &cobra.Command{
		Use:   "table5 --thesaurus FILE",
		Short: "How well word similarity tells synonyms from other words (Table 5)",
		Long: `How well word similarity tells synonyms from other words (Table 5): draws pairs
of words from a thesaurus, half of them synonyms, and counts the right decisions
at the constants that are shipped, and over a grid of both thresholds. Two words
are taken for synonyms where Sim, by algorithm 1 (A5), is above 0.

  synonyms  two words of one line of synonyms, each line with the same chance
  others    two words without a top-level class in common, each word with the
            same chance

Words are eligible where a source covers them: HowNet, or the vocabulary of the
vectors. The thesaurus is Cilin (同义词词林, extended) or one of its form: lines
like "Aa01A01= 人 士 人物".`,
		Example: `  sluice eval table5 --thesaurus CoreSynonym.txt --hownet hownet --vectors news.bin`,
	}
	fl := cmd.Flags()
	fl.StringVar(&opts.thesaurus, "thesaurus", "", "thesaurus to draw from, a `FILE`; required")
	from.register(fl)
	fl.IntVar(&opts.pairs, "pairs", 420, "draw `N` pairs")
	fl.Uint64Var(&opts.seed, "seed", 1, "of the draw, a number `N`")
	return cli.WithFile(cli.WithResult(s, cmd, func(context.Context, []string) (*table5, error) {
		if err := errors.Join(opts.check(), from.check()); err != nil {
			return nil, cli.Usage(err)
		}
		return runTable5(opts, from)
	}, table5Page))
}

func (o *table5Options) check() error {
	var problems []error
	if o.thesaurus == "" {
		problems = append(problems, errors.New("--thesaurus is missing: name the file of a thesaurus"))
	}
	if o.pairs < 2 || o.pairs > 10_000 || o.pairs%2 != 0 {
		problems = append(problems, fmt.Errorf("--pairs is %d: it must be an even number from 2 to 10,000", o.pairs))
	}
	return errors.Join(problems...)
}

func runTable5(opts table5Options, from wordSources) (*table5, error) {
	thesaurus, err := readThesaurus(opts.thesaurus)
	if err != nil {
		return nil, cli.Usage(err)
	}
	s, err := from.load()
	if err != nil {
		return nil, err
	}
	draws := thesaurus.Eligible(func(word string) bool {
		return s.HowNet != nil && s.HowNet.Covers(word) || s.Vectors != nil && s.Vectors.Has(word)
	})
	pairs, err := draws.Draw(opts.pairs, opts.seed)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return &table5{
		Pairs: opts.pairs, Seed: opts.seed, Eligible: draws.Words(), blend: blendOf(s),
		Shipped: judgeSources(pairs, s),
		Grid:    wordpairs.Table5(pairs, s),
	}, nil
}

// judgeSources decides the pairs by both sources, and by each alone.
func judgeSources(pairs []wordpairs.Drawn, s *compile.Similarity) []table5Row {
	alone := func(name string, at compile.Similarity) table5Row {
		return table5Row{name, wordpairs.Judge(pairs, &at)}
	}
	byHowNet, byVectors := *s, *s
	byHowNet.Vectors, byVectors.HowNet = nil, nil
	switch {
	case s.Vectors == nil:
		return []table5Row{alone("HowNet", byHowNet)}
	case s.HowNet == nil:
		return []table5Row{alone("vectors", byVectors)}
	}
	return []table5Row{alone("HowNet and vectors", *s), alone("HowNet", byHowNet), alone("vectors", byVectors)}
}

func readThesaurus(name string) (*wordpairs.Thesaurus, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read thesaurus: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	t, err := wordpairs.ReadThesaurus(f)
	if err != nil {
		return nil, fmt.Errorf("read thesaurus %s:\n%w", name, err)
	}
	return t, nil
}

func table5Page(w *bytes.Buffer, r *table5) {
	fmt.Fprintf(w, "Accuracy on %d pairs of words, half of them synonyms (seed %d, %d eligible words)\n\n", r.Pairs, r.Seed, r.Eligible)
	fmt.Fprintf(w, "As shipped: %s\n\n", r.blend)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "sources\taccuracy\tsynonyms found\tothers taken for synonyms")
	for _, row := range r.Shipped {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\n", row.Sources, row.Share, row.Synonyms, row.Others)
	}
	_ = t.Flush() // to memory
	fmt.Fprint(w, "\nBy Th1 (down) and Th2 (across), α and β as shipped\n\n")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, th2 := range wordpairs.Thresholds() {
		fmt.Fprintf(t, "%.1f\t", th2)
	}
	fmt.Fprintln(t)
	for _, row := range r.Grid {
		fmt.Fprintf(t, "%.1f\t", row[0].Th1)
		for _, cell := range row {
			fmt.Fprintf(t, "%.3f\t", cell.Share)
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to memory
}

// Package evalcmd has the commands that repeat the papers' experiments.
package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval"
)

// New makes the command eval.
func New(s cli.Streams, getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval NAME",
		Short: "Repeat the papers' experiments, compute their formulas",
		Args:  cobra.ArbitraryArgs,
		RunE:  cli.NameOne("NAME", "evaluation", ""),
	}
	cmd.AddCommand(
		newEvalPairs(s),
		newEvalFormula("relevance", "Rel of a set of words to a topic (eq. 3)",
			`{"topic": {"银行": 0.5}, "weights": {}, "mean": 0.2, "sim": [], "words": ["银行", "天气"]}`,
			s, eval.Relevance),
		newEvalFormula("priority", "Priority of a link (eq. 5)",
			`{"description": 0.4, "anchor": 0.5, "structure": 1, "alpha": 0.2, "beta": 0.3, "lambda": 0.01}`,
			s, eval.Priority),
		newEvalAdapt(s),
		newEvalWords(s), newEvalTable5(s),
		newEvalTable6(s), newEvalExtract(s, getenv), newEvalDuplicates(s, getenv), newEvalCorpus(s), newEvalPages(s), newEvalTable8(s), newEvalSheet(s),
		newEvalFig2(s), newEvalAblate(s), newEvalStrategies(s), newEvalReplay(s), newEvalCrawl(s),
		newEvalPageRank(s), newEvalInherit(s), newEvalStructure(s, getenv),
	)
	for _, c := range cmd.Commands() {
		c.PreRun = func(*cobra.Command, []string) { cli.LiftMemoryLimit(getenv) }
	}
	return cmd
}

// newEvalFormula is a command that answers a JSON document on standard input
// with another.
func newEvalFormula(name, short, example string, s cli.Streams, answer func(in io.Reader, out io.Writer) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:     name + " --json",
		Short:   short,
		Long:    short + ": reads a request in JSON from standard input and answers in JSON.",
		Example: "  echo '" + example + "' |\n      sluice eval " + name + " --json",
		Args:    cli.WantArgs(),
		RunE: func(*cobra.Command, []string) error {
			var result bytes.Buffer
			if err := answer(s.In, &result); err != nil {
				return cli.Usage(err) // what else than the request can be wrong?
			}
			return cli.PrintPage(s.Out, &result)
		},
	}
	cmd.Flags().Bool("json", false, "answer in JSON; there is no other form")
	return cmd
}

func newEvalPairs(s cli.Streams) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "url-pairs --params FILE",
		Short: "Structural similarity of pairs of URLs (algorithm 2)",
		Long: `Structural similarity of pairs of URLs by algorithm 2, to the letter: reads two
URLs a line, with a tab between them, from standard input, and answers each
line with one of JSON. The score is null where one host contains the other.`,
		Example: `  echo '{"alpha":0.7, "beta":0.3, "threshold":0.6, "a":0.6, "b":0.1, "d":8, "a_path":0.3}' >params.json
  sluice eval url-pairs --params params.json <pairs.tsv`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			params, err := readParams(cmd.Context(), path)
			if err != nil {
				return cli.Usage(err)
			}
			return eval.URLPairs(cmd.Context(), params, s.In, s.Out)
		},
	}
	cmd.Flags().StringVar(&path, "params", "", "JSON `FILE` of the constants alpha, beta, threshold, a, b, d, a_path; required")
	cmd.Flags().Bool("json", false, "answer in JSON lines; there is no other form")
	return cmd
}

// readParams reads and checks the file of the constants: with no pairs to
// compare, nothing else can be wrong.
func readParams(ctx context.Context, path string) (io.Reader, error) {
	if path == "" {
		return nil, errors.New("--params is missing: name a JSON file with alpha, beta, threshold, a, b, d and a_path")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read params: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var params bytes.Buffer
	if err := eval.URLPairs(ctx, io.TeeReader(f, &params), strings.NewReader(""), io.Discard); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &params, nil
}

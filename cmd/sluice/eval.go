package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sluice/shared/eval"
)

func newEval(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Compute the papers' formulas on given input",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newEvalPairs(s),
		newEvalFormula("relevance", "Rel of a word set to a topic (eq. 3), a JSON request on stdin", func() error {
			return eval.Relevance(s.in, s.out)
		}),
		newEvalFormula("priority", "priority of a link (eq. 5), a JSON request on stdin", func() error {
			return eval.Priority(s.in, s.out)
		}),
	)
	return cmd
}

// newEvalFormula is a command that answers one JSON document with another.
func newEvalFormula(name, short string, answer func() error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return answer() },
	}
	cmd.Flags().Bool("json", true, "answer in JSON; there is no other form")
	return cmd
}

func newEvalPairs(s streams) *cobra.Command {
	var params string
	cmd := &cobra.Command{
		Use:   "url-pairs --params FILE.json",
		Short: "Structural similarity of URL pairs (algorithm 2, paper form), two URLs a line on stdin",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if params == "" {
				return usage(fmt.Errorf("--params is missing: name a JSON file with alpha beta threshold a b d a_path"))
			}
			f, err := os.Open(params)
			if err != nil {
				return usage(fmt.Errorf("read parameters: %w", err))
			}
			defer f.Close()
			return eval.URLPairs(cmd.Context(), f, s.in, s.out)
		},
	}
	cmd.Flags().StringVar(&params, "params", "", "JSON file of the constants")
	cmd.Flags().Bool("json", true, "answer in JSON lines; there is no other form")
	return cmd
}

package evalcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/eval"
)

func newEvalAdapt(s cli.Streams) *cobra.Command {
	cmd := newEvalFormula("adapt", "Threshold after an interval (B3), by the published rules",
		`{"thd": 0.1, "f": 80, "F": 280, "r": 40, "S": 100, "T": 3, "alpha": 1.05, "beta": 1.3, "gamma": 0.95, "mu": 0.3}`,
		s, eval.Adapt)
	cmd.Long += `

With --svg it reads nothing, but draws how the threshold follows what a web brings:
the documents of each interval when the supply falls and rises at once, by the
published rules and by those of crawls, which count the last intervals only. The
answer has after how many intervals their number is within a tenth of the expected
one, null for never.`
	svg := cmd.Flags().String("svg", "", "draw the step changes as SVG into `FILE`")
	answer := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *svg == "" {
			return answer(cmd, args)
		}
		steps := eval.NewStepChange()
		if err := writeFile(*svg, steps.Figure().SVG); err != nil {
			return fmt.Errorf("draw step changes: %w", err)
		}
		return cli.PrintResult(s, true, steps, nil)
	}
	return cmd
}

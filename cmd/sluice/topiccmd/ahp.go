package topiccmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic/compile"
)

// criteria are what the priority of a link weighs (METHOD A11), in the order of
// α, β and λ.
func criteria() []string { return []string{"description", "anchor", "structure"} }

// maxMatrix is more than three rows take, in bytes.
const maxMatrix = 1 << 20

// priorityWeights is what the command prints as JSON.
type priorityWeights struct {
	Alpha      float64 `json:"alpha"`
	Beta       float64 `json:"beta"`
	Lambda     float64 `json:"lambda"`
	LambdaMax  float64 `json:"lambda_max"` // the principal eigenvalue
	Ratio      float64 `json:"consistency_ratio"`
	Consistent bool    `json:"consistent"`

	contradiction error // of the judgements; nil: none
}

// Failure is the error of judgements that contradict one another.
func (r *priorityWeights) Failure() error { return r.contradiction }

func newTopicAHP(s cli.Streams) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "ahp --matrix FILE",
		Short: "Weigh the parts of a link's priority by pairwise judgements",
		Long: `Weigh the parts of a link's priority by pairwise judgements: the analytic
hierarchy process gives α, β and λ of eq. 5 (METHOD A11).

FILE is a matrix of three rows, in the order description, anchor, structure: how
many times as important each is as the others, as 3 or 1/3; zeros below the
diagonal follow from what is above it. A first line of these names, or of alpha,
beta and lambda, may give another order. "-" is standard input. A consistency ratio of 0.1 or more is an
error that names the judgement to reconsider.`,
		Example: `  printf '1 1/3 4\n3 1 7\n1/4 1/7 1\n' | sluice topic ahp --matrix -`,
	}
	cmd.Flags().StringVar(&path, "matrix", "", "comparison matrix, a `FILE`; required")
	return cli.WithResult(s, cmd, func(context.Context, []string) (*priorityWeights, error) {
		if err := cli.Required([2]string{"matrix", path}); err != nil {
			return nil, err
		}
		j, err := readJudgements(s, path)
		if err != nil {
			return nil, err
		}
		return j.weigh()
	}, ahpPage)
}

// weightNames are the weights of the criteria in eq. 5, in their order.
var weightNames = [...]string{"alpha", "beta", "lambda"}

// judgements are a comparison matrix of the criteria, and the row of each.
type judgements struct {
	file   string
	matrix [][]float64
	row    []int
}

// readJudgements reads a comparison matrix of the three criteria.
func readJudgements(s cli.Streams, path string) (*judgements, error) {
	in, name := s.In, "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read matrix: %w", err)
		}
		defer func() { _ = file.Close() }() // only read
		in, name = file, path
	}
	names, matrix, err := compile.ParseMatrix(io.LimitReader(in, maxMatrix), name)
	if err != nil {
		return nil, cli.Usage(err)
	}
	want := criteria()
	if len(matrix) != len(want) {
		return nil, cli.Usage(fmt.Errorf("%s: %d rows: the matrix compares %s", name, len(matrix), strings.Join(want, ", ")))
	}
	j := &judgements{file: name, matrix: matrix, row: []int{0, 1, 2}}
	if names == nil {
		return j, nil
	}
	for i, criterion := range want {
		j.row[i] = slices.IndexFunc(names, func(n string) bool {
			return strings.EqualFold(n, criterion) || strings.EqualFold(n, weightNames[i])
		})
		if j.row[i] < 0 {
			return nil, cli.Usage(fmt.Errorf("%s: the first line names %s: it must name %s, in any order",
				name, strings.Join(names, ", "), strings.Join(want, ", ")))
		}
	}
	return j, nil
}

// weigh weighs the criteria.
func (j *judgements) weigh() (*priorityWeights, error) {
	weights, ratio, err := compile.AHP(j.matrix)
	if _, contradict := errors.AsType[*compile.InconsistentError](err); err != nil && !contradict {
		return nil, cli.Usage(fmt.Errorf("%s: %w", j.file, err))
	}
	return &priorityWeights{
		Alpha: weights[j.row[0]], Beta: weights[j.row[1]], Lambda: weights[j.row[2]],
		LambdaMax: eigenvalue(j.matrix, weights), Ratio: ratio, Consistent: err == nil,
		contradiction: err,
	}, nil
}

// eigenvalue is that of an eigenvector with sum 1, of a matrix whose lower
// triangle follows from the upper one: the sum of its product with the matrix.
func eigenvalue(matrix [][]float64, vector []float64) float64 {
	var sum float64
	for i, row := range matrix {
		for j := range row {
			judgement := row[j]
			if j < i {
				judgement = 1 / matrix[j][i]
			}
			sum += judgement * vector[j]
		}
	}
	return sum
}

func ahpPage(w *bytes.Buffer, r *priorityWeights) {
	fmt.Fprintf(w, "alpha   %.4f  description\nbeta    %.4f  anchor\nlambda  %.4f  structure\n\n", r.Alpha, r.Beta, r.Lambda)
	fmt.Fprintf(w, "principal eigenvalue %.4f, consistency ratio %.4f\n", r.LambdaMax, r.Ratio)
}

package eval

import (
	"errors"
	"fmt"
	"io"
	"math"

	"sluice/shared/rank"
)

// Priority reads
//
//	{"description": x, "anchor": x, "structure": 0|1, "alpha": x, "beta": x, "lambda": x}
//
// and writes {"priority": x} by equation 5 (METHOD A11). It calculates with any
// finite number: the ranges of the constants are the topic file's affair.
func Priority(in io.Reader, out io.Writer) error {
	keys := []string{"description", "anchor", "structure", "alpha", "beta", "lambda"}
	request, err := readRequest(in, nil, keys...)
	if err != nil {
		return fmt.Errorf("read priority request: %w", err)
	}
	values := make(map[string]float64, len(keys))
	var problems []error
	for _, key := range keys {
		values[key], err = request.number(key)
		problems = append(problems, err)
	}
	if vote := values["structure"]; vote != 0 && vote != 1 {
		problems = append(problems, fmt.Errorf("key %q is %v: it must be 0 or 1", "structure", vote))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("read priority request: %w", err)
	}
	weights := rank.Weights{Alpha: values["alpha"], Beta: values["beta"], Lambda: values["lambda"]}
	priority := weights.Priority(rank.Parts{
		Description: values["description"],
		Anchor:      values["anchor"],
		Structure:   values["structure"] == 1,
	})
	if math.IsInf(priority, 0) || math.IsNaN(priority) {
		return errors.New("compute priority: the result is too large for a number")
	}
	return answer(out, struct {
		Priority float64 `json:"priority"`
	}{priority})
}

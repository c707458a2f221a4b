package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"sluice/shared/rank/adapt"
)

// Adapt reads JSON objects, one for each interval,
//
//	{"thd": x, "f": x, "F": x, "r": x, "S": x, "T": x, "alpha": x, "beta": x, "gamma": x, "mu": x}
//
// and writes {"threshold": x, "rule": "keep|raise|raise_more|lower"} for each by
// the published rules (METHOD B3).
func Adapt(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	if err != nil {
		return fmt.Errorf("read intervals: %w", err)
	}
	if len(text) > maxRequest {
		return fmt.Errorf("read intervals: they are larger than %d bytes", maxRequest)
	}
	var problems []error
	decoder := json.NewDecoder(bytes.NewReader(text))
	for number := 1; ; number++ {
		var row json.RawMessage
		err := decoder.Decode(&row)
		if errors.Is(err, io.EOF) && number > 1 {
			break
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", position(text, err), err))
			break
		}
		result, err := adaptRow(row)
		if err != nil {
			problems = append(problems, fmt.Errorf("interval %d: %w", number, err))
		} else if err := answer(out, result); err != nil {
			return fmt.Errorf("write answers: %w", err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("read intervals: %w", err)
	}
	return nil
}

// adapted is the answer for one interval.
type adapted struct {
	Threshold float64    `json:"threshold"`
	Rule      adapt.Rule `json:"rule"`
}

func adaptRow(row []byte) (result adapted, err error) {
	var threshold float64
	var c adapt.Counts
	var rules adapt.Rules
	fields := []struct {
		key    string
		target *float64
	}{
		{"thd", &threshold}, {"f", &c.Fetched}, {"F", &c.All}, {"r", &c.Relevant}, {"S", &c.Expected}, {"T", &c.Intervals},
		{"alpha", &rules.Alpha}, {"beta", &rules.Beta}, {"gamma", &rules.Gamma}, {"mu", &rules.Mu},
	}
	keys := make([]string, len(fields))
	for i, field := range fields {
		keys[i] = field.key
	}
	request, err := readRequest(bytes.NewReader(row), nil, keys...)
	if err != nil {
		return result, err
	}
	var problems []error
	for i, field := range fields {
		*field.target, err = request.number(field.key)
		if err == nil && i < len(fields)-4 && *field.target < 0 {
			err = fmt.Errorf("key %q is %v: it must not be negative", field.key, *field.target)
		}
		problems = append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return result, err
	}
	if err := rules.Validate(); err != nil {
		return result, err
	}
	result.Threshold, result.Rule = rules.Next(threshold, c)
	if math.IsInf(result.Threshold, 0) {
		return result, errors.New("the threshold is too large for a number")
	}
	return result, nil
}

package eval

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"sluice/shared/rank/urlshape"
)

// maxLine bounds a line of pairs in bytes.
const maxLine = 64 << 10

// pairAnswer is a line of output. Score is null if one host contains the other,
// which decides without a score.
type pairAnswer struct {
	Same  bool     `json:"same"`
	Score *float64 `json:"score"`
	Error string   `json:"error,omitempty"`
}

// URLPairs compares the two URLs on each line of pairs, separated by a tab, by
// algorithm 2 to the letter (METHOD A9, form paper) and writes a JSON line
// {"same": bool, "score": number|null} for each. params is a JSON object with
// the constants alpha, beta, threshold, a, b, d and a_path.
//
// Blank lines are skipped. A line that is not two URLs is answered with an
// "error" that names it, and so is the error at the end; the other lines are
// answered all the same.
func URLPairs(ctx context.Context, params, pairs io.Reader, out io.Writer) error {
	constants, err := readConstants(params)
	if err != nil {
		return fmt.Errorf("read params: %w", err)
	}
	lines := bufio.NewReaderSize(pairs, maxLine)
	answers := bufio.NewWriter(out)
	var first error
	bad := 0
	for number := 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, answers.Flush())
		}
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return errors.Join(fmt.Errorf("read pairs: %w", err), answers.Flush())
		}
		if err == nil && line == "" {
			continue
		}
		var result pairAnswer
		if err == nil {
			result, err = compare(constants, line)
		}
		if err != nil {
			err = fmt.Errorf("line %d: %w", number, err)
			result = pairAnswer{Error: err.Error()}
			if bad++; first == nil {
				first = err
			}
		}
		if err := answer(answers, result); err != nil {
			return fmt.Errorf("write answers: %w", err)
		}
	}
	if err := answers.Flush(); err != nil {
		return fmt.Errorf("write answers: %w", err)
	}
	if bad > 1 {
		return fmt.Errorf("compare URLs: %w (and %d more lines)", first, bad-1)
	}
	if first != nil {
		return fmt.Errorf("compare URLs: %w", first)
	}
	return nil
}

// readConstants reads the params object.
func readConstants(in io.Reader) (urlshape.Params, error) {
	params := urlshape.Params{Form: urlshape.FormPaper}
	fields := []struct {
		key    string
		target *float64
	}{
		{"alpha", &params.Alpha}, {"beta", &params.Beta}, {"threshold", &params.Threshold},
		{"a", &params.A}, {"b", &params.B}, {"d", &params.D}, {"a_path", &params.APath},
	}
	keys := make([]string, len(fields))
	for i, field := range fields {
		keys[i] = field.key
	}
	request, err := readRequest(in, nil, keys...)
	if err != nil {
		return params, err
	}
	var problems []error
	for _, field := range fields {
		*field.target, err = request.number(field.key)
		problems = append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return params, err
	}
	if params.D == 0 {
		return params, errors.New(`key "d" is 0: the similarity of two www parts is divided by it`)
	}
	return params, nil
}

// errLongLine marks a line that is not kept.
var errLongLine = fmt.Errorf("longer than %d bytes", maxLine)

// readLine returns the next line without the blanks around it; of a long line
// only errLongLine is left. io.EOF follows the last one.
func readLine(lines *bufio.Reader) (string, error) {
	line, more, err := lines.ReadLine()
	if err != nil {
		return "", err
	}
	if !more {
		return string(bytes.TrimSpace(line)), nil
	}
	for more {
		if _, more, err = lines.ReadLine(); err != nil {
			break // the next call reports it
		}
	}
	return "", errLongLine
}

// compare answers for one line.
func compare(params urlshape.Params, line string) (pairAnswer, error) {
	urls := strings.Split(line, "\t")
	if len(urls) != 2 {
		return pairAnswer{}, fmt.Errorf("%d fields: need two URLs with a tab between them", len(urls))
	}
	first, err := shape(urls[0])
	if err != nil {
		return pairAnswer{}, fmt.Errorf("first URL: %w", err)
	}
	second, err := shape(urls[1])
	if err != nil {
		return pairAnswer{}, fmt.Errorf("second URL: %w", err)
	}
	same, score, scored := params.Compare(first, second)
	if !scored {
		return pairAnswer{Same: same}, nil
	}
	if math.IsInf(score, 0) || math.IsNaN(score) {
		return pairAnswer{}, errors.New("the score is too large for a number")
	}
	return pairAnswer{Same: same, Score: &score}, nil
}

// shape splits a URL. Without a scheme, it must have a dot in its host, which
// distinguishes it from other text.
func shape(text string) (urlshape.Shape, error) {
	text = strings.TrimSpace(text)
	scheme, rest, ok := strings.Cut(text, "://")
	if ok = ok && !strings.ContainsAny(scheme, "/?#"); !ok {
		rest = text
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := rest[:end]
	if strings.ContainsAny(host, " \\<>\"") || !ok && !strings.Contains(host, ".") {
		return urlshape.Shape{}, fmt.Errorf("%.100q is not a URL", text)
	}
	return urlshape.Of(text)
}

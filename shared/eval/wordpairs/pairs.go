// Package wordpairs measures similarities of words (METHOD A3–A5): how well
// they agree with human judgements, and how well they separate synonyms from
// other words, which is the paper's Table 5 (METHOD A14).
package wordpairs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"sluice/shared/text/segment"
)

// Pair is two words and how similar people find them, on any scale.
type Pair struct {
	A, B  string // folded, see segment.Fold
	Score float64
}

// Read reads pairs: a line is two words and a score, separated by tabs, or by
// white space if it does not have two tabs; more columns, of single raters, may
// follow. Lines that start with "#" are comments, and the first line may hold
// the names of the columns. Text is UTF-8 or GB18030, with or without a byte
// order mark. The error lists up to 20 bad lines.
func Read(r io.Reader) ([]Pair, error) {
	text, err := readText(r)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	var wrong problems
	first := true
	for number, line := range lines(text) {
		columns := columnsOf(line)
		header := first && isHeader(columns)
		first = false
		if header {
			continue
		}
		pair, err := newPair(columns)
		if err != nil {
			wrong.add(number, err)
			continue
		}
		pairs = append(pairs, pair)
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, errors.New("no pairs of words")
	}
	return pairs, nil
}

// columnsOf splits a line. Between tabs, words may contain spaces.
func columnsOf(line string) []string {
	if strings.Count(line, "\t") < 2 {
		return strings.Fields(line)
	}
	columns := strings.Split(line, "\t")
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	return columns
}

// isHeader reports whether the third column is a name. A number that is
// misspelled has a digit still.
func isHeader(columns []string) bool {
	return len(columns) >= 3 && columns[2] != "" && !strings.ContainsFunc(columns[2], unicode.IsDigit)
}

func newPair(columns []string) (Pair, error) {
	if len(columns) < 3 {
		return Pair{}, fmt.Errorf("%d columns: want two words and a score, with tabs or spaces between them", len(columns))
	}
	score, err := strconv.ParseFloat(columns[2], 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return Pair{}, fmt.Errorf("score is %q: want a number like 0.5, as the third column", clip(columns[2]))
	}
	pair := Pair{A: segment.Fold(columns[0]), B: segment.Fold(columns[1]), Score: score}
	if pair.A == "" || pair.B == "" { // or only invisible marks
		return Pair{}, errors.New("a word is missing: want two words and a score")
	}
	return pair, nil
}

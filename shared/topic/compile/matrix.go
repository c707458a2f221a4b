package compile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ParseMatrix reads a comparison matrix for AHP: a line for each row, with
// numbers or fractions such as 1/3 separated by spaces, commas or tabs. A first
// line of words names the criteria; without it the names are nil. Empty lines
// and comments after # are skipped. Errors give name and line.
func ParseMatrix(r io.Reader, name string) (names []string, matrix [][]float64, err error) {
	lines := bufio.NewScanner(r)
	number := 0
	for lines.Scan() {
		number++
		text, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\uFEFF"), "#")
		fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r,", r) })
		if len(fields) == 0 {
			continue
		}
		if names == nil && matrix == nil && !startsNumber(fields[0]) {
			names = fields
			continue
		}
		row, err := parseRow(fields)
		if err == nil {
			err = fits(row, names, matrix)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		matrix = append(matrix, row)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf("%s:%d: read comparison matrix: %w", name, number+1, err)
	}
	if len(matrix) == 0 {
		return nil, nil, fmt.Errorf("%s: no row of numbers: write the comparison matrix, a line for each criterion", name)
	}
	if want := len(matrix[0]); len(matrix) != want {
		return nil, nil, fmt.Errorf("%s:%d: %d rows of %d numbers: the matrix must be square", name, number, len(matrix), want)
	}
	return names, matrix, nil
}

// fits reports whether a row has as many numbers as there are names and as
// there were before, and whether it is not one too many.
func fits(row []float64, names []string, matrix [][]float64) error {
	switch {
	case names != nil && len(row) != len(names):
		return fmt.Errorf("%d numbers: want one for each of %s", len(row), strings.Join(names, ", "))
	case len(matrix) > 0 && len(row) != len(matrix[0]):
		return fmt.Errorf("%d numbers: the rows above have %d", len(row), len(matrix[0]))
	case len(row) > maxOrder:
		return fmt.Errorf("%d numbers: at most %d criteria can be compared", len(row), maxOrder)
	case len(matrix) == len(row):
		return fmt.Errorf("one row too many: a matrix of %d columns has %[1]d rows", len(row))
	}
	return nil
}

func parseRow(fields []string) ([]float64, error) {
	row := make([]float64, len(fields))
	for i, field := range fields {
		var err error
		if row[i], err = parseFraction(field); err != nil {
			return nil, fmt.Errorf("column %d: %.40q %w", i+1, field, err)
		}
	}
	return row, nil
}

// parseFraction reads 3, 0.5 or 1/3.
func parseFraction(text string) (float64, error) {
	above, below, fraction := strings.Cut(text, "/")
	value, err := strconv.ParseFloat(above, 64)
	if err == nil && fraction {
		var divisor float64
		divisor, err = strconv.ParseFloat(below, 64)
		value /= divisor
	}
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, errors.New("is not a number: write one such as 3, 0.5 or 1/3")
	}
	return value, nil
}

// startsNumber distinguishes a number, even a misspelt one, from the name of a
// criterion.
func startsNumber(field string) bool {
	return strings.ContainsRune("0123456789+-./", rune(field[0]))
}

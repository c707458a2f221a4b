package eval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxRow      = 1 << 16 // bytes
	maxProblems = 20      // reported at once
)

// readRows calls add for every line with the columns that tabs divide it into. Blank
// lines are skipped. The error lists up to 20 bad lines.
func readRows(in io.Reader, want []string, add func(number int, cells []string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRow)
	var problems []error
	number := 0
	for lines.Scan() && len(problems) < maxProblems {
		number++
		line := strings.TrimSuffix(strings.TrimPrefix(lines.Text(), "\uFEFF"), "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := strings.Split(line, "\t")
		err := fmt.Errorf("it has %d of %d columns: %s, with tabs between them", len(cells), len(want), strings.Join(want, ", "))
		if len(cells) == len(want) {
			err = add(number, cells)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", number, err))
		}
	}
	if err := lines.Err(); err != nil {
		problems = append(problems, fmt.Errorf("line %d: %w", number+1, err))
	}
	return errors.Join(problems...)
}

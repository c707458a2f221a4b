package hownet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/fault"
)

// maxProblems is how many problems are kept and listed.
const maxProblems = 20

// Problem is one thing that is wrong with a file of a lexicon.
type Problem struct {
	File    string
	Line    int // from 1; 0: the whole file
	Message string
}

// Error returns the problem as compilers print theirs: file:line.
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Problems are the errors of a file.
type Problems struct {
	List []Problem // the first 20 that were found, in the order of their lines
	More int       // how many there are beyond them
}

// Error returns a line for each problem that is kept, and how many more there
// are.
func (p *Problems) Error() string {
	var lines []string
	for _, problem := range p.List {
		lines = append(lines, problem.Error())
	}
	if p.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more problems", p.More))
	}
	return strings.Join(lines, "\n")
}

// add records a problem.
func (p *Problems) add(file string, line int, format string, args ...any) {
	if len(p.List) == maxProblems {
		p.More++
		return
	}
	p.List = append(p.List, Problem{file, line, fmt.Sprintf(format, args...)})
}

// count returns how many problems were recorded.
func (p *Problems) count() int { return len(p.List) + p.More }

// sort puts the problems in the order of the file.
func (p *Problems) sort() {
	slices.SortStableFunc(p.List, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// err returns the problems as an error, nil if there are none.
func (p *Problems) err() error {
	if p.count() == 0 {
		return nil
	}
	p.sort()
	return p
}

// clip shortens a quotation.
func clip(text string) string { return fault.Clip(text, 40) }

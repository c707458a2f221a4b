package topic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxProblems is how many problems are reported in full.
const maxProblems = 20

// Problem is one thing that is wrong with a topic file.
type Problem struct {
	File         string
	Line, Column int // from 1; 0: the whole file
	Message      string
}

// Error returns the problem as compilers print theirs: file:line:column.
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems are all that is wrong with a topic file, in the order of its lines.
type Problems []Problem

// Error returns a line for each problem, up to 20.
func (p Problems) Error() string {
	var lines []string
	for _, problem := range p[:min(len(p), maxProblems)] {
		lines = append(lines, problem.Error())
	}
	if more := len(p) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more problems", more))
	}
	return strings.Join(lines, "\n")
}

// place is the place of a value in the file.
type place struct{ line, column int }

// reader reads one topic file. It continues after a problem, to report all.
type reader struct {
	file     string
	problems Problems
	places   map[any]place // where the value of a pointer was read
}

// fail records a problem.
func (r *reader) fail(at place, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.file, at.line, at.column, fmt.Sprintf(format, args...)})
}

// sorted returns the problems in the order of the file.
func (r *reader) sorted() Problems {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return r.problems
}

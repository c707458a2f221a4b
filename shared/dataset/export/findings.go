package export

import "fmt"

// Findings are what a check has to say; the keys are stable.
type Findings struct {
	Notes    []string `json:"notes"`    // what could not be checked
	Problems []string `json:"problems"` // at most maxProblems and a count of the others

	more int64
}

// maxProblems is how many problems are named.
const maxProblems = 50

func noFindings() Findings { return Findings{Notes: []string{}, Problems: []string{}} }

func (f *Findings) wrong(format string, args ...any) {
	if len(f.Problems) == maxProblems {
		f.more++
		return
	}
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

func (f *Findings) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// end counts the problems that were not named.
func (f *Findings) end() {
	if f.more > 0 {
		f.Problems = append(f.Problems, fmt.Sprintf("and %d more", f.more))
	}
}

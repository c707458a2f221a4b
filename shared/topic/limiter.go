package topic

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// A topic file nests three levels deep. The parser recurses without a limit and
// takes quadratic time for the fields of a mapping, so both are bounded before
// it runs.
const (
	maxNesting = 16 // brackets, or dashes and colons on one line
	maxIndent  = 64 // columns
	maxFields  = 2*maxWords + 1000
	maxTokens  = 100_000
)

// limiter sees the tokens of a file one by one.
type limiter struct {
	tokens, fields int
	line, marks    int // block marks on this line
	brackets       int // open
}

// refuse returns advice about a token that topic files do not use, or "".
func (l *limiter) refuse(tk *token.Token) string {
	l.tokens++
	indent := 0
	if tk.Position.Line != l.line {
		l.line, l.marks = tk.Position.Line, 0
		indent = tk.Position.Column
	}
	switch tk.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "anchors and aliases are not read: write the value out"
	case token.TagType, token.DirectiveType:
		return "tags and directives are not read: remove this one"
	case token.SequenceStartType, token.MappingStartType:
		l.brackets++
	case token.SequenceEndType, token.MappingEndType:
		l.brackets = max(0, l.brackets-1)
	case token.MappingKeyType:
		return "complex keys are not read: remove the question mark"
	case token.SequenceEntryType:
		l.marks++
	case token.MappingValueType:
		l.fields++
		if l.brackets == 0 {
			l.marks++
		}
	}
	switch {
	case l.brackets > maxNesting, l.marks > maxNesting:
		return fmt.Sprintf("nested more than %d levels deep: a topic file needs three", maxNesting)
	case l.brackets == 0 && indent > maxIndent:
		return fmt.Sprintf("indented by more than %d columns: indent by two", maxIndent)
	case l.fields > maxFields:
		return fmt.Sprintf("more than %d fields: remove some words", maxFields)
	case l.tokens > maxTokens:
		return fmt.Sprintf("more than %d words and marks: remove some", maxTokens)
	}
	return ""
}

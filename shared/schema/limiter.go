package schema

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// The files that users write nest a few levels deep. The parser recurses without
// a limit and takes quadratic time for the fields of a mapping, so both are
// bounded before it runs.
const (
	maxNesting = 16 // brackets, or dashes and colons on one line
	maxIndent  = 64 // columns
)

// limiter sees the tokens of a file one by one.
type limiter struct {
	format         Format
	tokens, fields int
	line, marks    int // block marks on this line
	brackets       int // open
}

// refuse returns advice about a token that such files do not use, or "".
func (l *limiter) refuse(tk *token.Token) string {
	l.tokens++
	indent := 0
	if tk.Position.Line != l.line {
		l.line, l.marks = tk.Position.Line, 0
		indent = tk.Position.Column
	}
	switch tk.Type {
	case token.AliasType:
		return "anchors and aliases are not read: put a text that begins with * in quotes, as in \"*.example.com\""
	case token.AnchorType:
		return "anchors and aliases are not read: write the value out, or put a text that begins with & in quotes"
	case token.MergeKeyType:
		return "anchors and aliases are not read: write the value out"
	case token.TagType:
		return "tags and directives are not read: remove this one, or put a text that begins with ! in quotes"
	case token.DirectiveType:
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
		return fmt.Sprintf("nested more than %d levels deep: %s needs a few", maxNesting, l.format.Name)
	case l.brackets == 0 && indent > maxIndent:
		return fmt.Sprintf("indented by more than %d columns: indent by two", maxIndent)
	case l.fields > l.format.MaxFields:
		return fmt.Sprintf("more than %d fields: remove some", l.format.MaxFields)
	case l.tokens > l.format.MaxTokens:
		return fmt.Sprintf("more than %d words and marks: remove some", l.format.MaxTokens)
	}
	return ""
}

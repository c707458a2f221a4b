package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// printJSON prints one document, on one line.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// PrintPage prints a page in one piece.
func PrintPage(w io.Writer, page *bytes.Buffer) error {
	if _, err := page.WriteTo(w); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// Clean makes text from the web fit for a terminal: on one line, and without
// what a terminal or a reader's eye would take for orders.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Count says how many there are of something: "1 link", "2 links".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// PageWidth is what a page of output keeps to, in columns.
const PageWidth = 78

// Wrap puts items on as few lines as pageWidth allows, each after indent.
func Wrap(indent string, items []string) string {
	var b strings.Builder
	column := 0
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+len(item) > PageWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(item)
		column += len(item)
	}
	return b.String()
}

// PrintResult prints what came of a command, as JSON or for people.
func PrintResult[R any](s Streams, asJSON bool, r *R, page func(w *bytes.Buffer, r *R)) error {
	if asJSON {
		return printJSON(s.Out, r)
	}
	w := new(bytes.Buffer)
	page(w, r)
	return PrintPage(s.Out, w)
}

// CloseWith closes c and returns the first error.
func CloseWith(c io.Closer, err error) error {
	if cerr := c.Close(); err == nil {
		return cerr
	}
	return err
}

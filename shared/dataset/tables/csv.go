package tables

import (
	"encoding/csv"
	"io"
	"regexp"
	"strconv"
)

// csvWriter writes a table as RFC 4180 says, with the names of the columns in the first
// line. A value that a record lacks is empty. Texts that a spreadsheet may take for
// formulas have an apostrophe before them.
type csvWriter struct {
	w    *csv.Writer
	cols []column
	line []string
}

func newCSV(w io.Writer, cols []column) (*csvWriter, error) {
	c := &csvWriter{w: csv.NewWriter(w), cols: cols, line: make([]string, len(cols))}
	for i := range cols {
		c.line[i] = cols[i].name
	}
	return c, c.w.Write(c.line)
}

func (c *csvWriter) write(r *row) error {
	for i := range c.cols {
		switch v := c.cols[i].of(r).(type) {
		case string:
			c.line[i] = inert(v)
		case float64:
			c.line[i] = strconv.FormatFloat(v, 'f', -1, 64)
		case int64:
			c.line[i] = strconv.FormatInt(v, 10)
		default:
			c.line[i] = ""
		}
	}
	return c.w.Write(c.line)
}

func (c *csvWriter) close() error {
	c.w.Flush()
	return c.w.Error()
}

// formula is what spreadsheets run (OWASP, "CSV Injection"), behind apostrophes: so a value
// is what is left of a text that matches without its first apostrophe. Plain numbers stay.
var (
	formula = regexp.MustCompile(`^'*[=+\-@\t\r\n＝＋－＠]`)
	plain   = regexp.MustCompile(`^[+-]?\d[\d.,]*%?$`)
)

func inert(text string) string {
	if formula.MatchString(text) && !plain.MatchString(text) {
		return "'" + text
	}
	return text
}

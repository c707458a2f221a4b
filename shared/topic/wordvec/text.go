package wordvec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// WriteText writes v in word2vec's text format, which is also fastText's .vec.
// Reading it gives the same vectors to the bit.
func (v *Vectors) WriteText(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "%d %d\n", len(v.words), v.dim)
	var line []byte
	for i, word := range v.words {
		line = append(line[:0], word...)
		for _, x := range v.row(i) {
			line = append(line, ' ')
			line = strconv.AppendFloat(line, float64(x), 'g', -1, 32)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

// isTextRow reports whether data starts with a row of text rather than a row of
// the binary format. A line of text has only ASCII after the word. A row of
// floats may by chance have that too, up to a byte that is a line end: then
// text has as many fields as values, or no control characters where the floats
// would be.
func isTextRow(data []byte, dim int) bool {
	space := bytes.IndexAny(data, " \t\n")
	if space < 0 {
		return true // neither: the text reader gives the better error
	}
	values := data[space:]
	line, _, _ := bytes.Cut(values, []byte("\n"))
	if bytes.ContainsFunc(line, func(r rune) bool { return r >= unicode.MaxASCII || isControl(r) }) {
		return false
	}
	floats := values[:min(len(values), 1+4*dim)]
	return len(bytes.Fields(line)) == dim || !bytes.ContainsFunc(floats, isControl)
}

// isControl reports whether r is a control character that text does not hold.
func isControl(r rune) bool { return r < ' ' && !isBlank(r) }

// readText reads the rows of a text from line number line on. Without a header
// the first row says how many components there are.
func readText(in *bufio.Reader, t *table, line int64) (*Vectors, error) {
	for ; ; line++ {
		data, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("line %d is longer than %d bytes", line, maxLine)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(data) == 0 {
			break
		}
		if t.count > 0 && t.rows == t.count {
			if len(bytes.TrimSpace(data)) == 0 {
				continue
			}
			return nil, fmt.Errorf("line %d: the header says %d words, here is one more", line, t.count)
		}
		if err := t.addText(string(data)); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if t.rows < t.count {
		return nil, fmt.Errorf("line %d: the header says %d words, the text ends after %d", line, t.count, t.rows)
	}
	return t.vectors(), nil
}

// addText adds a line: a word and its values, separated by spaces or tabs.
func (t *table) addText(line string) error {
	word, rest := nextField(line)
	if word == "" {
		return errors.New("the line is empty")
	}
	t.makeRoom()
	start := len(t.values)
	for {
		var field string
		if field, rest = nextField(rest); field == "" {
			break
		}
		x, err := parseValue(field)
		if err != nil {
			return fmt.Errorf("word %.50q has the value %.50q: want a number", word, field)
		}
		t.values = append(t.values, x)
	}
	n := len(t.values) - start
	if t.dim == 0 && 0 < n && n <= maxDim {
		t.dim = n
	}
	switch {
	case t.dim == 0:
		return fmt.Errorf("word %.50q has %d values: want 1 to %d", word, n, maxDim)
	case n != t.dim:
		return fmt.Errorf("word %.50q has %d values: want %d", word, n, t.dim)
	}
	return t.add(word)
}

// nextField takes a field off line.
func nextField(line string) (field, rest string) {
	line = strings.TrimLeftFunc(line, isBlank)
	if i := strings.IndexFunc(line, isBlank); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// isBlank reports whether r separates fields. Other white space (full-width,
// non-breaking) occurs inside the words of published files.
func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }

// parseValue parses a number in decimal digits: programs for vectors don't
// write "0x1p-2". "nan" and "inf" are out of range.
func parseValue(s string) (float32, error) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, strconv.ErrSyntax
	}
	x, err := strconv.ParseFloat(s, 32)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		err = strconv.ErrRange
	}
	return float32(x), err
}

// Package sheet is how a user without labels measures a crawl: it draws
// documents into a sheet, reads back the marks that a person put beside them,
// and says how precise the crawl was, and how sure that is (METHOD A14).
//
// A sheet is tab-separated text that spreadsheets open: mark, URL, title and the
// beginning of the text, one document a line.
package sheet

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"unicode"
)

const (
	header    = "mark\turl\ttitle\ttext"
	excerpt   = 200 // characters of the text
	maxFields = 4
)

// Sample draws n documents of any number, each with the same chance, and holds
// no more than these.
type Sample struct {
	n, seen int
	random  *rand.Rand
	rows    []string
}

// NewSample returns a sample that the seed determines, together with the
// documents and their order. n is at least 1.
func NewSample(n int, seed uint64) *Sample {
	return &Sample{n: n, random: rand.New(rand.NewPCG(seed, uint64(n)))}
}

// Add offers a document.
func (s *Sample) Add(url, title, text string) {
	s.seen++
	at := len(s.rows)
	if at < s.n {
		s.rows = append(s.rows, "")
	} else if at = s.random.IntN(s.seen); at >= s.n {
		return
	}
	s.rows[at] = "\t" + field(url, len(url)) + "\t" + field(title, excerpt) + "\t" + field(text, excerpt)
}

// Len returns how many documents were drawn, Seen how many were offered.
func (s *Sample) Len() int { return len(s.rows) }

// Seen returns how many documents were offered.
func (s *Sample) Seen() int { return s.seen }

// Write writes the sheet, in an order independent of the documents.
func (s *Sample) Write(w io.Writer) error {
	s.random.Shuffle(len(s.rows), func(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] })
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, header)
	for _, row := range s.rows {
		fmt.Fprintln(out, row)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write sheet: %w", err)
	}
	return nil
}

// field makes web text fit for a cell: on one line, cut to n characters, and
// without formulas.
func field(text string, n int) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			r = unicode.ReplacementChar
		}
		if n--; n < 0 {
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		} else if b.Len() == 0 && strings.ContainsRune(`=+-@"'`, r) {
			b.WriteByte('\'') // as spreadsheets mark text
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Package fidelity compares the documents of a corpus with the texts that their
// pages were made from: how much of a text is kept, and how much of a document
// is furniture of the page (METHOD A13).
package fidelity

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Document is the document of a page.
type Document struct{ Title, Text string }

// Comparison is a document beside its source. Characters are those that are not
// white space.
type Comparison struct {
	Source int // characters of the source
	Kept   int // of these, those that the document has, in their order
	Text   int // characters of the document's text
	Own    int // of these, those that the source has, in their order

	Credits     int // characters of the source in lines that name its editor
	CreditsKept int // of these, those that the document has

	Missing []string // lines of the source that the document lacks, by more than half; no credits
	Foreign []string // lines of the text that the source lacks, by more than half
}

// Compare aligns a document with its source. Headlines are in fields of their
// own, while a source may begin with one: then the title of the document is put
// in front of its text, unless that fits worse. It never counts as text.
func Compare(d Document, s *Source) Comparison {
	source, below := split(s.Text), split(d.Text)
	title := split(d.Title).characters
	bare := align(source.characters, below.characters)
	c := compare(&source, bare.inA, &below, bare.inB)
	if n := min(gramLength, len(title)); n == 0 || len(source.characters) < n || !slices.Equal(title[:n], source.characters[:n]) {
		return c
	}
	headed := align(source.characters, append(title, below.characters...))
	if h := compare(&source, headed.inA, &below, headed.inB[len(title):]); h.Kept+h.Own > c.Kept+c.Own {
		return h
	}
	return c
}

func compare(source *text, kept []bool, document *text, own []bool) (c Comparison) {
	for line := range source.judge(kept) {
		c.Source += line.all
		c.Kept += line.paired
		switch {
		case credit.MatchString(line.text):
			c.Credits += line.all
			c.CreditsKept += line.paired
		case line.strange():
			c.Missing = append(c.Missing, line.text)
		}
	}
	for line := range document.judge(own) {
		c.Text += line.all
		c.Own += line.paired
		if line.strange() {
			c.Foreign = append(c.Foreign, line.text)
		}
	}
	return c
}

// credit matches a line that names the editor. Sources contain it because they
// were cut out with the whole container; it belongs to the site.
var credit = regexp.MustCompile(`^[(（【\[]?(?:责任)?编辑\s*[:：].{1,20}$`)

// text is lines without white space.
type text struct {
	characters []rune
	ends       []int // end of each line
	lines      []string
}

func split(s string) text {
	t := text{}
	for line := range strings.Lines(s) {
		before := len(t.characters)
		for _, r := range line {
			if !isSpace(r) {
				t.characters = append(t.characters, r)
			}
		}
		if len(t.characters) > before {
			t.ends = append(t.ends, len(t.characters))
			t.lines = append(t.lines, strings.TrimFunc(line, isSpace))
		}
	}
	return t
}

// judged is a line, how many characters it has and how many have a partner.
type judged struct {
	text        string
	all, paired int
}

// strange says whether most of a line has no partner.
func (l judged) strange() bool { return 2*l.paired < l.all }

func (t *text) judge(paired []bool) iter.Seq[judged] {
	return func(yield func(judged) bool) {
		from := 0
		for i, to := range t.ends {
			l := judged{text: t.lines[i], all: to - from}
			for _, ok := range paired[from:to] {
				if ok {
					l.paired++
				}
			}
			if from = to; !yield(l) {
				return
			}
		}
	}
}

// isSpace takes the marks without width for white space, as an eye would.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff'
}

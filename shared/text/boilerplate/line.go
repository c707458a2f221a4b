package boilerplate

import (
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
)

// hash is the hash by which lines, titles and addresses are compared. 40 bits
// are enough: at most some hundred lines of a host are learned, so that one in
// 10¹⁰ others collides with one of them, and then must also be at an edge.
type hash uint64

const hashBytes = 5

func hashOf(b []byte) hash { return hash(xxh3.Hash(b) >> (64 - 8*hashBytes)) }

// line is a line of a text: what it says, folded, and what it looks like.
type line struct {
	hash hash
	look look
}

// look is the width and the kind of a line, in a byte: the width in steps of
// four columns up to maxSteps, and two bits for the kind.
type look uint8

// kind is the end of a line, or its contents.
type kind uint8

const (
	plain    kind = iota
	sentence      // ends one
	_             // was a colon at the end
	crumbs        // names places one in another, as the way to a page does
)

const (
	stepColumns = 4
	maxSteps    = 63
	kindBits    = 2
)

func newLook(columns int, k kind) look {
	return look(min((columns+stepColumns-1)/stepColumns, maxSteps)<<kindBits) | look(k) //nolint:gosec // bounded
}

func (l look) kind() kind   { return kind(l & (1<<kindBits - 1)) }
func (l look) columns() int { return int(l>>kindBits) * stepColumns }

// Widths in columns: a Chinese character has two, a Latin letter one.
const (
	longLine  = 32
	someProse = 16 // sentence that is part of an article
)

// long says whether a line is too wide to recur by chance, or is made like
// nothing but furniture.
func (l look) long() bool { return l.columns() >= longLine || l.kind() == crumbs }

// prose says whether a line is part of an article.
func (l look) prose() bool { return l.kind() == sentence && l.columns() >= someProse }

// closing says whether a line beside the text may be the end of it: a short
// sentence.
func (l look) closing() bool { return l.kind() == sentence && !l.long() }

// folder folds lines; it keeps its buffer.
type folder struct{ buf []byte }

// line folds a line. A line without a letter or digit is skipped: ok is false.
func (f *folder) line(s string) (_ line, ok bool) {
	columns := f.fold(s)
	return line{hashOf(f.buf), newLook(columns, kindOf(s))}, len(f.buf) > 0
}

// text returns the hash of a string by its letters and digits.
func (f *folder) text(s string) hash {
	f.fold(s)
	return hashOf(f.buf)
}

// fold writes the letters and digits of s to the buffer, in lower case and one
// width, and returns how many columns they take. White space, punctuation and
// symbols vary between copies of a block.
func (f *folder) fold(s string) (columns int) {
	f.buf = f.buf[:0]
	for i, r := range s {
		if r >= 0x4E00 && r <= 0x9FFF { // Chinese: most of all characters
			f.buf = append(f.buf, s[i:i+3]...)
			columns += 2
			continue
		}
		if r >= 0xFF01 && r <= 0xFF5E { // full-width forms of ASCII
			r -= 0xFEE0
		}
		switch {
		case r < 0x80:
			if r >= 'A' && r <= 'Z' {
				r |= 0x20
			}
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				f.buf = append(f.buf, byte(r))
				columns++
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			f.buf = append(f.buf, string(unicode.ToLower(r))...)
			columns++
			if r >= 0x1100 { // Hangul, and from U+2E80 on all of East Asia
				columns++
			}
		}
	}
	return columns
}

// closers may follow the sign that ends a sentence.
const closers = "\"'”’」』）)】］]》〉*_ \t\r\n\u00a0\u3000"

func kindOf(s string) kind {
	if strings.Contains(s, "›") || strings.Contains(s, "»") || strings.Contains(s, "＞") || strings.Contains(s, " > ") {
		return crumbs
	}
	s = strings.TrimRight(s, closers)
	for _, end := range [...]string{"。", "！", "？", "；", "…", "．", ".", "!", "?", ";"} {
		if strings.HasSuffix(s, end) {
			return sentence
		}
	}
	return plain
}

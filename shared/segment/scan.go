package segment

import (
	"unicode"
	"unicode/utf8"
)

// maxRun bounds the bytes that gse gets at once: it takes some 25 bytes of
// memory for each, and hostile pages have megabytes without a full stop.
const maxRun = 3 * 2048

// collector gathers the distinct words of one text.
type collector struct {
	segmenter *Segmenter
	list      []string
	seen      map[string]struct{} // built when list is too long to search
	buffer    []byte
}

// scan splits folded text into pieces: runs of Chinese characters with the
// plain Latin words between them (A股), which gse cuts; other words (3.5, v1.2,
// covid-19), which gse would break and which stay whole; and the user's
// phrases. Everything else separates them.
func (c *collector) scan(text string) {
	start, chinese := -1, false // of the current run
	flush := func(end int) {
		switch {
		case start < 0:
		case chinese:
			c.cut(text[start:end])
		default:
			c.addWord(text[start:end])
		}
		start, chinese = -1, false
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if n := c.segmenter.phraseAt(text[i:], r); n > 0 {
			flush(i)
			c.add(text[i : i+n])
			i += n
			continue
		}
		switch {
		case isHan(r):
			if start >= 0 && i-start >= maxRun {
				flush(i)
			}
			if start < 0 {
				start = i
			}
			chinese = true
			i += size
		case isWord(r):
			n, plain := wordLen(text[i:])
			if !plain {
				flush(i)
				c.addWord(text[i : i+n])
			} else if start < 0 {
				start = i
			}
			i += n
		default:
			flush(i)
			i += size
		}
	}
	flush(len(text))
}

// wordLen returns the length of the word of a script other than Han at the
// start of text, by the Unicode word boundaries with one addition: a hyphen
// before a digit joins (covid-19, 2020-03-30). Plain words consist of letters
// and digits that gse keeps together.
func wordLen(text string) (n int, plain bool) {
	plain = true
	var before rune
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !isWord(r) || isHan(r) {
			after, _ := utf8.DecodeRuneInString(text[n+size:])
			if !joins(r, before, after) {
				break
			}
			plain = false
		} else if size > 2 || unicode.IsMark(r) {
			plain = false
		}
		before = r
		n += size
	}
	return n, plain
}

// joins reports whether the separator r, between two characters, is part of a
// word.
func joins(r, before, after rune) bool {
	if !isWord(before) || !isWord(after) || isHan(after) {
		return false
	}
	switch r {
	case '.', '\'', '’':
		return unicode.IsDigit(before) == unicode.IsDigit(after) && (r == '.' || !unicode.IsDigit(after))
	case ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '-':
		return unicode.IsDigit(after)
	case '_':
		return true
	}
	return false
}

// isPiece reports whether scan would hand a folded user word to gse, or take it
// as a word, in one piece.
func isPiece(word string) bool {
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRuneInString(word[i:])
		switch {
		case isHan(r):
			i += size
		case isWord(r):
			n, plain := wordLen(word[i:])
			if !plain && n != len(word) {
				return false
			}
			i += n
		default:
			return false
		}
	}
	return true
}

// isHan reports whether r is a Chinese character.
func isHan(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || r >= 0x2E80 && unicode.Is(unicode.Han, r)
}

// isWord reports whether words may hold r.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

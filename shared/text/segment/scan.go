package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/runes"
)

const (
	// maxRun bounds the bytes that are cut at once: a path takes some 20 bytes
	// of memory for each, and hostile pages have megabytes without a full stop.
	maxRun = 3 * 2048

	// maxWordBytes bounds what may be a word before its characters are counted.
	maxWordBytes = utf8.UTFMax * maxWordRunes
)

// scan hands the words of folded text to yield until that returns false.
//
// It splits text into pieces: runs of Chinese characters with the plain Latin
// words between them (A股), which the dictionary cuts; other words (3.5%, v1.2,
// covid-19), which stay whole; and the user's phrases. Everything else
// separates them.
func (s *Segmenter) scan(text string, yield func(Token) bool) {
	p, ok := s.paths.Get().(*path)
	if !ok {
		p = &path{}
	}
	defer s.paths.Put(p)
	w := walk{Segmenter: s, text: text, yield: yield, path: p, start: -1}
	for w.at < len(text) && !w.done {
		w.step()
	}
	w.flush()
}

// walk is the state of scan.
type walk struct {
	*Segmenter
	text    string
	yield   func(Token) bool
	path    *path
	at      int  // text before it is dealt with, except for the run
	start   int  // of the run text[start:at]; -1: none
	chinese bool // the run holds Chinese
	done    bool // yield wants no more

	known, knownForm string // the last word that form was asked for
}

// step takes the next piece of text.
func (w *walk) step() {
	rest := w.text[w.at:]
	r, n := runes.Decode(w.text, w.at)
	han, plain := isHan(r), false
	if !han && isWord(r) {
		n, plain = wordLen(rest)
	}
	if len(w.phrases.next) > 0 && n <= maxWordBytes {
		first := rest[:n]
		firstForm := first
		if !han && isWord(r) {
			firstForm = w.form(first)
		}
		if form, length := w.phraseAt(rest, first, firstForm); length > 0 {
			w.flush()
			w.emit(form, true)
			w.at += length
			return
		}
	}
	switch {
	case han:
		if w.start >= 0 && w.at-w.start >= maxRun {
			w.flush()
		}
		w.chinese = true
		fallthrough
	case plain:
		if w.start < 0 {
			w.start = w.at
		}
	default:
		w.flush()
		if isWord(r) {
			w.word(rest[:n])
		}
	}
	if w.at += n; han && len(w.phrases.next) == 0 {
		for end := min(len(w.text), w.start+maxRun); w.at < end && mainHan(w.text, w.at) != 0; {
			w.at += 3
		}
	}
}

// flush deals with the current run.
func (w *walk) flush() {
	switch {
	case w.start < 0:
	case w.chinese:
		w.cut(w.text[w.start:w.at])
	default:
		w.word(w.text[w.start:w.at])
	}
	w.start, w.chinese = -1, false
}

// word emits a word of another script, unless it is a stop word or data.
// Numbers and single letters are no content.
func (w *walk) word(word string) {
	if len(word) > maxWordBytes || utf8.RuneCountInString(word) > maxWordRunes {
		return
	}
	form := w.form(word)
	if w.user[form] {
		w.emit(form, true)
		return
	}
	if !w.stop[word] {
		_, first := utf8.DecodeRuneInString(word)
		w.emit(form, first < len(word) && strings.IndexFunc(word, unicode.IsLetter) >= 0)
	}
}

// emit hands a word to yield.
func (w *walk) emit(word string, content bool) {
	w.done = w.done || !w.yield(Token{word, content})
}

// form returns what Segmenter.form does. A word is asked for twice, as the
// beginning of a phrase and by itself, and stems are dear.
func (w *walk) form(word string) string {
	if w.known != word {
		w.known, w.knownForm = word, w.Segmenter.form(word)
	}
	return w.knownForm
}

// form returns the form in which a word of another script is compared.
func (s *Segmenter) form(word string) string {
	if s.stems {
		return stem(word)
	}
	return word
}

// wordLen returns the length of the word of a script other than Han at the
// start of text, by the Unicode word boundaries with two additions: a hyphen
// before a digit joins (covid-19, 2020-03-30), and a percent sign belongs to its
// number. Plain words consist of letters and digits of up to two bytes, which
// the dictionary may join with Chinese (A股, U盘).
func wordLen(text string) (n int, plain bool) {
	plain = true
	var before rune
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !isWord(r) || isHan(r) {
			if r == '%' && unicode.IsDigit(before) {
				return n + size, false
			}
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
	case '.':
		return unicode.IsDigit(before) == unicode.IsDigit(after)
	case '\'':
		return !unicode.IsDigit(before) && !unicode.IsDigit(after)
	case ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '-':
		return unicode.IsDigit(after)
	case '_':
		return true
	}
	return false
}

// isHan reports whether r is a Chinese character; radicals, from U+2E80, are not.
func isHan(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || r >= 0x3005 && unicode.Is(unicode.Han, r)
}

// isWord reports whether words may hold r.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	if 0x2010 <= r && r <= 0x2027 || 0x3000 <= r && r <= 0x3004 || 0x3008 <= r && r <= 0x3020 {
		return false // dashes, quotation marks, Chinese punctuation
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

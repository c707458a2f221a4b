package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrase is a user word that scan would break: several words, or words and
// punctuation.
type phrase struct {
	form     string
	elements []element
}

// element is a part of a phrase.
type element struct {
	text string
	kind elementKind
}

type elementKind int

const (
	character elementKind = iota // a Chinese character or a separator
	space                        // any white space
	latinWord                    // a word of a script other than Han, as wordLen finds it
)

// elements takes a folded word apart.
func elements(word string) []element {
	var list []element
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		kind := character
		switch {
		case r == ' ':
			kind = space
		case isWord(r) && !isHan(r):
			n, _ = wordLen(word[i:])
			kind = latinWord
		}
		list = append(list, element{word[i : i+n], kind})
		i += n
	}
	return list
}

// addPhrase files a user word under its first element if scan would break it.
// Otherwise scan finds it by itself: it is one word of another script, or a run
// of Chinese characters and plain Latin words for the dictionary.
func (s *Segmenter) addPhrase(form string) {
	if isPiece(form) {
		return
	}
	list := elements(form)
	s.phrases[list[0].text] = append(s.phrases[list[0].text], phrase{form, list})
}

// isPiece reports whether scan takes a folded user word in one piece.
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

// phraseAt returns the longest user phrase that text begins with and its length
// in text, or 0; first is the first element of text, and firstForm its form.
func (s *Segmenter) phraseAt(text, first, firstForm string) (form string, length int) {
	for _, p := range s.phrases[firstForm] {
		if n := s.match(p.elements, text); n > length {
			form, length = p.form, n
		}
	}
	if first == firstForm {
		return form, length
	}
	for _, p := range s.phrases[first] { // beside Chinese, not stemmed
		if n := s.match(p.elements, text); n > length {
			form, length = p.form, n
		}
	}
	return form, length
}

// match returns how much of text the elements cover, or 0.
func (s *Segmenter) match(elements []element, text string) int {
	at := 0
	for _, e := range elements {
		rest := text[at:]
		switch e.kind {
		case character:
			if !strings.HasPrefix(rest, e.text) {
				return 0
			}
			at += len(e.text)
		case space:
			n := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
			if n == 0 {
				return 0
			}
			at += n
		case latinWord:
			n, _ := wordLen(rest)
			if n > maxWordBytes || rest[:n] != e.text && s.form(rest[:n]) != e.text {
				return 0
			}
			at += n
		}
	}
	return at
}

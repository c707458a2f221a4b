package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrase is the beginning of user words that scan would break: several words,
// or words and punctuation. However many begin alike, a text is compared with
// them once.
type phrase struct {
	form string             // of the user word that ends here; "": none does
	next map[string]*phrase // by the text of the next element
}

// element is a part of a phrase: a word of a script other than Han, as wordLen
// finds it, a Chinese character, a separator, or a space for any white space.
type element struct {
	text string
	word bool
}

// elements takes a folded word apart.
func elements(word string) []element {
	var list []element
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		isOther := isWord(r) && !isHan(r)
		if isOther {
			n, _ = wordLen(word[i:])
		}
		list = append(list, element{word[i : i+n], isOther})
		i += n
	}
	return list
}

// addPhrase files a user word under its elements if scan would break it.
// Otherwise scan finds it by itself: it is one word of another script, or a run
// of Chinese characters and plain Latin words for the dictionary.
func (s *Segmenter) addPhrase(form string) {
	if isPiece(form) {
		return
	}
	p := &s.phrases
	for _, e := range elements(form) {
		next := p.next[e.text]
		if next == nil {
			if next = (&phrase{}); p.next == nil {
				p.next = make(map[string]*phrase)
			}
			p.next[e.text] = next
		}
		p = next
	}
	p.form = form
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
	form, length = s.longest(s.phrases.next[firstForm], text, len(first))
	if first != firstForm { // beside Chinese, words are not stemmed
		if f, n := s.longest(s.phrases.next[first], text, len(first)); n > length {
			return f, n
		}
	}
	return form, length
}

// longest returns the longest phrase that begins with p, which text[:at] is, and
// continues as text does.
func (s *Segmenter) longest(p *phrase, text string, at int) (form string, length int) {
	if p == nil {
		return "", 0
	}
	if p.form != "" {
		form, length = p.form, at
	}
	if len(p.next) == 0 || at == len(text) {
		return form, length
	}
	first, firstForm, n := s.firstElement(text[at:])
	if f, l := s.longest(p.next[firstForm], text, at+n); l > length {
		form, length = f, l
	}
	if first != firstForm {
		if f, l := s.longest(p.next[first], text, at+n); l > length {
			form, length = f, l
		}
	}
	return form, length
}

// firstElement returns the element that text begins with, its form, and how
// many bytes it takes.
func (s *Segmenter) firstElement(text string) (first, form string, n int) {
	r, n := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsSpace(r):
		return " ", " ", len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	case isWord(r) && !isHan(r):
		if n, _ = wordLen(text); n <= maxWordBytes {
			return text[:n], s.form(text[:n]), n
		}
	}
	return text[:n], text[:n], n
}

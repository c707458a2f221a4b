package topic

import (
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// trie finds topic words in text. Anchors are short and few of their characters
// begin a topic word, so a look-up per character, and the rare walk down from
// it, beats an automaton with failure links.
type trie struct {
	next map[rune]*trie
	word string // the word that ends here, as given; "": none
}

// newTrie builds a trie over the folded words.
func newTrie(words []string) *trie {
	root := &trie{}
	for _, word := range words {
		node := root
		for _, r := range segment.Fold(word) {
			if node.next == nil {
				node.next = make(map[rune]*trie)
			}
			child := node.next[r]
			if child == nil {
				child = &trie{}
				node.next[r] = child
			}
			node = child
		}
		if node != root {
			node.word = word
		}
	}
	return root
}

// first returns the longest word at the first place of the text that has one.
// In scripts with spaces a word must start at a word's start, and one of up to
// three letters must end at a word's end: "bank" is in "banking", but "art" not
// in "start", and "AI" not in "aid".
func (t *trie) first(text string) (string, bool) {
	text = segment.Fold(text)
	var before rune
	for i, r := range text {
		if t.next[r] != nil && !joined(before, r) {
			if word := t.longest(text[i:]); word != "" {
				return word, true
			}
		}
		before = r
	}
	return "", false
}

// shortWord is the number of letters up to which a word must match as a whole.
const shortWord = 3

// longest returns the longest word that text begins with.
func (t *trie) longest(text string) string {
	var word string
	letters := 0
	for i, r := range text {
		if t = t.next[r]; t == nil {
			break
		}
		letters++
		if t.word == "" {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		after, _ := utf8.DecodeRuneInString(text[i+size:])
		if letters > shortWord || !joined(r, after) {
			word = t.word
		}
	}
	return word
}

// joined reports whether two neighbouring characters belong to one word or
// number in the scripts that put spaces between words.
func joined(a, b rune) bool {
	return unicode.IsDigit(a) && unicode.IsDigit(b) || spaced(a) && spaced(b)
}

// spaced reports whether a character is a letter of a script that puts spaces
// between words.
func spaced(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

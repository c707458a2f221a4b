package topic

import (
	"sluice/shared/segment"
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
func (t *trie) first(text string) (string, bool) {
	text = segment.Fold(text)
	for i, r := range text {
		if t.next[r] == nil {
			continue
		}
		if word := t.longest(text[i:]); word != "" {
			return word, true
		}
	}
	return "", false
}

// longest returns the longest word that text begins with.
func (t *trie) longest(text string) string {
	var word string
	for _, r := range text {
		if t = t.next[r]; t == nil {
			break
		}
		if t.word != "" {
			word = t.word
		}
	}
	return word
}

package compile

import (
	"strings"
	"unicode"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// maxNewWords limits the words added to the segmenter's dictionary.
const maxNewWords = 20_000

// newWords returns the words to add to the segmenter, the heaviest first: words
// with c > 0 that it would split, such as new words of foreign vectors.
// Otherwise texts would never yield them, but "topic words and vector
// vocabulary bypass the filter, or new terms vanish" (METHOD A2).
//
// Words of the dictionary that the filter by part of speech drops stay dropped,
// except topic words, which are user words anyway. They are adverbs and the
// like, which vectors find similar to many words, and would change M of every
// page.
func newWords(c *topic.Compiled, plain *segment.Segmenter) []string {
	var found []string
	known := make(map[string]bool, len(c.UserWords))
	for _, word := range c.UserWords {
		known[word] = true
	}
	for _, row := range c.Lexicon.Heaviest(c.Lexicon.Len()) {
		if len(found) == maxNewWords || row.Value <= 0 {
			break
		}
		if !known[row.Word] && breaks(plain, row.Word) {
			found = append(found, row.Word)
		}
	}
	return found
}

// breaks reports whether the segmenter splits a Chinese word. It returns words
// of other scripts whole, and stop words not at all.
func breaks(s *segment.Segmenter, word string) bool {
	if !strings.ContainsFunc(word, isHan) {
		return false
	}
	for token := range s.Tokens(word) {
		return token.Text != word
	}
	return false
}

// yields reports whether the word, as a text, is one content word.
func yields(s *segment.Segmenter, word string) bool {
	words := s.Words(word)
	return len(words) == 1 && words[0] == word
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

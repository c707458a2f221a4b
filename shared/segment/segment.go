// Package segment turns text into words (METHOD A2): traditional Chinese is
// simplified, the text is cut by gse's shortest path over a trimmed dictionary,
// and the words that carry content are kept.
//
// Build with the tag "ne" to leave gse's own dictionaries (30 MB) out of the
// binary; this package needs none of them and works the same either way.
package segment

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-ego/gse"
)

// maxWordRunes bounds a word: what is longer without a break is data (base64,
// identifiers), not language.
const maxWordRunes = 64

// Segmenter cuts text into words. It is safe for concurrent use. The dictionary
// is loaded, once, by the first text that holds Chinese.
type Segmenter struct {
	user    map[string]bool   // all user words, folded
	phrases map[rune][]string // those that hold separators, by first character, longest first
	stop    map[string]bool

	load       sync.Once
	dictionary *gse.Segmenter // read-only after load
}

// New returns a segmenter for which the user words (topic words, vocabulary of
// a vector model) are words: each is kept in one piece and passes the filters,
// whatever its part of speech. The error names every one that UserWord refuses.
func New(userWords []string) (*Segmenter, error) {
	s := &Segmenter{
		user:    make(map[string]bool, len(userWords)),
		phrases: make(map[rune][]string),
		stop:    stopWords(),
	}
	var problems []error
	for i, given := range userWords {
		word, err := UserWord(given)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("user word %d: %w", i+1, err))
		case !s.user[word]:
			s.user[word] = true
			if !isPiece(word) {
				s.addPhrase(word)
			}
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("read user words: %w", errors.Join(problems...))
	}
	return s, nil
}

// Words returns the distinct content words of text, folded, in order of first
// appearance: nouns, verbs, adjectives, idioms, abbreviations, names and words
// in other scripts; without stop words, single letters and numbers. User words
// are always among them. A word dictionaries do not know (a new name) falls
// apart into characters, which are dropped.
//
// The words share memory with the folded text.
func (s *Segmenter) Words(text string) []string {
	words := collector{segmenter: s}
	words.scan(Fold(text))
	return words.list
}

// dict returns the dictionary, loading it at the first call.
func (s *Segmenter) dict() *gse.Segmenter {
	s.load.Do(func() {
		plain := make(map[string]bool, len(s.user))
		for word := range s.user {
			if isPiece(word) {
				plain[word] = true
			}
		}
		s.dictionary = loadDictionary(plain)
	})
	return s.dictionary
}

// UserWord returns the form in which a user word is compared: folded, with
// single spaces. It may hold several words or punctuation ("climate change",
// "C++", "A股"); without a letter or digit, or with more than 64 characters, it
// is an error.
func UserWord(given string) (string, error) {
	word := strings.Join(strings.Fields(Fold(given)), " ")
	if utf8.RuneCountInString(word) > maxWordRunes {
		return "", fmt.Errorf("%.20q… is longer than %d characters", word, maxWordRunes)
	}
	if strings.IndexFunc(word, isWord) < 0 || strings.ContainsRune(word, utf8.RuneError) {
		return "", fmt.Errorf("%q is not a word: it needs a letter or digit, in valid UTF-8", word)
	}
	return word, nil
}

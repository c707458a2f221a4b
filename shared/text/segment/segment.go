// Package segment turns text into words (METHOD A2): traditional Chinese is
// simplified, the text is cut into words, the words that carry content are
// marked, and English words are stemmed where the topic is English.
//
// Chinese is cut exactly as gse cuts it, by the shortest path over gse's
// dictionary, but by code of our own, which loads that dictionary in a tenth of
// the time and of the memory and cuts faster. gse remains the source of the
// dictionary and, in the tests, the oracle for every cut. What it leaves in single
// characters is joined to new words (习近平).
//
// Scripts that write spaces (Latin, Cyrillic, Greek, Hangul …) come by Unicode
// words. Japanese and Thai are not cut: a run of kana or Thai letters is one
// word, and kanji are cut as if they were Chinese.
package segment

import (
	"errors"
	"fmt"
	"iter"
	"sync"
)

// maxWordRunes bounds a word: what is longer without a break is data (base64,
// identifiers), not language.
const maxWordRunes = 64

// Segmenter cuts text into words. It is safe for concurrent use. The dictionary
// is loaded, once per process, by the first text that holds Chinese.
type Segmenter struct {
	stems   bool            // English words are compared by their stems
	user    map[string]bool // all user words, as Form returns them
	phrases phrase          // the beginning of all that hold separators
	stop    map[string]bool

	load    sync.Once
	overlay *trie // the user words that hold Chinese; read-only after load
	paths   sync.Pool

	collectors collectors
}

// Token is a word of a text.
type Token struct {
	// Text is the word in the form of Form.
	Text string
	// Content says that the word may carry a topic: it is a noun, verb,
	// adjective, idiom, abbreviation, name or new word of Chinese, a word of
	// another script, or a user word. Numbers, single letters and nearly all
	// single Chinese characters are not.
	Content bool
}

// New returns a segmenter for topics in any language but English. For it the
// user words (topic words, vocabulary of a vector model) are words: each is kept
// in one piece and passes the filters, with any part of speech. The error
// names every one that Form refuses.
func New(userWords []string) (*Segmenter, error) {
	return NewFor("", userWords)
}

// NewFor returns a segmenter for topics in a language, given by its BCP 47 tag.
// In English (en, en-GB …) words of Latin letters, those of the user too, are
// compared and returned by their stems.
func NewFor(language string, userWords []string) (*Segmenter, error) {
	s := &Segmenter{
		stems: isEnglish(language),
		user:  make(map[string]bool, len(userWords)),
		stop:  stopWords(),
	}
	var problems []error
	for i, given := range userWords {
		word, err := Form(language, given)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("user word %d: %w", i+1, err))
		case !s.user[word]:
			s.user[word] = true
			s.addPhrase(word)
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("read user words: %w", errors.Join(problems...))
	}
	return s, nil
}

// Words returns the distinct content words of text in order of first
// appearance: the texts of the Tokens with Content, each once.
//
// The words may share memory with the text.
func (s *Segmenter) Words(text string) []string { return s.FoldedWords(Fold(text)) }

// FoldedWords is Words for text that Fold returned.
func (s *Segmenter) FoldedWords(folded string) []string {
	distinct := s.collectors.get()
	s.scan(folded, func(token Token) bool {
		if token.Content {
			distinct.add(token.Text)
		}
		return true
	})
	return s.collectors.put(distinct)
}

// Tokens returns every word of text in order, with repetitions, without stop
// words (unless they are user words) and without data: what is longer than 64
// characters.
//
// The words may share memory with the text.
func (s *Segmenter) Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s.scan(Fold(text), yield)
	}
}

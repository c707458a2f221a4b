package segment

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// userTag is the part of speech of user words in the dictionary.
const userTag = "user"

// searchable is how many words are searched faster one by one than by a map.
const searchable = 16

// cut lets gse cut a run that holds Chinese and adds its content words.
func (c *collector) cut(run string) {
	c.buffer = append(c.buffer[:0], run...)
	segments := c.segmenter.dict().Segment(c.buffer)
	for i := range segments {
		word := run[segments[i].Start():segments[i].End()]
		tag := segments[i].Token().Pos()
		first, _ := utf8.DecodeRuneInString(word)
		switch {
		case tag == userTag:
			c.add(word)
		case !isHan(first) && !hasHan(word):
			c.addWord(word)
		case carriesContent(tag) && !c.segmenter.stop[word]:
			c.add(word)
		}
	}
}

// addWord adds a word of another script, unless it is a stop word, a single
// letter or a number.
func (c *collector) addWord(word string) {
	if c.segmenter.user[word] {
		c.add(word)
		return
	}
	n := utf8.RuneCountInString(word)
	if n < 2 || n > maxWordRunes || strings.IndexFunc(word, unicode.IsLetter) < 0 || c.segmenter.stop[word] {
		return
	}
	c.add(word)
}

// add adds a word that is not there yet.
func (c *collector) add(word string) {
	if c.seen == nil {
		if slices.Contains(c.list, word) {
			return
		}
		if c.list == nil {
			c.list = make([]string, 0, 8)
		}
		c.list = append(c.list, word)
		if len(c.list) > searchable {
			c.seen = make(map[string]struct{}, 8*searchable)
			for _, word := range c.list {
				c.seen[word] = struct{}{}
			}
		}
		return
	}
	if _, ok := c.seen[word]; !ok {
		c.seen[word] = struct{}{}
		c.list = append(c.list, word)
	}
}

// carriesContent reports whether the words of a part of speech are kept: nouns
// and names (n…), verbs (v…), adjectives (a…, b, z), idioms (i, l) and
// abbreviations (j). The tags are those of ICTCLAS, as the dictionary has them;
// zg marks single characters that are rarely words.
func carriesContent(tag string) bool {
	if tag == "" || tag == "zg" {
		return false
	}
	return strings.IndexByte("nvabzilj", tag[0]) >= 0
}

// addPhrase files a user word that scan would break under its first character.
func (s *Segmenter) addPhrase(word string) {
	first, _ := utf8.DecodeRuneInString(word)
	s.phrases[first] = append(s.phrases[first], word)
	slices.SortFunc(s.phrases[first], func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// phraseAt returns the length of the longest user phrase at the start of text,
// whose first character is r, or 0. A phrase that ends in a Latin letter does
// not match inside a longer word.
func (s *Segmenter) phraseAt(text string, r rune) int {
	for _, phrase := range s.phrases[r] {
		if !strings.HasPrefix(text, phrase) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(phrase)
		next, _ := utf8.DecodeRuneInString(text[len(phrase):])
		if isHan(last) || isHan(next) || !isWord(last) || !isWord(next) {
			return len(phrase)
		}
	}
	return 0
}

// hasHan reports whether word holds a Chinese character.
func hasHan(word string) bool {
	return strings.IndexFunc(word, isHan) >= 0
}

package language

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// tally is what one pass over a text counts.
type tally struct {
	all       int          // letters
	letters   [scripts]int // by script
	wordCount [han]int     // words, by script
	hits      [64]int      // small words, by language
	different [64]int      // small words, each counted once
	chinese   int          // characters that are small words of Chinese, and not of Japanese
	// Characters that only one of the scripts of Chinese has.
	simplified, traditional int

	words map[string]smallWord
	seen  [maxWords / 64]uint64 // the small words there were, a bit each
	word  [maxWord]byte         // the current word, lower case
	size  int                   // its bytes, more than maxWord where it is cut
	own   script                // of the current word
	code  bool                  // the current word is a name in code, or an address: it does not count
}

// maxWord is longer in bytes than any small word.
const maxWord = 24

func (t *tally) read(text string) {
	variants, hanzi := hanVariants(), 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			if c == '.' && t.size > 0 && i < len(text) && isLetter(text[i]) {
				t.code = true // os.Exit, www.example.com
				continue
			}
			t.ascii(c)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if r < firstHan || r > lastHan {
			t.other(r)
			continue
		}
		if t.size > 0 || t.code {
			t.endWord()
		}
		hanzi++
		if says := variants[r-firstHan]; says != 0 {
			t.simplified += int(says & onlySimplified)
			t.traditional += int(says & onlyTraditional >> 1)
			t.chinese += int(says & onlyChinese >> 2)
		}
	}
	t.all += hanzi
	t.letters[han] += hanzi
	t.endWord()
}

// ascii reads a character of ASCII.
func (t *tally) ascii(c byte) {
	switch {
	case c >= 'a' && c <= 'z':
		t.letter(latin, rune(c))
	case c >= 'A' && c <= 'Z':
		t.letter(latin, rune(c)|0x20)
	case c == '_' || c >= '0' && c <= '9':
		t.code = true // utf8, max_words
	default:
		t.endWord()
	}
}

// other reads any other character.
func (t *tally) other(r rune) {
	s := scriptOf(r)
	switch {
	case s == none:
		if !unicode.Is(unicode.Mn, r) { // a combining accent
			t.endWord()
		}
	case s.shared():
		t.letter(s, unicode.ToLower(r))
	default:
		t.endWord()
		t.all++
		t.letters[s]++
	}
}

// letter adds a letter to the current word.
func (t *tally) letter(s script, r rune) {
	t.all++
	t.letters[s]++
	t.own = s
	if t.size+utf8.RuneLen(r) > maxWord {
		t.size = maxWord + 1
		return
	}
	t.size += utf8.EncodeRune(t.word[t.size:], r)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// endWord counts the current word. Single letters of ASCII are variables.
func (t *tally) endWord() {
	if t.size > 0 && !t.code {
		t.wordCount[t.own]++
		if t.size > 1 && t.size <= maxWord {
			t.hit(string(t.word[:t.size]))
		}
	}
	t.size, t.code = 0, false
}

// hit counts a word, if it is a small one, for the languages it belongs to.
func (t *tally) hit(word string) {
	small, ok := t.words[word]
	if !ok {
		return
	}
	bit, of := uint64(1)<<(small.number%64), &t.seen[small.number/64]
	first := *of&bit == 0
	*of |= bit
	for set := small.languages; set != 0; set &= set - 1 {
		language := bits.TrailingZeros64(set)
		t.hits[language]++
		if first {
			t.different[language]++
		}
	}
}

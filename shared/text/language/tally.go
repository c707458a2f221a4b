package language

import (
	"math/bits"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/runes"
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
	variants := hanVariants()
	var said [onlyChinese << 1]int // characters of the main block, by what they say
	for i := 0; i < len(text); {
		if r := runes.Long(text, i); firstHan <= r && r <= lastHan {
			i += 3
			if t.size > 0 || t.code {
				t.endWord()
			}
			said[variants[r-firstHan]%uint8(len(said))]++
			continue
		}
		r, n := runes.Decode(text, i)
		i += n
		if r >= utf8.RuneSelf {
			t.other(r)
			continue
		}
		if r == '.' && t.size > 0 && i < len(text) && isLetter(text[i]) {
			t.code = true // os.Exit, www.example.com
			continue
		}
		t.ascii(byte(r))
	}
	for says, n := range said {
		t.all += n
		t.letters[han] += n
		t.simplified += n * (says & onlySimplified)
		t.traditional += n * (says & onlyTraditional >> 1)
		t.chinese += n * (says & onlyChinese >> 2)
	}
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
		if !isAccent(r) {
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

// isAccent reports whether a character combines with the letter before it.
func isAccent(r rune) bool {
	switch {
	case r >= 0x2000 && r < 0x20D0, r >= 0x3000 && r < 0x302A, r >= 0xFF00 && r < 0x10000: // punctuation, the most
		return false
	}
	return unicode.Is(unicode.Mn, r)
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

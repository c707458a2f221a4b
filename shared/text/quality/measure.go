package quality

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/language"
)

// Measure measures a text. It reads all of it once, beside the first 32 KB for
// the language; any bytes will do, and what it remembers of them is bounded: it
// takes no more than 3 MB, however long and varied the text is.
func Measure(text string) Signals {
	m := meter{kindOf: kindsOfBMP(), stop: englishStopWords()}
	memory, _ := spare.Get().(*tables)
	m.repeats.tables = *memory
	m.read(text)
	*memory = m.repeats.tables
	spare.Put(memory)
	return m.signals(language.Detect(text))
}

// meter is what one pass over a text counts.
type meter struct {
	kindOf *kindTable
	stop   map[uint64]bool

	counts     [kinds]int
	urls       int // characters
	braces     int // characters
	open       int // braces
	openedAt   int // the first of them: characters before it
	characters int

	lines    lines
	sentence block
	closed   int // characters of sentences
	clauses  int
	repeats  repeats

	word     word
	words    int
	letters  int // of words
	overlong int // characters of words that are none
	stopHits int
}

// maxWord is longer, in characters, than words are: German has some of 35.
const maxWord = 40

// word is the current word.
type word struct {
	size  int    // characters
	hash  uint64 // of its lower case
	ascii uint64 // its lower case, where it has at most 8 letters of ASCII
	kind  kind   // letter, if it has one
}

func (m *meter) read(text string) {
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		} else if m.word.size == 0 && (r == 'h' || r == 'w') {
			if n := urlLength(text[i:]); n > 0 {
				m.url(text[i : i+n])
				i += n
				continue
			}
		}
		i += n
		switch k := m.kindOf.of(r); k {
		case ignored:
		case letter, digit:
			m.character(r, k)
			m.letter(r, k)
		case space:
			m.endWord()
		case lineBreak:
			m.endWord()
			m.endSentence(false)
			m.lines.end()
		default:
			m.endWord()
			m.character(r, k)
			m.other(r, k, text[i:])
		}
	}
	m.endWord()
	m.endSentence(false)
	m.lines.end()
	m.lines.endParagraph()
	m.repeats.flush()
}

// character counts any character that shows.
func (m *meter) character(r rune, k kind) {
	m.counts[k]++
	m.characters++
	if m.sentence.size > 0 || !k.isCloser() && !k.endsSentence() { // 。” belongs to what it ends
		m.sentence.add(uint64(r), 1)
	}
	m.lines.add(r, k)
}

// other reads what is not part of a word; rest is what follows it.
func (m *meter) other(r rune, k kind, rest string) {
	switch {
	case k.isHan(), k == syllable:
		m.repeats.add(uint32(r), 1)
	case r == ',', r == '，', r == '、':
		m.clauses++
	case k == plainStop, k == wideStop:
		m.endSentence(true)
	case k == point && (rest == "" || rest[0] <= ' '):
		m.endSentence(true)
	case r == '{':
		if m.open == 0 {
			m.openedAt = m.characters - 1
		}
		m.open++
	case r == '}' && m.open > 0:
		if m.open--; m.open == 0 {
			m.braces += m.characters - m.openedAt
		}
	}
}

// letter adds a letter or digit to the current word.
func (m *meter) letter(r rune, k kind) {
	w := &m.word
	switch {
	case r < utf8.RuneSelf:
		if k == letter {
			r |= 0x20
		}
	case k == letter:
		r = unicode.ToLower(r)
	}
	if r < utf8.RuneSelf && w.size < 8 && (w.size == 0 || w.ascii != 0) {
		w.ascii = w.ascii<<8 | uint64(r)
	} else {
		w.ascii = 0
	}
	if w.size == 0 || k == letter {
		w.kind = k
	}
	w.size++
	w.hash = mix(w.hash, uint64(r))
}

func (m *meter) endWord() {
	w := &m.word
	if w.size == 0 {
		return
	}
	m.repeats.add(fold(w.hash), w.size)
	if w.size > maxWord {
		m.overlong += w.size
	}
	if w.kind == letter {
		m.words++
		m.letters += w.size
		if m.stop[w.ascii] {
			m.stopHits++
		}
	}
	*w = word{}
}

// endSentence ends a sentence; one that is not closed is cut off by the line.
func (m *meter) endSentence(closed bool) {
	if closed && m.sentence.size > 0 {
		m.closed += m.sentence.size
		m.clauses++
	}
	m.lines.sentences.count(m.sentence)
	m.sentence = block{}
}

// url counts an address: it is one word, and nothing in it is anything else.
func (m *meter) url(address string) {
	m.urls += len(address)
	m.characters += len(address)
	h := uint64(0)
	for i := range len(address) {
		h = mix(h, uint64(address[i]))
	}
	m.sentence.add(h, len(address))
	m.lines.addWord(h, len(address))
	m.repeats.add(fold(h), len(address))
}

// urlLength returns the bytes of the address that text begins with, 0 if there
// is none.
func urlLength(text string) int {
	if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "www.") {
		return 0
	}
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7F || c == '"' || c == '<' || c == '>' {
			return i
		}
	}
	return len(text)
}

// signals draws up the account.
func (m *meter) signals(guess language.Guess) Signals {
	c, all := &m.counts, m.characters
	simplified := c[hanSimplified] + c[commonSimplified] + c[smallSimplified]
	traditional := c[hanTraditional] + c[commonTraditional] + c[smallTraditional]
	smalls := c[small] + c[smallSimplified] + c[smallTraditional]
	commons := c[common] + c[commonSimplified] + c[commonTraditional] + smalls
	hanzi := c[han] + c[hanSimplified] + c[hanTraditional] + commons
	wide, plain := c[widePunct]+c[wideCloser]+c[wideStop], c[plainPunct]+c[plainCloser]+c[plainStop]+c[point]
	if shared := c[sharedPunct] + c[sharedCloser]; hanzi+c[syllable] > c[letter] {
		wide += shared
	} else {
		plain += shared
	}
	s := Signals{
		Characters: all,
		Han:        share(hanzi, all), Simplified: share(simplified, hanzi), Traditional: share(traditional, hanzi),
		CommonHan: share(commons, hanzi),
		Digits:    share(c[digit], all), ChinesePunctuation: share(wide, all), LatinPunctuation: share(plain, all),
		Symbols: share(c[symbol]+c[bullet]+c[mark]+c[ellipsis], all), Garbled: share(c[garbled], all),
		LanguageScore: round(guess.Score), StopWords: share(smalls+m.stopHits, hanzi+m.words),
		MeanWord: share(m.letters, m.words), LongWords: share(m.overlong, all),
		MeanClause: share(all, max(m.clauses, 1)), SentenceText: share(m.closed, all), URLs: share(m.urls, all), Braces: share(m.braces, all),
	}
	m.lines.report(&s)
	m.repeats.report(&s)
	return s
}

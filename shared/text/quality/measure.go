package quality

import (
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/language"
	"sluice/shared/text/runes"
)

// Measure measures a text, which language.Detect guessed the language of. It reads
// all of it once; any bytes will do, and what it remembers of them is bounded: it
// takes no more than 2 MB, however long and varied the text is.
func Measure(text string, guess language.Guess) Signals {
	m := meter{kindOf: kindsOfBMP(), stop: englishStopWords()}
	memory, _ := spare.Get().(*tables)
	m.repeats.tables, m.lines.sentences.known = memory, memory.sentences
	m.read(text)
	memory.keep(m.lines.sentences.known)
	spare.Put(memory)
	return m.signals(guess)
}

// meter is what one pass over a text counts.
type meter struct {
	kindOf *kindTable
	stop   map[uint64]bool

	counts     [kinds]int
	characters int

	lines    lines
	sentence block
	closed   int // characters of sentences
	repeats  repeats

	word     word
	words    int
	stopHits int
}

// word is the current word.
type word struct {
	size  int    // characters
	hash  uint64 // of its lower case
	ascii uint64 // its lower case, where it has at most 8 letters of ASCII
	kind  kind   // letter, if it has one
}

func (m *meter) read(text string) {
	for i := 0; i < len(text); {
		if end := m.han(text, i); end > i {
			i = end
			continue
		}
		r, n := runes.Decode(text, i)
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
	m.repeats.flush()
}

// han reads the Chinese characters from text[i:] on, and returns where they end. It
// does what read does with any character.
func (m *meter) han(text string, i int) (end int) {
	r := runes.Long(text, i)
	if r < 0 || !m.kindOf[r].isHan() {
		return i
	}
	m.endWord()
	line, from, sentence := &m.lines.line, i, m.sentence.hash
	for r >= 0 {
		k := m.kindOf[r]
		if !k.isHan() {
			break
		}
		m.counts[k]++
		sentence = mix(sentence, uint64(r))
		m.repeats.add(uint32(r), 1)
		line.last, line.before = k, r
		i += 3
		r = runes.Long(text, i)
	}
	n := (i - from) / 3
	m.characters += n
	m.sentence = block{m.sentence.size + n, sentence}
	line.size += n
	line.columns += 2 * n
	line.points = 0
	return i
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
	case k == stop, k == wideStop, k == point && (rest == "" || rest[0] <= ' '):
		m.endSentence(true)
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
	if w.kind == letter {
		m.words++
		if m.stop[w.ascii] {
			m.stopHits++
		}
	}
	*w = word{}
}

// endSentence ends a sentence; one that is not closed is cut off by the line.
func (m *meter) endSentence(closed bool) {
	if closed {
		m.closed += m.sentence.size
	}
	m.lines.sentences.count(m.sentence)
	m.sentence = block{}
}

// signals draws up the account.
func (m *meter) signals(guess language.Guess) Signals {
	c, all := &m.counts, m.characters
	commons := c[common] + c[small]
	hanzi := c[han] + commons
	s := Signals{
		Characters: all, SentenceText: share(m.closed, all),
		Han: share(hanzi, all), CommonHan: share(commons, hanzi), Digits: share(c[digit], all),
		Symbols: share(c[symbol]+c[mark]+c[ellipsis], all), Garbled: share(c[garbled], all),
		LanguageScore: round(guess.Score), StopWords: share(c[small]+m.stopHits, hanzi+m.words),
	}
	m.lines.report(&s)
	m.repeats.report(&s)
	return s
}

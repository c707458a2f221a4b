package quality

import (
	"sync"
	"unicode"
)

// kind is what a character is to a text.
type kind uint8

// The kinds. Garbled comes first: it is what Unicode has not assigned.
const (
	garbled kind = iota
	ignored      // zero-width
	space
	lineBreak
	han // Chinese characters, by how common they are
	common
	small
	syllable // of other scripts that write without spaces
	letter
	digit
	punct // narrow
	closer
	stop  // ends a sentence
	point // may end one
	widePunct
	wideCloser
	wideStop
	ellipsis
	symbol
	mark // a sign of code
	kinds
)

func (k kind) isHan() bool    { return k >= han && k <= small }
func (k kind) isCloser() bool { return k == closer || k == wideCloser }

// endsSentence says whether a line that ends so ends a sentence. An ellipsis
// cuts it off, as in C4.
func (k kind) endsSentence() bool { return k == stop || k == wideStop || k == point }

// isWide says whether the character takes two columns.
func (k kind) isWide() bool { return k.isHan() || k == syllable || k >= widePunct && k <= wideStop }

// smallWords are the words of Chinese grammar that are written with one
// character, in either script: particles, pronouns, prepositions, conjunctions
// and adverbs, which say little about what a text is about. Chosen by hand
// among the commonest characters, as Gopher chose "the be to of and that have
// with": a list of names or headlines does without them.
const smallWords = "的了是在和有不这這那也就都而及与與或但并並且因为為所以于於对對将將把被从從向到由之其" +
	"我你他她它们們着著过過地得还還又很更最已会會能可要让讓使等吗嗎呢吧啊么麼什如若则則即虽雖却卻只才再没沒该該此每各某"

// marked are the characters whose kind is not that of their Unicode category.
var marked = map[kind]string{
	ignored:    "\u00AD\u200B\u200C\u200D\u2060\uFE0E\uFE0F\uFEFF",
	space:      "\t\v\f\r",
	lineBreak:  "\n\u2028\u2029",
	closer:     "\"')]»”’",
	stop:       "!?;؟۔।։።။។",
	point:      ".",
	wideCloser: "）】》〉」』〕〗］｝＂＇",
	wideStop:   "。！？；．｡",
	ellipsis:   "…⋯",
	symbol:     "※•‣",
	mark:       "#$&*+<=>@\\^_`{|}~",
	garbled:    "\uFFFD锟", // U+FFFD read as GBK is 锟斤拷
}

// kindTable holds the kinds of the basic multilingual plane.
type kindTable [1 << 16]kind

// kindsOfBMP is made at first use, in some milliseconds.
var kindsOfBMP = sync.OnceValue(func() *kindTable {
	t := new(kindTable)
	t.fill(unicode.L, letter)
	t.fill(unicode.M, letter) // accents, and the vowels of Indic scripts
	t.fill(unicode.Nd, digit)
	t.fill(unicode.P, punct)
	t.fill(unicode.S, symbol)
	for _, s := range []*unicode.RangeTable{unicode.Nl, unicode.No} {
		t.fill(s, symbol)
	}
	t.fill(unicode.Z, space)
	for _, s := range []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan} {
		t.fillOnly(s, letter, syllable)
	}
	t.fillOnly(&fullWidth, punct, widePunct)
	t.fillOnly(unicode.Han, letter, han)
	for k, characters := range marked {
		for _, r := range characters {
			t[r] = k
		}
	}
	for _, r := range commonCharacters {
		t[r] = common
	}
	for _, r := range smallWords {
		t[r] = small
	}
	return t
})

// fullWidth holds the blocks of Chinese punctuation.
var fullWidth = unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x3000, Hi: 0x303F, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE4F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFFEF, Stride: 1},
}}

func (t *kindTable) fill(set *unicode.RangeTable, k kind) {
	for _, part := range set.R16 {
		for r := int(part.Lo); r <= int(part.Hi); r += int(part.Stride) {
			t[r] = k
		}
	}
}

// fillOnly fills where the kind is old.
func (t *kindTable) fillOnly(set *unicode.RangeTable, old, k kind) {
	for _, part := range set.R16 {
		for r := int(part.Lo); r <= int(part.Hi); r += int(part.Stride) {
			if t[r] == old {
				t[r] = k
			}
		}
	}
}

// of returns the kind of any character.
func (t *kindTable) of(r rune) kind {
	switch {
	case r < 1<<16:
		return t[r]
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.IsPunct(r):
		return punct
	case unicode.IsSymbol(r), unicode.IsNumber(r):
		return symbol
	case unicode.Is(unicode.Cf, r): // the tags of flags
		return ignored
	}
	return garbled
}

package body

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// clues are what the characters of a short block tell before any list or
// expression is asked: most blocks have no character that one needs.
type clues uint16

const (
	wordClue    clues = 1 << iota // begins one of furnitureWords
	nextClue                      // is second in one of them
	pairClue                      // begins one of furniturePairs
	restClue                      // begins the second word of one
	startClue                     // begins one of furnitureStarts
	controlClue                   // begins a control
	editorClue                    // 编
	photoClue                     // 摄
	originClue                    // 原
	closeClue                     // a colon or closing bracket
	dateClue                      // a digit or 月
	markClue                      // punctuation that sentences have
	spaceClue                     // white space, or a mark without width, which an eye takes for it
)

// clueChars are the characters that may have clues.
const clueChars = 0x10000

// charClues are the clues of each character.
type charClues [clueChars]clues

func (t *charClues) of(r rune) clues {
	if r < clueChars {
		return t[r]
	}
	return 0
}

var clueTable = sync.OnceValue(func() *charClues {
	t := new(charClues)
	set := func(c clues, chars string) {
		for _, r := range chars {
			for _, r := range []rune{r, unicode.ToUpper(r)} {
				t[r] |= c
			}
		}
	}
	first := func(word string) string {
		_, n := utf8.DecodeRuneInString(word)
		return word[:n]
	}
	for _, word := range furnitureWords {
		set(wordClue, first(word))
		set(nextClue, first(strings.TrimPrefix(word, first(word))))
	}
	for _, pair := range furniturePairs {
		set(pairClue, first(pair[0]))
		set(restClue, first(pair[1]))
	}
	for _, word := range furnitureStarts {
		set(startClue, first(word))
	}
	for word := range controlWords {
		set(controlClue, first(word))
	}
	set(controlClue, "abcdefghijklmnopqrstuvwxyz")
	set(editorClue, "编")
	set(photoClue, "摄")
	set(originClue, "原")
	set(closeClue, ":)：）")
	set(dateClue, "0123456789０１２３４５６７８９月")
	set(markClue, "，。！？；、,!?;")
	set(spaceClue, "\u200b\ufeff")
	for _, spaces := range unicode.White_Space.R16 {
		for r := rune(spaces.Lo); r <= rune(spaces.Hi); r += rune(spaces.Stride) {
			t[r] |= spaceClue
		}
	}
	return t
})

// cluesOf reads the clues of a text.
func cluesOf(text string) (c clues) {
	table := clueTable()
	for _, r := range text {
		c |= table.of(r)
	}
	return c
}

// beginsControl says whether the first letter of a text may begin a control.
func beginsControl(text string) bool {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at < 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return clueTable().of(r)&controlClue != 0
}

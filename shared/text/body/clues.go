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
	pairClue                      // begins one of furniturePairs
	startClue                     // begins one of furnitureStarts
	controlClue                   // begins a control
	roleClue                      // is in a role of credits
	photoClue                     // 摄
	capitalClue                   // a capital of ASCII
	originClue                    // 原
	closeClue                     // a colon or closing bracket
	dateClue                      // a digit or 月
)

// clueChars are the characters below U+A000 with their clues, simplified as the
// texts are that are looked at.
const clueChars = 0xA000

var clueTable = sync.OnceValue(func() *[clueChars]clues {
	t := new([clueChars]clues)
	set := func(c clues, chars string) {
		for _, r := range chars {
			for _, r := range []rune{r, unicode.ToUpper(r)} {
				if r < clueChars {
					t[r] |= c
				}
			}
		}
	}
	first := func(word string) string {
		_, n := utf8.DecodeRuneInString(word)
		return word[:n]
	}
	for _, word := range furnitureWords {
		set(wordClue, first(word))
	}
	for _, pair := range furniturePairs {
		set(pairClue, first(pair[0]))
	}
	for _, word := range furnitureStarts {
		set(startClue, first(word))
	}
	for word := range controlWords {
		set(controlClue, first(word))
	}
	set(controlClue, "abcdefghijklmnopqrstuvwxyz")
	set(roleClue, "编審审校監监簽签主")
	set(photoClue, "摄")
	set(capitalClue, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	set(originClue, "原")
	set(closeClue, ":)")
	set(dateClue, "0123456789月")
	return t
})

// cluesOf reads the clues of a text in simplified characters.
func cluesOf(text string) (c clues) {
	table := clueTable()
	for _, r := range text {
		switch {
		case r < clueChars:
			c |= table[r]
		case r == '：' || r == '）':
			c |= closeClue
		case r >= '０' && r <= '９':
			c |= dateClue
		}
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
	return r < clueChars && clueTable()[r]&controlClue != 0
}

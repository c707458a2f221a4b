package language

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// The main block of Chinese characters.
const (
	firstHan = 0x4E00
	lastHan  = 0x9FFF
)

// What a character says about a text.
const (
	onlySimplified = 1 << iota
	onlyTraditional
	onlyChinese // a small word of Chinese, and not of Japanese
)

const chineseWords = "的了这這们們我你他她就还還很"

type variantTable [lastHan - firstHan + 1]uint8

// hanVariants is made at first use, in a millisecond, of two charsets of one
// script each. GB 2312 has what was in use in simplified text, Big5 what was
// in traditional text, its first level the common characters. A character of
// one that the other cannot write shows the script. Those that both have
// (后, 里, 著, 乾) show nothing, rightly: they are in use in either, if for
// different words.
var hanVariants = sync.OnceValue(func() *variantTable {
	simplified := hanOf(simplifiedchinese.GBK, span{0xB0, 0xF7}, span{0xA1, 0xFE})
	common := hanOf(traditionalchinese.Big5, span{0xA4, 0xC6}, span{0x40, 0xFE})
	rare := hanOf(traditionalchinese.Big5, span{0xC9, 0xF9}, span{0x40, 0xFE})
	table := new(variantTable)
	for r := range simplified {
		if !common[r] && !rare[r] {
			table[r-firstHan] = onlySimplified
		}
	}
	for r := range common {
		if !simplified[r] {
			table[r-firstHan] = onlyTraditional
		}
	}
	for _, r := range chineseWords {
		table[r-firstHan] |= onlyChinese
	}
	return table
})

// span is a range of bytes, both ends included.
type span struct{ from, to byte }

// hanOf returns the Chinese characters of a region of a two-byte charset.
func hanOf(charset encoding.Encoding, lead, trail span) map[rune]bool {
	set := make(map[rune]bool)
	decoder := charset.NewDecoder()
	for a := int(lead.from); a <= int(lead.to); a++ {
		for b := int(trail.from); b <= int(trail.to); b++ {
			text, err := decoder.Bytes([]byte{byte(a), byte(b)})
			if err != nil {
				continue
			}
			if r, n := utf8.DecodeRune(text); n == len(text) && r >= firstHan && r <= lastHan {
				set[r] = true
			}
		}
	}
	return set
}

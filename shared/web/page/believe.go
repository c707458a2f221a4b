package page

import (
	"unicode"
	"unicode/utf8"
)

// believable reports whether the decoded sample supports a guess at its
// charset: statistics over a few dozen bytes confuse charsets of two-byte
// characters with each other and with single-byte ones.
func believable(c codec, sample []byte) bool {
	switch c.name {
	case nameGB18030, nameBig5, "iso-2022-jp", "utf-16be", "utf-16le":
		return true
	case "euc-kr":
		// Half of simplified Chinese reads as Hangul, Korean nearly all.
		_, hangul := countScript(c.decode(sample).text, unicode.Hangul)
		_, hanja := countScript(c.decode(sample).text, unicode.Han)
		return hangul > 9*hanja
	case "euc-jp", "shift_jis":
		wide, kana := countScript(c.decode(sample).text, unicode.Hiragana, unicode.Katakana)
		return kana*10 >= wide
	}
	// Words of Cyrillic or Greek have odd lengths as often as even ones, and
	// these leave half a character in any reading as pairs.
	c, ok := chinese(sample)
	return !ok || !paired(sample) && (c.name != nameBig5 || !levelOne(sample))
}

// countScript counts the wide characters of text and those of the given
// scripts, without half-width katakana, which any byte may be.
func countScript(text []byte, scripts ...*unicode.RangeTable) (wide, inside int) {
	for _, r := range string(text) {
		if r < utf8.RuneSelf {
			continue
		}
		wide++
		if unicode.In(r, scripts...) && (r < 0xFF00 || r > 0xFFEF) {
			inside++
		}
	}
	return wide, inside
}

// chinese distinguishes GB18030 from Big5 if the sample is readable as either.
func chinese(sample []byte) (codec, bool) {
	gb, _ := lookup(nameGB18030)
	big5, _ := lookup(nameBig5)
	inGB, inBig5 := gb.decode(sample).fits(), big5.decode(sample).fits()
	switch {
	case inBig5 && levelOne(sample):
		return big5, true
	case inGB && commonHanzi(sample):
		return gb, true
	case inBig5:
		return big5, true
	}
	return codec{}, false
}

// minLevelOne is the number of characters from which levelOne is no
// coincidence: four in ten of simplified Chinese have such a lead byte.
const minLevelOne = 8

// levelOne says whether the characters of body, taken in pairs of bytes, lie
// in the first level of Big5: 5,401 characters that almost all text is made
// of, with lead bytes A4 to C6, the lower half of GB2312's.
func levelOne(body []byte) bool {
	inside, all := 0, 0
	for i := 0; i+1 < len(body); {
		if body[i] < 0x81 {
			i++
			continue
		}
		if body[i] >= 0xA4 || body[i] < 0xA1 { // A1 to A3 hold punctuation in both
			all++
			if body[i] >= 0xA4 && body[i] <= 0xC6 {
				inside++
			}
		}
		i += 2
	}
	return all >= minLevelOne && inside*20 >= all*19
}

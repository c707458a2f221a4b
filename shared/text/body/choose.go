package body

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// choose returns the main text out of the two readings of a page, and how it
// was found. Both contain the article as a rule, and what one has more is
// furniture (measured on DAnIEL: F1 of readability .948, of density .959, of
// the shorter .964); but a reading much shorter than the other has lost it, and
// the shorter one may lack the lead, which many sites set apart. Of two that have
// nothing in common, one is the text of other pages: not that which has the
// paragraph below the headline.
func choose(readable, dense []block, below string) (main []block, method string) {
	if below != "" && disjoint(readable, dense) {
		switch {
		case contains(readable, below):
			return readable, MethodReadability
		case contains(dense, below):
			return dense, MethodDensity
		}
	}
	if preferReadable(readable, dense) {
		return append(lead(dense, readable), readable...), MethodReadability
	}
	return append(lead(readable, dense), dense...), MethodDensity
}

// disjoint says whether two readings have nothing in common.
func disjoint(a, b []block) bool {
	return !slices.ContainsFunc(a, func(o block) bool { return contains(b, o.text) })
}

// preferReadable says whether the reading of readability is the better one.
func preferReadable(readable, dense []block) bool {
	r, d := size(readable), size(dense)
	if r <= d {
		return r*lostBelow >= d && r > 0
	}
	return d*lostBelow < r
}

// lostBelow: a reading of less than this fraction (1 in n) is not believed.
const lostBelow = 5

func size(blocks []block) int {
	n := 0
	for _, b := range blocks {
		n += b.runes
	}
	return n
}

// A lead has no fewer runes than this, and no more blocks stand before the text.
const (
	leadRunes  = 25
	leadBlocks = 4
)

// lead returns the paragraphs that stand before the main text, and only in the
// other reading.
func lead(other, main []block) []block {
	if len(main) == 0 {
		return nil
	}
	var before []block
	for i, b := range other {
		if b.text == main[0].text {
			return before
		}
		if i == leadBlocks {
			break
		}
		if b.plain() && b.runes >= leadRunes && sentence(b.text) && !isCaption(b.text) && !contains(main, b.text) {
			before = append(before, b)
		}
	}
	return nil
}

func contains(blocks []block, text string) bool {
	return indexOf(blocks, func(b *block) bool { return b.text == text }) >= 0
}

// indexOf returns the first block that is as wanted, −1 if there is none. It copies none.
func indexOf(blocks []block, wanted func(b *block) bool) int {
	for i := range blocks {
		if wanted(&blocks[i]) {
			return i
		}
	}
	return -1
}

// sentence says whether a text has the end of a sentence, which lines of date,
// source and keywords lack.
func sentence(text string) bool {
	return hasStop(text) || strings.HasSuffix(text, ".")
}

// hasStop says whether a text has the mark that ends a Chinese sentence.
func hasStop(text string) bool {
	return strings.Contains(text, "。") || strings.Contains(text, "！") || strings.Contains(text, "？")
}

// isCaption says whether a text is the words below a picture: they begin with a
// triangle, or end with the photographer.
func isCaption(text string) bool {
	if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune("▲▼△▽◀▶◎", first) {
		return true
	}
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	return (strings.HasSuffix(text, ")") || strings.HasSuffix(text, "）")) && credited.MatchString(text)
}

// credited matches a text that ends with the photographer of its picture.
var credited = regexp.MustCompile(`[(（][^()（）]{0,30}(?:摄|攝|图|圖|照|提供|资料|資料|翻拍)[^()（）]{0,30}[)）]$`)

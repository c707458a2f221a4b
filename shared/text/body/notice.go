package body

import (
	"strings"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

const leastBefore = 30 // runes of the sentences before a notice

// cutNotice cuts the notice off a paragraph that ends with one: 大桥于昨日通车。（未经
// 许可不得转载）
func (b *block) cutNotice() {
	for end := len(b.text); end > 0; {
		end = strings.LastIndexAny(b.text[:end], "。！？")
		if end < 0 {
			return
		}
		_, n := utf8.DecodeRuneInString(b.text[end:])
		after := end + n + len(closing(b.text[end+n:]))
		if after == len(b.text) {
			continue
		}
		kept := block{text: b.text[:after], tag: b.tag, titled: b.titled, element: b.element, row: b.row}
		for _, r := range kept.text {
			c := clueTable().of(r)
			if c&spaceClue == 0 {
				kept.runes++
			}
			if c&markClue != 0 {
				kept.marks++
			}
			kept.clues |= c
		}
		if kept.runes < leastBefore {
			return
		}
		if kept.classify(); !kept.furniture && kept.reports() {
			*b = kept
			return
		}
	}
}

// closing returns the quotation marks and brackets that a text begins with and that
// end a sentence.
func closing(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "”’」』）)"))]
}

// reports says whether a text does not speak to the reader, nor of the site.
func (b *block) reports() bool {
	lower := strings.ToLower(segment.Simplify(b.text))
	return !labels(lower) && !speaks(lower)
}

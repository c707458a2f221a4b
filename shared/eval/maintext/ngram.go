package maintext

import (
	"unicode"

	"sluice/shared/eval/metric"
)

// gram is n characters in a row.
const gramLength = 4

type gram [gramLength]rune

// F1 measures how much two texts have in common, 0 to 1: the F1 of their
// multisets of character 4-grams. It ignores white space, which every method
// treats differently. The order of the texts does not matter; two texts without
// a 4-gram have nothing in common.
func F1(a, b string) float64 {
	left, right := gramsOf(a), gramsOf(b)
	shared := metric.Count{Taken: left.total, Wanted: right.total}
	for g, n := range left.counts {
		shared.Right += min(n, right.counts[g])
	}
	return shared.F1()
}

type grams struct {
	counts map[gram]int
	total  int
}

func gramsOf(text string) grams {
	g := grams{counts: map[gram]int{}}
	var last gram
	seen := 0
	for _, r := range text {
		if isSpace(r) {
			continue
		}
		copy(last[:], last[1:])
		last[gramLength-1] = r
		if seen++; seen >= gramLength {
			g.counts[last]++
			g.total++
		}
	}
	return g
}

// isSpace takes the marks without width for white space, as an eye would.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

// length counts the characters of a text, white space not counted.
func length(text string) int {
	n := 0
	for _, r := range text {
		if !isSpace(r) {
			n++
		}
	}
	return n
}

package segment

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// conversion is one phrase and what it becomes.
type conversion struct{ from, to string }

// conversions says what to do at a character: the phrases that begin with it,
// longest first, and the character that replaces it alone ("": none).
type conversions struct {
	phrases []conversion
	alone   string
}

// at returns how many bytes at the start of text are converted together, and
// to what; size is the length of the first character.
func (c *conversions) at(text string, size int) (int, string) {
	for _, phrase := range c.phrases {
		if strings.HasPrefix(text, phrase.from) {
			return len(phrase.from), phrase.to
		}
	}
	if c.alone == "" {
		return size, text[:size]
	}
	return size, c.alone
}

// conversionTable is read from the embedded file at first use; it never
// changes afterwards.
var conversionTable = sync.OnceValue(func() map[rune]*conversions {
	table := make(map[rune]*conversions, 4096)
	for line := range strings.Lines(unpack("data/simplify.tsv.gz")) {
		from, to, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		first, size := utf8.DecodeRuneInString(from)
		entry := table[first]
		if entry == nil {
			entry = &conversions{}
			table[first] = entry
		}
		if size == len(from) {
			entry.alone = to
			continue
		}
		entry.phrases = append(entry.phrases, conversion{from, to})
	}
	for _, entry := range table {
		slices.SortFunc(entry.phrases, func(a, b conversion) int {
			return cmp.Compare(len(b.from), len(a.from))
		})
	}
	return table
})

// Simplify returns text with traditional Chinese characters replaced by
// simplified ones: the longest phrase that matches at a place, else the
// character (發展 → 发展, 頭髮 → 头发, 乾燥 → 干燥, but 乾隆 stays). Text that
// needs no change is returned as it is, without allocation.
func Simplify(text string) string {
	table := conversionTable()
	var out strings.Builder
	copied := 0 // text[:copied] is in out
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		entry := table[r]
		if entry == nil {
			i += size
			continue
		}
		n, replacement := entry.at(text[i:], size)
		if text[i:i+n] != replacement {
			if copied == 0 {
				out.Grow(len(text))
			}
			out.WriteString(text[copied:i])
			out.WriteString(replacement)
			copied = i + n
		}
		i += n
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

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

// conversionTable finds the conversions of a character: in the main block of
// Chinese by its place, since every character of every text is looked up. The
// other sets of bits are small enough for the processor's cache, and spare most
// characters the rest: any and alone have the characters of that block with
// conversions, and with one by themselves; pairs has the first two characters
// of every phrase, by hash.
type conversionTable struct {
	any, alone bitset
	pairs      [1 << 10]uint64
	main       [hanEnd - hanStart]*conversions
	other      map[rune]*conversions
}

// bitset is a set of characters of the main block, by their place.
type bitset [(hanEnd - hanStart) / 64]uint64

func (b *bitset) has(at rune) bool { return b[at/64]>>(at%64)&1 != 0 }

func (b *bitset) add(at rune) { b[at/64] |= 1 << (at % 64) }

// bitOf returns where pairs has two characters: a word of it, and a bit of that.
func bitOf(first, second rune) (word, bit uint32) {
	h := (uint32(first)<<16 ^ uint32(second)) * 0x9E3779B1
	return h >> 22, h >> 16 & 63
}

// converts reports whether there may be a conversion of the character r, which
// takes the first size bytes of text and, if it is of the main block, is in any.
func (t *conversionTable) converts(r rune, text string, size int) bool {
	at := r - hanStart
	switch {
	case at < 0 || at >= hanEnd-hanStart:
		return 0x3400 <= r && r < 0xFE00 || r >= 0x20000 // not the punctuation
	case t.alone.has(at):
		return true
	case size == len(text):
		return false
	}
	second, _ := decode(text, size)
	word, bit := bitOf(r, second)
	return t.pairs[word]>>bit&1 != 0
}

// at returns the conversions of a character, or nil.
func (t *conversionTable) at(r rune) *conversions {
	switch at := r - hanStart; {
	case 0 <= at && at < hanEnd-hanStart:
		return t.main[at]
	case r < 0x2E80:
		return nil // not Chinese
	}
	return t.other[r]
}

// entry returns the conversions of a character, empty ones if it had none.
func (t *conversionTable) entry(r rune) *conversions {
	c := t.at(r)
	if c == nil {
		c = &conversions{}
		if at := r - hanStart; 0 <= at && at < hanEnd-hanStart {
			t.any.add(at)
			t.main[at] = c
		} else {
			t.other[r] = c
		}
	}
	return c
}

// conversionsOf is read from the embedded file at first use; it never changes
// afterwards.
var conversionsOf = sync.OnceValue(func() *conversionTable {
	table := &conversionTable{other: make(map[rune]*conversions)}
	for line := range strings.Lines(unpack(simplifyFile)) {
		from, to, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		first, size := utf8.DecodeRuneInString(from)
		entry := table.entry(first)
		if size == len(from) {
			entry.alone = to
			if at := first - hanStart; 0 <= at && at < hanEnd-hanStart {
				table.alone.add(at)
			}
			continue
		}
		second, _ := utf8.DecodeRuneInString(from[size:])
		word, bit := bitOf(first, second)
		table.pairs[word] |= 1 << bit
		entry.phrases = append(entry.phrases, conversion{from, to})
	}
	longestFirst := func(c *conversions) {
		if c != nil {
			slices.SortFunc(c.phrases, func(a, b conversion) int {
				return cmp.Compare(len(b.from), len(a.from))
			})
		}
	}
	for _, c := range table.main {
		longestFirst(c)
	}
	for _, c := range table.other {
		longestFirst(c)
	}
	return table
})

// Simplify returns text with traditional Chinese characters replaced by
// simplified ones: the longest phrase that matches at a place, else the
// character (發展 → 发展, 頭髮 → 头发, 乾燥 → 干燥, but 乾隆 stays). Text that
// needs no change is returned as it is, without allocation.
func Simplify(text string) string {
	table := conversionsOf()
	var out strings.Builder
	copied := 0 // text[:copied] is in out
	for i := 0; i < len(text); {
		r, size := decode(text, i)
		if at := r - hanStart; 0 <= at && at < hanEnd-hanStart && !table.any.has(at) || !table.converts(r, text[i:], size) { // nearly all
			i += size
			continue
		}
		entry := table.at(r)
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

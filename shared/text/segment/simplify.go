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
// sets of bits are small enough for the processor's cache, and spare nearly all
// characters the rest: alone has the characters of that block with a conversion
// by themselves; pairs has the first two characters of every phrase, by hash.
type conversionTable struct {
	alone bitset
	pairs [1 << 10]uint64
	main  [hanEnd - hanStart]*conversions
	other map[rune]*conversions
}

// bitset is a set of characters of the main block, by their place.
type bitset [(hanEnd - hanStart) / 64]uint64

func (b *bitset) has(at uint32) bool { return b[at/64]>>(at%64)&1 != 0 }

func (b *bitset) add(at uint32) { b[at/64] |= 1 << (at % 64) }

// bitOf returns where pairs has two characters, the second 0 unless it is of the
// main block: a word of it, and a bit of that.
func bitOf(first, second rune) (word, bit uint32) {
	h := (uint32(first)<<16 ^ uint32(second)) * 0x9E3779B1
	return h >> 22, h >> 16 & 63
}

// converts reports whether there may be a conversion at the character r, which
// is of the main block; next is the one after it, 0 unless it is, too.
func (t *conversionTable) converts(r, next rune) bool {
	word, bit := bitOf(r, next)
	return t.pairs[word]>>bit&1 != 0 || t.alone.has(uint32(r-hanStart))
}

// entry returns the conversions of a character, empty ones if it had none.
func (t *conversionTable) entry(r rune) *conversions {
	at := r - hanStart
	if at < 0 || at >= hanEnd-hanStart {
		if t.other[r] == nil {
			t.other[r] = &conversions{}
		}
		return t.other[r]
	}
	if t.main[at] == nil {
		t.main[at] = &conversions{}
	}
	return t.main[at]
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
				table.alone.add(uint32(at))
			}
			continue
		}
		word, bit := bitOf(first, mainHan(from, size))
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
	for i, next := 0, mainHan(text, 0); i < len(text); {
		r, size := next, 3
		var entry *conversions
		if r == 0 {
			r, size = utf8.DecodeRuneInString(text[i:])
			next = mainHan(text, i+size)
			if 0x3400 <= r && r < 0xFE00 || r >= 0x20000 { // not the punctuation
				entry = table.other[r]
			}
		} else if next = mainHan(text, i+size); table.converts(r, next) {
			entry = table.main[r-hanStart]
		}
		if entry == nil { // nearly all
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
		next = mainHan(text, i)
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

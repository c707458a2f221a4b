package segment

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// unknownCost is the cost of a character or Latin word that the dictionary
	// lacks, in bits.
	unknownCost = 32

	// singleFrequency is the frequency of all words of one character: as gse has
	// it, so that longer words win.
	singleFrequency = 2

	// userFrequency is the least frequency a user word gets. At 13.5 bits it
	// costs less than any two words of the dictionary together (the most
	// frequent one costs 8.7 bits), so no user word is ever cut into parts; yet
	// it is low enough that ambiguous neighbours (股|市场) are still decided by
	// their frequencies.
	userFrequency = 5000
)

// lexicon is the dictionary, ready to cut by.
type lexicon struct {
	trie
	bits float64 // log₂ of the sum of the frequencies that words cost by
}

// dictionary is read from the embedded file at first use, in some 25 ms, and
// takes 4 MB; it never changes afterwards. User words have a trie of their own,
// so that they change cuts only where they occur.
var dictionary = sync.OnceValue(loadDictionary)

// loadDictionary reads the lines "word frequency tag", which are sorted by word.
func loadDictionary() *lexicon {
	lines := unpack(wordsFile)
	stop, singles := stopWords(), singles()
	entries := make([]entry, 0, strings.Count(lines, "\n"))
	frequencies := make([]int, 0, cap(entries))
	all, weighed := 0, 0 // sums of the frequencies as counted, and as they cost
	for line := range strings.Lines(lines) {
		word, rest, _ := strings.Cut(line, " ")
		number, tag, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
		frequency, err := strconv.Atoi(number)
		if err != nil || tag == "" {
			panic("segment: " + wordsFile + " has the line " + line) // the tests exclude it
		}
		e := entry{word: word, share: float32(frequency), kind: classify(word, tag, stop, singles)}
		all += frequency
		if e.kind&single != 0 {
			frequency = singleFrequency
		}
		weighed += frequency
		entries, frequencies = append(entries, e), append(frequencies, frequency)
	}
	l := &lexicon{bits: math.Log2(float64(weighed))}
	for i := range entries {
		entries[i].cost = l.cost(frequencies[i])
		entries[i].share /= float32(all)
	}
	l.trie = *newTrie(entries)
	return l
}

// Frequency returns the share of a folded Chinese word among all words of the
// corpus of 62 million that the dictionary was counted on; 0 for a word the
// dictionary lacks and for other scripts.
func Frequency(word string) float64 {
	l := dictionary()
	return float64(l.share[l.descend(0, word)])
}

// cost is the price of a word of some frequency on a path, in bits, rounded as
// gse rounds it.
func (l *lexicon) cost(frequency int) float32 {
	return float32(l.bits) - float32(math.Log2(float64(frequency)))
}

// userTrie builds the trie of user words, which it sorts. A word that the
// dictionary has, too, costs no more than there.
func (l *lexicon) userTrie(words []string) *trie {
	slices.Sort(words)
	entries := make([]entry, len(words))
	for i, word := range words {
		e := entry{word: word, cost: l.cost(userFrequency), kind: userWord | content}
		if utf8.RuneCountInString(word) == 1 {
			e.cost = l.cost(singleFrequency)
		}
		if known := l.nodes[l.descend(0, word)].cost; known > 0 {
			e.cost = min(e.cost, known)
		}
		entries[i] = e
	}
	return newTrie(entries)
}

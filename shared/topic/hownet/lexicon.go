// Package hownet reads a sememe lexicon in HowNet's format and compares words
// by their meaning: SimH of METHOD A3.
//
// A word has concepts; a concept is described by sememes; sememes form trees.
// The package contains no lexicon. It loads a user's copy of HowNet 2000 as
// published, and topics/sememes is a small lexicon in the same format.
package hownet

import (
	"fmt"
	"maps"
	"slices"
)

// Lexicon is a sememe lexicon. Words are looked up in the form that
// segment.Fold returns. A Lexicon never changes and is safe for concurrent use.
type Lexicon struct {
	sememes  *sememes
	concepts []concept          // distinct ones
	words    map[string][]int32 // folded word → its distinct concepts, in the order of the file
	oddities Problems
}

// Load reads a lexicon from a folder: glossary.txt (a line is
// word/POS/definition), or glossary.dat (columns separated by tabs or spaces),
// and WHOLE.DAT (number, english|中文, number of the parent; a root is its own
// parent). File names may be in any case; text is UTF-8 or GB18030, with or
// without a byte order mark, its lines end with LF or CR LF.
//
// If lines are wrong the error wraps *Problems, which lists them with file,
// line and what to do. Oddities lists the tolerated errors of the published
// HowNet. Hostile input takes bounded time and memory: folders with files above
// 32 MiB, lines above 4 KiB, more than 4,096 names of sememes, 16 items in a
// definition or 64 concepts of a word are refused.
func Load(dir string) (*Lexicon, error) {
	whole, err := openOneOf(dir, "WHOLE.DAT")
	if err != nil {
		return nil, fmt.Errorf("read sememes: %w", err)
	}
	glossary, err := openOneOf(dir, "glossary.txt", "glossary.dat")
	if err != nil {
		return nil, fmt.Errorf("read glossary: %w", err)
	}
	s, err := parseSememes(whole)
	if err != nil {
		return nil, fmt.Errorf("read sememes:\n%w", err)
	}
	l, err := parseGlossary(glossary, s)
	if err != nil {
		return nil, fmt.Errorf("read glossary:\n%w", err)
	}
	return l, nil
}

// Covers reports whether the lexicon has the word.
func (l *Lexicon) Covers(word string) bool {
	_, ok := l.words[word]
	return ok
}

// Words returns the words of the lexicon, sorted and distinct.
func (l *Lexicon) Words() []string {
	return slices.Sorted(maps.Keys(l.words))
}

// Oddities returns tolerated errors of the files: up to 20 entries, one for
// each kind, with the first line, in the order of the lines.
func (l *Lexicon) Oddities() []Problem {
	return slices.Clone(l.oddities.List)
}

// Similarity is SimH of two words, 0 to 1: that of the two most similar of
// their concepts (METHOD A3). It is symmetric, and 1 for a word with itself. It
// returns 0 and false if either word is not covered.
func (l *Lexicon) Similarity(a, b string) (sim float64, ok bool) {
	x, y := l.words[a], l.words[b]
	if len(x) == 0 || len(y) == 0 {
		return 0, false
	}
	if a == b {
		return 1, true
	}
	for _, i := range x {
		for _, j := range y {
			sim = max(sim, l.conceptSimilarity(i, j, sim))
		}
	}
	return sim, true
}

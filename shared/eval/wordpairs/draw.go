package wordpairs

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Drawn is two words of a thesaurus, and whether they are synonyms.
type Drawn struct {
	A, B    string
	Synonym bool
}

// Draws holds the eligible words of a thesaurus, to draw pairs from. It is safe
// for concurrent use.
type Draws struct {
	thesaurus *Thesaurus
	synonyms  [][]string // lines with two eligible words or more
	words     []string
}

// Eligible returns the draws of the words for which eligible is true.
func (t *Thesaurus) Eligible(eligible func(word string) bool) *Draws {
	d := &Draws{thesaurus: t}
	known := map[string]bool{}
	for _, word := range t.words {
		if eligible(word) {
			known[word] = true
			d.words = append(d.words, word)
		}
	}
	for _, line := range t.synonyms {
		line = slices.DeleteFunc(slices.Clone(line), func(word string) bool { return !known[word] })
		if len(line) > 1 {
			d.synonyms = append(d.synonyms, line)
		}
	}
	return d
}

// Words returns how many words are eligible.
func (d *Draws) Words() int { return len(d.words) }

// tries limits the draws for one pair.
const tries = 10_000

// Draw draws n distinct pairs, every other one of synonyms: two words of a
// line, with the same chance for each line. The words of the others share no
// top-level class; each word has the same chance. The same seed draws the same
// pairs.
func (d *Draws) Draw(n int, seed uint64) ([]Drawn, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	pairs := make([]Drawn, 0, n)
	taken := map[[2]string]bool{}
	for len(pairs) < n {
		synonym := len(pairs)%2 == 0
		p, ok := d.one(synonym, taken, random)
		if !ok {
			return nil, fmt.Errorf("draw %d pairs of words: the sources cover %d words of the thesaurus, with too few pairs of %s",
				n, len(d.words), kind(synonym))
		}
		taken[[2]string{p.A, p.B}], taken[[2]string{p.B, p.A}] = true, true
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func kind(synonym bool) string {
	if synonym {
		return "synonyms"
	}
	return "words of different classes"
}

// one draws a pair that is not taken.
func (d *Draws) one(synonym bool, taken map[[2]string]bool, random *rand.Rand) (Drawn, bool) {
	if len(d.words) < 2 || len(d.synonyms) == 0 {
		return Drawn{}, false
	}
	for range tries {
		from := d.words
		if synonym {
			from = d.synonyms[random.IntN(len(d.synonyms))]
		}
		p := Drawn{A: from[random.IntN(len(from))], B: from[random.IntN(len(from))], Synonym: synonym}
		classes := d.thesaurus.classes
		if p.A != p.B && !taken[[2]string{p.A, p.B}] && (synonym || classes[p.A]&classes[p.B] == 0) {
			return p, true
		}
	}
	return Drawn{}, false
}

package wordvec

import (
	"cmp"
	"math"
	"slices"
	"unicode"

	"github.com/zeebo/xxh3"
)

// parts composes the vectors of words outside the vocabulary from character
// n-grams: the vector of an n-gram is the mean over the words that contain it,
// and a word's is the mean over its n-grams, weighted by rarity (a bag of
// subwords, learned from the finished vectors, so it works for any file).
//
// A ridge fit of n-gram vectors was no better on held-out words.
type parts struct {
	vectors *Vectors
	mean    []float32 // of all unit vectors
	spread  float64   // how far unit vectors typically are from it

	grams  []uint64 // hashes, ascending
	starts []int    // words[starts[i]:starts[i+1]] contain grams[i]
	words  []int32  // the more frequent ones first
}

const (
	// maxGram is the longest n-gram, in characters with the marks of a word's
	// ends; minLatin the shortest one in scripts of letters.
	maxGram, minLatin = 6, 3

	// maxWitnesses is how many words an n-gram's mean is taken over. More
	// frequent n-grams carry little meaning anyway.
	maxWitnesses = 1000
)

func newParts(v *Vectors) *parts {
	type pair struct {
		gram uint64
		word int32
	}
	p := &parts{vectors: v, mean: make([]float32, v.dim)}
	var pairs []pair
	var grams []uint64
	directed := 0
	for i, word := range v.words {
		if v.norms[i] == 0 {
			continue
		}
		directed++
		addScaled(p.mean, v.row(i), 1/v.norms[i])
		grams = gramsOf(grams[:0], word)
		for _, gram := range grams {
			pairs = append(pairs, pair{gram, int32(i)})
		}
	}
	for i := range p.mean {
		p.mean[i] /= float32(max(directed, 1))
	}
	n := norm(p.mean)
	p.spread = math.Sqrt(max(0, 1-n*n))

	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.gram, b.gram), cmp.Compare(a.word, b.word))
	})
	p.words = make([]int32, len(pairs))
	for i, pair := range pairs {
		if i == 0 || pair.gram != pairs[i-1].gram {
			p.grams = append(p.grams, pair.gram)
			p.starts = append(p.starts, i)
		}
		p.words[i] = pair.word
	}
	p.starts = append(p.starts, len(pairs))
	return p
}

// unit composes the vector of a word, or returns nil if the vocabulary has none
// of its n-grams.
func (p *parts) unit(word string) []float32 {
	if len(word) > maxWord {
		return nil
	}
	sum := make([]float32, p.vectors.dim)
	one := make([]float32, p.vectors.dim)
	found := false
	for _, gram := range gramsOf(nil, phrase(word)) {
		i, ok := slices.BinarySearch(p.grams, gram)
		if !ok {
			continue
		}
		found = true
		words := p.words[p.starts[i]:p.starts[i+1]]
		weight := math.Log(1 + float64(len(p.vectors.words))/float64(len(words)))
		words = words[:min(len(words), maxWitnesses)]
		clear(one)
		for _, w := range words {
			addScaled(one, p.vectors.row(int(w)), 1/p.vectors.norms[w])
		}
		addScaled(sum, one, weight/float64(len(words)))
		addScaled(sum, p.mean, -weight)
	}
	if !found {
		return nil
	}
	// A mean over many words is close to the mean over all, and so similar to
	// every word. The difference is scaled to the length that it has in the
	// vocabulary, so that cosines of composed and of learned vectors are
	// comparable.
	if n := norm(sum); n > 1e-6 {
		for i := range sum {
			sum[i] *= float32(p.spread / n)
		}
	}
	addScaled(sum, p.mean, 1)
	return normalise(sum)
}

// gramsOf appends the distinct hashes of word's n-grams: of 1 to 6 characters
// if it has Chinese ones (or others that represent syllables), else of 3 to 6.
// Both ends of the word are marked and count as characters.
func gramsOf(grams []uint64, word string) []uint64 {
	marked := "<" + word + ">"
	shortest := minLatin
	var starts []int
	for i, r := range marked {
		starts = append(starts, i)
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			shortest = 1
		}
	}
	starts = append(starts, len(marked))
	characters := len(starts) - 1
	for i := range characters {
		for n := shortest; n <= maxGram && i+n <= characters; n++ {
			if n == 1 && (i == 0 || i == characters-1) {
				continue // only a mark
			}
			grams = append(grams, xxh3.HashString(marked[starts[i]:starts[i+n]]))
		}
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

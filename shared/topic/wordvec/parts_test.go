package wordvec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// syllabic returns vectors of made-up words of two or three characters whose
// meaning is half in the characters, and which all have something in common.
func syllabic(words, dim int) *Vectors {
	random := rand.New(rand.NewPCG(1, 2))
	character := make([][]float32, 200)
	for i := range character {
		character[i] = noise(random, dim)
	}
	common := noise(random, dim)
	t := newTable(int64(words), dim)
	for len(t.words) < words {
		row := noise(random, dim)
		addScaled(row, common, 1)
		var word []rune
		for range 2 + random.IntN(2) {
			c := random.IntN(len(character))
			word = append(word, rune('一'+c))
			addScaled(row, character[c], 0.7)
		}
		t.values = append(t.values, row...)
		if err := t.add(string(word)); err != nil {
			panic(err)
		}
	}
	return t.vectors()
}

func noise(random *rand.Rand, dim int) []float32 {
	row := make([]float32, dim)
	for i := range row {
		row[i] = float32(random.NormFloat64())
	}
	return row
}

// heldOut hides every tenth word longer than one character, composes it, and
// returns the mean cosine with its true vector, its median rank among all
// words, and the cosine that the mean of all vectors reaches instead.
func heldOut(t *testing.T, v *Vectors) (cosine, rank, meanCosine, meanRank float64) {
	t.Helper()
	kept := newTable(0, v.dim)
	var hidden []int
	for i, word := range v.words {
		if i%10 == 5 && len(word) > 3 {
			hidden = append(hidden, i)
			continue
		}
		kept.values = append(kept.values, v.row(i)...)
		if err := kept.add(word); err != nil {
			t.Fatal(err)
		}
	}
	rest := kept.vectors()
	mean := normalise(slices.Clone(newParts(rest).mean))
	var ranks, meanRanks []float64
	for _, i := range hidden {
		unit, known := rest.Unit(v.words[i])
		if known || unit == nil {
			unit = mean // unknown: the mean is the guess
		}
		c, r := place(v, i, unit)
		cosine += c / float64(len(hidden))
		ranks = append(ranks, r)
		c, r = place(v, i, mean)
		meanCosine += c / float64(len(hidden))
		meanRanks = append(meanRanks, r)
	}
	slices.Sort(ranks)
	slices.Sort(meanRanks)
	return cosine, ranks[len(ranks)/2], meanCosine, meanRanks[len(ranks)/2]
}

// place returns the cosine of unit with row i, and how many rows are at least
// as similar.
func place(v *Vectors, i int, unit []float32) (cosine, rank float64) {
	cosineOf := func(i int) float64 {
		sum := 0.0
		for d, x := range v.row(i) {
			sum += float64(x) * float64(unit[d])
		}
		return sum / v.norms[i]
	}
	cosine = cosineOf(i)
	for j := range v.words {
		if cosineOf(j) >= cosine {
			rank++
		}
	}
	return cosine, rank
}

func TestComposedVectorsOfHiddenWords(t *testing.T) {
	cosine, rank, meanCosine, meanRank := heldOut(t, syllabic(3000, 50))
	t.Logf("composed: mean cosine %.3f, median rank %.0f; mean vector: %.3f, %.0f", cosine, rank, meanCosine, meanRank)
	if cosine < meanCosine+0.1 || rank > meanRank/20 {
		t.Errorf("composed: mean cosine %.3f, median rank %.0f; mean vector: %.3f, %.0f", cosine, rank, meanCosine, meanRank)
	}
}

// TestComposedVectorsKeepTheirDistance checks that a composed vector is no more
// similar to words in general than a learned one.
func TestComposedVectorsKeepTheirDistance(t *testing.T) {
	v := syllabic(1000, 50)
	level := func(word string) float64 {
		sum := 0.0
		for i := range 200 {
			c, _ := v.Cosine(word, v.words[5*i])
			sum += c / 200
		}
		return sum
	}
	learned, composed := 0.0, 0.0
	for i := range 50 {
		learned += level(v.words[i*20+1]) / 50
		composed += level(string([]rune{rune('一' + i), rune('一' + 2*i), rune('一' + 3*i), '一'})) / 50
	}
	if math.Abs(learned-composed) > 0.05 {
		t.Errorf("mean cosine with other words: %.3f learned, %.3f composed", learned, composed)
	}
}

func TestComposedLatinWords(t *testing.T) {
	v := mustRead(t, "crawler 1 0 0\ncrawling 1 0 0.1\nbanking 0 1 0\nbanker 0 1 0.1\nthe 0 0 1\n")
	for word, near := range map[string]string{"crawled": "crawler", "bank": "banking", "banks": "banker"} {
		if got := v.Nearest(word, 2); len(got) != 2 || got[0].Word[:4] != near[:4] || got[1].Word[:4] != near[:4] {
			t.Errorf("near %s: %v", word, got)
		}
	}
	for _, word := range []string{"a", "ab", "xy", "qqqqq"} {
		if unit, _ := v.Unit(word); unit != nil {
			t.Errorf("%s has a vector out of no n-gram of three letters", word)
		}
	}
}

func BenchmarkComposed(b *testing.B) {
	v := syllabic(20_000, 100)
	v.Unit("新")
	for b.Loop() {
		v.Unit("丁七万丈")
	}
}

package compile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchWorld is a topic of 400 words over 100,000 words with random vectors.
func benchWorld(b *testing.B) Inputs {
	random := rand.New(rand.NewPCG(1, 1))
	const dim = 100
	words := make([]string, 100_000)
	for i := range words {
		words[i] = fmt.Sprintf("词%d", i)
	}
	var yaml strings.Builder
	yaml.WriteString("name: bench\nwords:\n")
	for i := range 400 {
		fmt.Fprintf(&yaml, "- 词%d\n", i*7)
	}
	s := DefaultSimilarity()
	s.Vectors = vectorsOf(b, dim, words, func(int) []float32 {
		row := direction(random, dim)
		row[0] += 10 // as in vectors of text, all words have something in common
		return row
	})
	return Inputs{File: parseTopic(b, yaml.String()), Similarity: s}
}

func BenchmarkCompile(b *testing.B) {
	in := benchWorld(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Compile(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// Compilation replaces a similarity per word and topic word by a look-up per
// word.
func BenchmarkRel(b *testing.B) {
	in := benchWorld(b)
	c, _, err := Compile(b.Context(), in)
	if err != nil {
		b.Fatal(err)
	}
	text := in.Similarity.Vectors.Words()[500:600]
	perWord := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/word")
	}
	b.Run("lexicon", func(b *testing.B) {
		for b.Loop() {
			c.Lexicon.Value(text)
		}
		perWord(b)
	})
	b.Run("direct", func(b *testing.B) {
		for b.Loop() {
			var sum float64
			for _, d := range text {
				for _, t := range in.File.Words {
					sim := in.Similarity.Sim(d, t.Text)
					sum += t.Weight * sim * sim
				}
			}
		}
		perWord(b)
	})
}

// articles are n texts of 300 distinct words, of which, as in prose, few are in most
// texts and most in few.
func articles(n int) [][]string {
	random := rand.New(rand.NewPCG(1, 1))
	texts := make([][]string, n)
	for i := range texts {
		seen := make(map[int]bool, 300)
		for len(seen) < 300 {
			if word := int(math.Pow(30_000, random.Float64())); !seen[word] {
				seen[word] = true
				texts[i] = append(texts[i], fmt.Sprintf("词%d", word))
			}
		}
	}
	return texts
}

func BenchmarkAlike(b *testing.B) {
	s := &Samples{}
	texts := articles(maxCompared)
	for _, words := range texts {
		s.Add(Sample{Body: words})
	}
	a := newAlike(s, func(string) bool { return true }, func([]string) float64 { return 0.5 })
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.value(texts[i%len(texts)])
	}
}

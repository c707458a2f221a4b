package compile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// sememes loads the lexicon that the project brings.
func sememes(t testing.TB) *hownet.Lexicon {
	t.Helper()
	lexicon, err := hownet.Load("../../../topics/sememes")
	if err != nil {
		t.Fatal(err)
	}
	return lexicon
}

// vectorsOf makes vectors of words.
func vectorsOf(t testing.TB, dim int, words []string, row func(i int) []float32) *wordvec.Vectors {
	t.Helper()
	var file strings.Builder
	fmt.Fprintf(&file, "%d %d\n", len(words), dim)
	for i, word := range words {
		file.WriteString(word)
		for _, x := range row(i) {
			fmt.Fprintf(&file, " %v", x)
		}
		file.WriteByte('\n')
	}
	vectors, err := wordvec.Read(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// randomVectors have cosines of every size: each word is near one of a few
// directions.
func randomVectors(t testing.TB, seed uint64, dim int, words []string) *wordvec.Vectors {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	centres := make([][]float32, 8)
	for i := range centres {
		centres[i] = direction(random, dim)
	}
	return vectorsOf(t, dim, words, func(int) []float32 {
		row, noise := direction(random, dim), 2*random.Float32()
		for i, x := range centres[random.IntN(len(centres))] {
			row[i] = noise*row[i] + x
		}
		return row
	})
}

func direction(random *rand.Rand, dim int) []float32 {
	row := make([]float32, dim)
	for i := range row {
		row[i] = float32(random.NormFloat64())
	}
	return row
}

// Algorithm 1, step by step.
func TestBlend(t *testing.T) {
	s := Similarity{Th1: 0.2, Th2: 0.4, Alpha: 0.5, Beta: 0.75}
	for _, test := range []struct {
		name             string
		simD, simH, want float64
	}{
		{"1: opposite use outweighs any meaning", -0.01, 1, 0},
		{"2: below Th1 use is none", 0.19, 0.8, 0.75 * 0.8},
		{"2: at Th1 it counts", 0.2, 0.8, 0.75*0.8 + 0.25*0.2},
		{"3: below Th2 meaning is none", 0.8, 0.39, 0.5 * 0.8},
		{"3: at Th2 it counts", 0.8, 0.4, 0.75*0.4 + 0.25*0.8},
		{"4: use alone", 1, 0, 0.5},
		{"4: meaning alone", 0, 1, 0.75},
		{"4: both", 1, 1, 1},
		{"5: a result below Th1 is none", 0.39, 0, 0},
		{"5: at Th1 it counts", 0.4, 0, 0.2},
		{"nothing", 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.blend(test.simD, test.simH); math.Abs(got-test.want) > 1e-15 {
				t.Errorf("blend(%v, %v) = %v, want %v", test.simD, test.simH, got, test.want)
			}
		})
	}
}

func TestSim(t *testing.T) {
	vectors := vectorsOf(t, 2, []string{"医生", "大夫", "股市", "仇"}, func(i int) []float32 {
		return [][]float32{{1, 0}, {3, 4}, {0, 2}, {-1, 0}}[i]
	})
	lexicon := sememes(t)
	const th1, th2, alpha, beta = 0.3, 0.5, 0.4, 0.6
	if simH, _ := lexicon.Similarity("医生", "大夫"); simH != 1 {
		t.Fatalf("SimH(医生, 大夫) = %v: this test wants synonyms", simH)
	}
	for _, test := range []struct {
		name    string
		vectors *wordvec.Vectors
		hownet  *hownet.Lexicon
		d, t    string
		want    float64
	}{
		{"with itself", vectors, lexicon, "医生", "医生", 1},
		{"unknown, with itself", nil, nil, "新", "新", 1},
		{"neither", nil, nil, "医生", "大夫", 0},
		{"vectors alone, too little", vectors, nil, "医生", "大夫", 0}, // 0.4·0.6
		{"vectors alone", vectors, nil, "大夫", "股市", alpha * 0.8},
		{"hownet alone", nil, lexicon, "医生", "大夫", beta},
		{"both", vectors, lexicon, "医生", "大夫", beta + (1-beta)*0.6},
		{"opposite", vectors, nil, "医生", "仇", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Similarity{th1, th2, alpha, beta, test.vectors, test.hownet}
			for _, pair := range [][2]string{{test.d, test.t}, {test.t, test.d}} {
				if got := s.Sim(pair[0], pair[1]); math.Abs(got-test.want) > 1e-7 {
					t.Errorf("Sim(%s, %s) = %v, want %v", pair[0], pair[1], got, test.want)
				}
				if got := s.Column(pair[1])(pair[0]); got != s.Sim(pair[0], pair[1]) {
					t.Errorf("Column(%[2]s)(%[1]s) = %v, Sim says %v", pair[0], pair[1], got, s.Sim(pair[0], pair[1]))
				}
			}
		})
	}
}

// The shortcuts of a column do not change results at any thresholds.
func TestColumnIsSim(t *testing.T) {
	lexicon := sememes(t)
	words := append(lexicon.Words()[:150:150], "新词", "另一", "第三")
	vectors := randomVectors(t, 1, 20, words[50:])
	for _, s := range []Similarity{
		DefaultSimilarity(),
		{Th1: 0, Th2: 0, Alpha: 1, Beta: 0.5},
		{Th1: 0.1, Th2: 0.1, Alpha: 1, Beta: 0},
		{Th1: 0.9, Th2: 0.2, Alpha: 1, Beta: 1},
		{Th1: 1, Th2: 1, Alpha: 0, Beta: 1},
	} {
		s.Vectors, s.HowNet = vectors, lexicon
		surviving := 0
		for _, topic := range words {
			column := s.Column(topic)
			for _, word := range words {
				got, want := column(word), s.Sim(word, topic)
				if got != want || !(0 <= got && got <= 1) {
					t.Fatalf("Th1 %v: Column(%s)(%s) = %v, Sim says %v", s.Th1, topic, word, got, want)
				}
				if got > 0 && word != topic {
					surviving++
				}
			}
		}
		if surviving == 0 && s.Th1 < 1 {
			t.Errorf("Th1 %v: no pair survives, so nothing was compared", s.Th1)
		}
	}
}

func TestSimilarityValidate(t *testing.T) {
	if s := DefaultSimilarity(); s.Validate() != nil {
		t.Errorf("the defaults are refused: %v", s.Validate())
	}
	s := Similarity{Th1: -0.1, Th2: 1.1, Alpha: math.NaN(), Beta: math.Inf(1)}
	err := s.Validate()
	for _, want := range []string{"Th1 is -0.1", "Th2 is 1.1", "alpha is NaN", "beta is +Inf"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v: want %q in it", err, want)
		}
	}
}

func BenchmarkSimilarity(b *testing.B) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = fmt.Sprintf("词%d", i)
	}
	s := DefaultSimilarity()
	s.Vectors, s.HowNet = randomVectors(b, 1, 100, words), sememes(b)
	b.Run("pair", func(b *testing.B) {
		i := 0
		for b.Loop() {
			s.Sim(words[i%1000], words[0])
			i++
		}
	})
	b.Run("column", func(b *testing.B) {
		entries := make([]comparand, len(words))
		for i, word := range words {
			entries[i] = s.comparand(word)
		}
		column, i := s.column(&entries[0]), 0
		for b.Loop() {
			column.similarity(&entries[i%1000])
			i++
		}
	})
}

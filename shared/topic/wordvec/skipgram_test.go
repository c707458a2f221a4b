package wordvec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// small returns a vocabulary of n words, the i-th i times as rare as the first.
func small(n int) *vocabulary {
	v := &vocabulary{index: make(map[string]int32)}
	for i := range n {
		v.words = append(v.words, string(rune('一'+i)))
		v.counts = append(v.counts, int64(1000*n/(i+1)))
		v.total += v.counts[i]
		v.index[v.words[i]] = int32(i)
	}
	return v
}

// TestStep compares a window with the gradient written down: for each word
// around and each target, both move along each other's old vector.
func TestStep(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 7, 8, 9, 16, 31, 100} {
		for _, threads := range []int{1, 2} {
			options := Training{Dim: dim, Negative: 3, Threads: threads}.withDefaults()
			m := newModel(small(10), options)
			random := rand.New(rand.NewPCG(3, 4))
			for i := range m.in.values {
				m.in.values[i], m.out.values[i] = random.Float32()-0.5, random.Float32()-0.5
			}
			row := func(of []float32, id int32) []float32 { return of[int(id)*dim : (int(id)+1)*dim] }
			in, out := append([]float32(nil), m.in.values...), append([]float32(nil), m.out.values...)
			wantIn, wantOut := append([]float32(nil), in...), append([]float32(nil), out...)

			l := newLearner(m, options)
			l.random.Seed(5, 6)
			l.step(3, []int32{1, 2}, []int32{4, 5}, 0.1)
			for j, target := range l.targets {
				if j > 0 && target == 3 {
					t.Error("the word is among its own negatives")
				}
				for _, id := range []int32{1, 2, 4, 5} {
					dot := 0.0
					for d := range dim {
						dot += float64(row(in, id)[d]) * float64(row(out, target)[d])
					}
					g := -1 / (1 + math.Exp(-dot))
					if j == 0 {
						g++
					}
					addScaled(row(wantIn, id), row(out, target), 0.1*g)
					addScaled(row(wantOut, target), row(in, id), 0.1*g)
				}
			}
			near := cmpopts.EquateApprox(0, 2e-3) // of the table
			if diff := cmp.Diff(wantIn, m.in.values, near) + cmp.Diff(wantOut, m.out.values, near); diff != "" {
				t.Errorf("dim %d, %d threads (-want +got):\n%s", dim, threads, diff)
			}
		}
	}
}

func TestSigmoid(t *testing.T) {
	s := newSigmoid()
	for _, x := range []float32{-1e30, -100, -6, -5.9999995, -1, 0, 1, 5.9999995, 6, 100, 1e30} {
		value, loss := s.at(x)
		want := 1 / (1 + math.Exp(-float64(x)))
		if math.Abs(float64(value)-want) > 3e-3 {
			t.Errorf("sigmoid(%v) = %v, want %v", x, value, want)
		}
		if wantLoss := math.Log1p(math.Exp(-float64(x))); x > -100 && math.Abs(float64(loss)-wantLoss) > 1e-2 {
			t.Errorf("loss(%v) = %v, want %v", x, loss, wantLoss)
		}
	}
}

func TestNegativesFollowCounts(t *testing.T) {
	counts := []int64{1000, 300, 30, 1, 1}
	a := newNegatives(counts)
	sum := 0.0
	for _, n := range counts {
		sum += math.Pow(float64(n), 0.75)
	}
	const draws = 200_000
	var random rand.PCG
	random.Seed(1, 2)
	got := make([]float64, len(counts))
	for range draws {
		got[a.draw(&random)]++
	}
	for i, n := range counts {
		p := math.Pow(float64(n), 0.75) / sum
		if sigma := math.Sqrt(draws * p * (1 - p)); math.Abs(got[i]-draws*p) > 4*sigma {
			t.Errorf("word %d drawn %v times, want %.0f ± %.0f", i, got[i], draws*p, sigma)
		}
	}
}

func TestKeepRates(t *testing.T) {
	tests := []struct {
		name   string
		share  int64 // of 1e6
		sample float64
		want   float64
	}{
		{"frequent", 100_000, 1e-3, (math.Sqrt(100) + 1) / 100},
		{"at the threshold", 1_000, 1e-3, 1},
		{"rare", 10, 1e-3, 1},
		{"off", 1_000_000, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := float64(keepRates([]int64{tt.share}, 1e6, tt.sample)[0]) / math.MaxUint32
			if math.Abs(got-tt.want) > 1e-6 {
				t.Errorf("rate %v, want %v", got, tt.want)
			}
		})
	}
}

// BenchmarkLearn trains sentences of 1000 words; a word is the unit to count in.
func BenchmarkLearn(b *testing.B) {
	for _, dim := range []int{100, 300} {
		for name, threads := range map[string]int{"alone": 1, "locked": 2} {
			b.Run(name+"/"+string(rune('0'+dim/100))+"00", func(b *testing.B) {
				options := Training{Dim: dim, Threads: threads}.withDefaults()
				vocab := small(10_000)
				l := newLearner(newModel(vocab, options), options)
				words := newNegatives(vocab.counts)
				sentence := make([]int32, 1000)
				for b.Loop() {
					for i := range sentence {
						sentence[i] = words.draw(&l.random)
					}
					l.learn(sentence, 0.01)
				}
				b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "words/s")
			})
		}
	}
}

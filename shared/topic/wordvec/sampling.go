package wordvec

import (
	"math"
	"math/rand/v2"
)

// alias draws from a discrete distribution in constant time (Walker, Vose).
type alias struct {
	stay  []uint32 // probability of staying at i, of 2^32
	other []int32  // where to go otherwise
}

// newNegatives returns word2vec's noise distribution: counts to the power 0.75.
func newNegatives(counts []int64) *alias {
	weights := make([]float64, len(counts))
	sum := 0.0
	for i, n := range counts {
		weights[i] = math.Pow(float64(n), 0.75)
		sum += weights[i]
	}
	a := &alias{stay: make([]uint32, len(counts)), other: make([]int32, len(counts))}
	var small, large []int32
	for i := range weights {
		weights[i] *= float64(len(weights)) / sum
		a.stay[i], a.other[i] = math.MaxUint32, int32(i)
		if weights[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.stay[s], a.other[s] = uint32(weights[s]*math.MaxUint32), l
		if weights[l] -= 1 - weights[s]; weights[l] < 1 {
			large, small = large[:len(large)-1], append(small, l)
		}
	}
	return a
}

// draw returns an index.
func (a *alias) draw(random *rand.PCG) int32 {
	r := random.Uint64()
	i := (r >> 32) * uint64(len(a.stay)) >> 32
	if uint32(r) <= a.stay[i] {
		return int32(i)
	}
	return a.other[i]
}

// keepRates returns the probability, of 2^32, with which each word is kept in a
// sentence: word2vec's subsampling, (√(f/sample) + 1)·sample/f for a word that
// makes up a share f of the text.
func keepRates(counts []int64, total int64, sample float64) []uint32 {
	rates := make([]uint32, len(counts))
	for i, n := range counts {
		f := float64(n) / float64(total)
		keep := (math.Sqrt(f/sample) + 1) * sample / f
		rates[i] = uint32(min(keep, 1) * math.MaxUint32)
	}
	return rates
}

// The logistic function is tabulated over ±maxScore; beyond, it is 0 or 1.
const (
	maxScore      = 6
	sigmoidPoints = 1 << 10
)

// sigmoid is a table of 1/(1+e^-x) and of the loss -ln of it, for the middle of
// each step.
type sigmoid [sigmoidPoints]struct{ value, loss float32 }

func newSigmoid() *sigmoid {
	var s sigmoid
	for i := range s {
		x := (float64(i)+0.5)/sigmoidPoints*2*maxScore - maxScore
		s[i].value = float32(1 / (1 + math.Exp(-x)))
		s[i].loss = float32(math.Log1p(math.Exp(-x)))
	}
	return &s
}

// at returns the logistic function at x and its negative logarithm.
func (s *sigmoid) at(x float32) (value, loss float32) {
	switch {
	case x >= maxScore:
		return 1, 0
	case x > -maxScore:
		p := &s[min(int((x+maxScore)*(sigmoidPoints/(2.0*maxScore))), sigmoidPoints-1)]
		return p.value, p.loss
	}
	return 0, -x
}

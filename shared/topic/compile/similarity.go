package compile

import (
	"errors"
	"fmt"

	"github.com/viterin/vek/vek32"

	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// Similarity is Sim of two words by algorithm 1 (METHOD A5), from HowNet for
// their meaning and vectors for their use. Either may be nil: SimH or SimD is
// then 0, and without both a word is similar only to itself. It must not change
// once in use, and is safe for concurrent use.
type Similarity struct {
	Th1   float64 // least SimD, and least Sim, that is not 0
	Th2   float64 // least SimH that is not 0
	Alpha float64 // of SimD if SimH is 0
	Beta  float64 // of SimH otherwise; SimD has the rest

	Vectors *wordvec.Vectors
	HowNet  *hownet.Lexicon
}

// DefaultSimilarity returns the default constants. They were chosen by `sluice
// eval words` and `sluice eval table5`, on draws with other seeds than its
// default, among those that ignore SimD alone below 0.6: vectors of general
// text make half of all nouns a little alike, which buries a topic at the
// paper's Th1 of 0.1.
//
// Since α·SimD must reach Th1, SimD alone counts from 0.625, and SimH alone
// from a third. If HowNet sees little in common, SimD counts less than if
// HowNet says nothing: 1−β is below α.
func DefaultSimilarity() Similarity {
	return Similarity{Th1: 0.25, Th2: 0.1, Alpha: 0.4, Beta: 0.75}
}

// Validate reports every constant that is not from 0 to 1.
func (s *Similarity) Validate() error {
	var problems []error
	for _, constant := range []struct {
		name  string
		value float64
	}{{"Th1", s.Th1}, {"Th2", s.Th2}, {"alpha", s.Alpha}, {"beta", s.Beta}} {
		if !(0 <= constant.value && constant.value <= 1) {
			problems = append(problems, fmt.Errorf("%s is %v: it must be from 0 to 1", constant.name, constant.value))
		}
	}
	return errors.Join(problems...)
}

// Sim returns Sim(d, t), 0 to 1, of words spelled as in HowNet and the vectors.
// It is symmetric, and 1 for a word with itself.
func (s *Similarity) Sim(d, t string) float64 {
	if d == t {
		return 1
	}
	var simD, simH float64
	if x, y := s.unit(d), s.unit(t); x != nil && y != nil {
		simD = cosine(x, y)
	}
	if s.HowNet != nil {
		simH, _ = s.HowNet.Similarity(d, t)
	}
	return s.blend(simD, simH)
}

// Column returns Sim(d, t) as a function of d, which is much faster for many d.
// The function is for one goroutine at a time.
func (s *Similarity) Column(t string) func(d string) float64 {
	target := s.comparand(t)
	c := s.column(&target)
	return func(d string) float64 {
		e := s.comparand(d)
		sim, _ := c.similarity(&e)
		return sim
	}
}

// blend is algorithm 1 for two words that are not the same, step by step. The
// conversions keep compilers from fusing a product with the sum, which would
// round it differently from one machine to another.
func (s *Similarity) blend(simD, simH float64) float64 {
	if simD < 0 {
		return 0
	}
	if simD < s.Th1 {
		simD = 0
	}
	if simH < s.Th2 {
		simH = 0
	}
	sim := s.Alpha * simD
	if simH != 0 {
		sim = float64(s.Beta*simH) + float64((1-s.Beta)*simD)
	}
	if sim < s.Th1 {
		return 0
	}
	return sim
}

// unit returns a word's unit vector, composed from its parts if the vocabulary
// has none, or nil.
func (s *Similarity) unit(word string) []float32 {
	if s.Vectors == nil {
		return nil
	}
	unit, _ := s.Vectors.Unit(word)
	return unit
}

// comparand is a word that is compared.
type comparand struct {
	word     string    // as texts yield it
	hownet   string    // as HowNet spells it; "": not covered
	unit     []float32 // nil: no vector
	composed bool      // the vector comes from the word's parts
}

// comparand looks up a word that is spelled the same everywhere.
func (s *Similarity) comparand(word string) comparand {
	return comparand{word: word, hownet: word, unit: s.unit(word)}
}

// evidence is the source of a similarity above 0.
type evidence int

const (
	nothing  evidence = iota
	identity          // it is the same word
	meaning           // HowNet, with or without vectors
	use               // only vectors
)

// column compares many words with one topic word.
type column struct {
	*Similarity
	topic  *comparand
	senses *hownet.Column // nil: not covered
	least  float64        // quick cosines below it, without SimH, mean no similarity
}

func (s *Similarity) column(topic *comparand) *column {
	c := &column{Similarity: s, topic: topic, least: s.Th1/s.Alpha - slack} // NaN for 0/0: nothing is below
	if s.HowNet != nil {
		c.senses = s.HowNet.Column(topic.hownet)
	}
	return c
}

// slack is more than a dot product of unit vectors in single precision is off,
// up to the 10,000 components that vectors may have.
const slack = 1e-3

// similarity returns Sim(d, t) and its source. Exact cosines are expensive and
// most do not matter, so a quick one comes first: without SimH, and with α·SimD
// below Th1 beyond rounding, Sim is 0.
func (c *column) similarity(d *comparand) (float64, evidence) {
	if d.word == c.topic.word {
		return 1, identity
	}
	var simD, simH float64
	if d.hownet != "" {
		simH, _ = c.senses.Similarity(d.hownet)
	}
	if simH < c.Th2 {
		simH = 0
	}
	if d.unit != nil && c.topic.unit != nil {
		if simH == 0 && float64(vek32.Dot(d.unit, c.topic.unit)) < c.least {
			return 0, nothing
		}
		simD = cosine(d.unit, c.topic.unit)
	}
	switch sim := c.blend(simD, simH); {
	case sim == 0:
		return 0, nothing
	case simH > 0:
		return sim, meaning
	default:
		return sim, use
	}
}

// cosine of two unit vectors, -1 to 1. Products of single precision numbers are
// exact in double precision, so the sum is the same on every machine, with or
// without fused instructions; vek32's depends on the processor.
func cosine(x, y []float32) float64 {
	y = y[:len(x)]
	var sums [4]float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		sums[0] += float64(x[i]) * float64(y[i])
		sums[1] += float64(x[i+1]) * float64(y[i+1])
		sums[2] += float64(x[i+2]) * float64(y[i+2])
		sums[3] += float64(x[i+3]) * float64(y[i+3])
	}
	for ; i < len(x); i++ {
		sums[0] += float64(x[i]) * float64(y[i])
	}
	return max(-1, min(1, (sums[0]+sums[1])+(sums[2]+sums[3])))
}

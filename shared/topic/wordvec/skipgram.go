package wordvec

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/viterin/vek/vek32"
)

// matrix is the rows of one layer.
//
// Threads share it under a lock per row, held while the row is copied or added
// to. word2vec shares it without ("Hogwild"), which Go's memory model calls a
// race. The locks cost nothing measurable, since a window copies each of its
// rows once, computes on the copies, and adds the sum of the changes: two
// threads train some 1.7 times the words of one. The alternative, a copy of the
// model per thread, averaged now and then, takes more memory and learns more
// slowly with each thread.
type matrix struct {
	dim    int
	values []float32
	locks  []sync.Mutex // one per row; nil for a single thread
}

func newMatrix(rows, dim, threads int) matrix {
	m := matrix{dim: dim, values: make([]float32, rows*dim)}
	if threads > 1 {
		m.locks = make([]sync.Mutex, rows)
	}
	return m
}

// load copies a row.
func (m *matrix) load(dst []float32, row int32) {
	src := m.values[int(row)*m.dim : (int(row)+1)*m.dim]
	if m.locks == nil {
		copy(dst, src)
		return
	}
	m.locks[row].Lock()
	copy(dst, src)
	m.locks[row].Unlock()
}

// add adds to a row.
func (m *matrix) add(row int32, change []float32) {
	dst := m.values[int(row)*m.dim : (int(row)+1)*m.dim]
	if m.locks == nil {
		vek32.Add_Inplace(dst, change)
		return
	}
	m.locks[row].Lock()
	vek32.Add_Inplace(dst, change)
	m.locks[row].Unlock()
}

// model is the trained state with its constant tables.
type model struct {
	in, out   matrix // vectors of words as context, and as predicted words
	negatives *alias
	keep      []uint32
	sigmoid   *sigmoid
}

// newModel returns the model before training: in random, out zero.
func newModel(vocab *vocabulary, t Training) *model {
	m := &model{
		in:        newMatrix(len(vocab.words), t.Dim, t.Threads),
		out:       newMatrix(len(vocab.words), t.Dim, t.Threads),
		negatives: newNegatives(vocab.counts),
		keep:      keepRates(vocab.counts, vocab.total, t.Sample),
		sigmoid:   newSigmoid(),
	}
	random := rand.New(rand.NewPCG(t.Seed, math.MaxUint64))
	for i := range m.in.values {
		m.in.values[i] = (random.Float32() - 0.5) / float32(t.Dim)
	}
	return m
}

// finite reports whether training did not diverge.
func (m *model) finite() bool {
	for _, x := range m.in.values {
		if !(-maxValue <= x && x <= maxValue) {
			return false
		}
	}
	return true
}

// learner is one thread's share: buffers of a window, and a random source.
type learner struct {
	*model
	window, negative int
	random           rand.PCG
	sentence         []int32
	encoded          []byte
	targets          []int32

	// By row: the window's words, the predicted words, and the changes to both.
	inputs, outputs, inputChange, outputChange []float32
	gradient, transposed                       []float32
	loss                                       float64
	pairs                                      int64
}

func newLearner(m *model, t Training) *learner {
	inputs, outputs := 2*t.Window, t.Negative+1
	return &learner{
		model: m, window: t.Window, negative: t.Negative,
		targets:      make([]int32, 0, outputs),
		inputs:       make([]float32, inputs*t.Dim),
		inputChange:  make([]float32, inputs*t.Dim),
		outputs:      make([]float32, outputs*t.Dim),
		outputChange: make([]float32, outputs*t.Dim),
		gradient:     make([]float32, inputs*outputs),
		transposed:   make([]float32, inputs*outputs),
	}
}

// learn trains one sentence, in which subsampling leaves gaps that close.
func (l *learner) learn(sentence []int32, rate float32) {
	kept := sentence[:0]
	for _, id := range sentence {
		if keep := l.keep[id]; keep == math.MaxUint32 || uint32(l.random.Uint64()) < keep {
			kept = append(kept, id)
		}
	}
	for i, word := range kept {
		reach := 1 + int(l.random.Uint64()>>32*uint64(l.window)>>32)
		before, after := kept[max(0, i-reach):i], kept[i+1:min(len(kept), i+1+reach)]
		if len(before)+len(after) > 0 {
			l.step(word, before, after, rate)
		}
	}
}

// step makes the words around a word predict it, and not some words drawn from
// the noise distribution. Unlike word2vec it draws those once for the window
// instead of once for each word around: the same gradient in expectation, and
// the window becomes three small matrix products.
func (l *learner) step(word int32, before, after []int32, rate float32) {
	l.targets = append(l.targets[:0], word)
	for range l.negative {
		if id := l.negatives.draw(&l.random); id != word {
			l.targets = append(l.targets, id)
		}
	}
	dim, n, m := l.in.dim, len(before)+len(after), len(l.targets)
	for i, id := range before {
		l.in.load(l.inputs[i*dim:(i+1)*dim], id)
	}
	for i, id := range after {
		i += len(before)
		l.in.load(l.inputs[i*dim:(i+1)*dim], id)
	}
	for j, id := range l.targets {
		l.out.load(l.outputs[j*dim:(j+1)*dim], id)
	}
	l.score(n, m, rate)
	vek32.MatMul_Into(l.inputChange, l.gradient[:n*m], l.outputs[:m*dim], m)
	vek32.MatMul_Into(l.outputChange, l.transposed[:m*n], l.inputs[:n*dim], n)
	for i, id := range before {
		l.in.add(id, l.inputChange[i*dim:(i+1)*dim])
	}
	for i, id := range after {
		i += len(before)
		l.in.add(id, l.inputChange[i*dim:(i+1)*dim])
	}
	for j, id := range l.targets {
		l.out.add(id, l.outputChange[j*dim:(j+1)*dim])
	}
}

// score sets gradient[i,j] to how far, and in which direction, input i and
// output j are to be moved along each other. Output 0 is right, the others not.
func (l *learner) score(n, m int, rate float32) {
	dim := l.in.dim
	loss := float32(0)
	for i := range n {
		input := l.inputs[i*dim : (i+1)*dim]
		for j := range m {
			x := vek32.Dot(input, l.outputs[j*dim:(j+1)*dim])
			var p, minusLog float32
			if j == 0 {
				p, minusLog = l.sigmoid.at(x)
				p = 1 - p
			} else {
				p, minusLog = l.sigmoid.at(-x)
				p--
			}
			loss += minusLog
			l.gradient[i*m+j], l.transposed[j*n+i] = p*rate, p*rate
		}
	}
	l.loss += float64(loss)
	l.pairs += int64(n)
}

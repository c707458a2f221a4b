package wordvec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Corpus is text to train on.
type Corpus interface {
	// Sentences makes one pass over the text, as words. Train makes two, which
	// give the same sentences. The slice is the callee's after each step; an
	// error ends the pass. Words that no file can hold (empty, of more than
	// 1,000 bytes, with tabs or line ends) are left out, and spaces within a
	// word become "_".
	Sentences(ctx context.Context) iter.Seq2[[]string, error]
}

// Training has the options of a training. A zero value means the default in
// brackets.
type Training struct {
	Dim           int     // components of a vector [100]
	Window        int     // words looked at on each side, at most [5]
	Negative      int     // words drawn from the noise distribution [5]
	Epochs        int     // passes over the text [5]
	MinCount      int     // rarer words get no vector of their own [5]
	Threads       int     // [all processors]
	Sample        float64 // words of a larger share of the text are thinned out; 1: no thinning [1e-3]
	LearningRate  float64 // at the start; falls to 0 over the training [0.025]
	Seed          uint64
	MaxVocabulary int    // the most frequent words that are kept [500,000]
	Checkpoint    string // file for the state, to continue an interrupted training; "": none

	// Progress, if set, is called several times a second. Calls do not overlap;
	// training waits for them.
	Progress func(Progress)
}

// Progress is how far a training is.
type Progress struct {
	Epoch          int   // from 1
	Words          int64 // of all epochs, trained so far; words outside the vocabulary do not count
	TotalWords     int64 // of all epochs
	WordsPerSecond float64
	Loss           float64 // mean over the epoch so far, for a word and a neighbour: -ln of the likelihood
	ETA            time.Duration
}

// withDefaults fills in the defaults.
func (t Training) withDefaults() Training {
	for _, d := range []struct {
		field *int
		value int
	}{
		{&t.Dim, 100}, {&t.Window, 5}, {&t.Negative, 5}, {&t.Epochs, 5}, {&t.MinCount, 5},
		{&t.Threads, runtime.GOMAXPROCS(0)}, {&t.MaxVocabulary, 500_000},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	t.Sample = cmp.Or(t.Sample, 1e-3)
	t.LearningRate = cmp.Or(t.LearningRate, 0.025)
	return t
}

// validate reports all that is wrong with t.
func (t Training) validate() error {
	var errs []error
	for _, c := range []struct {
		name         string
		value, limit int
	}{
		{"dim", t.Dim, maxDim}, {"window", t.Window, 100}, {"negative", t.Negative, 100}, {"epochs", t.Epochs, 10_000},
		{"min count", t.MinCount, 1e9}, {"threads", t.Threads, 1024}, {"max vocabulary", t.MaxVocabulary, 50_000_000},
	} {
		if c.value < 1 || c.value > c.limit {
			errs = append(errs, fmt.Errorf("%s is %d: want 1 to %d", c.name, c.value, c.limit))
		}
	}
	for _, c := range []struct {
		name  string
		value float64
	}{{"sample", t.Sample}, {"learning rate", t.LearningRate}} {
		if !(0 < c.value && c.value <= 1) {
			errs = append(errs, fmt.Errorf("%s is %v: want more than 0, at most 1", c.name, c.value))
		}
	}
	return errors.Join(errs...)
}

// Train learns vectors by word2vec's skip-gram with negative sampling: a
// dynamic window, subsampling of frequent words, noise by count^0.75, and a
// learning rate that falls linearly.
//
// Memory is bounded by the vocabulary, 8 bytes for each component of a vector,
// not by the text. With one thread the result depends only on the text and the
// options, on processors of one kind; with more threads it is as good but never
// the same twice.
//
// With a checkpoint, the state is saved from time to time and when ctx ends,
// and a later call with the same text and options continues from there: with
// one thread, to the same bytes. A checkpoint of another text or other options
// is an error. After the training the caller removes it, once the vectors are
// safe.
func Train(ctx context.Context, c Corpus, t Training) (_ *Vectors, err error) {
	t = t.withDefaults()
	if err := t.validate(); err != nil {
		return nil, fmt.Errorf("check training options: %w", err)
	}
	vocab, err := countWords(ctx, c, int64(t.MinCount), t.MaxVocabulary)
	if err != nil {
		return nil, err
	}
	if len(vocab.words) == 0 {
		return nil, fmt.Errorf("train vectors: no word occurs %d times: train on more text, or lower the minimum count", t.MinCount)
	}
	dir := ""
	if t.Checkpoint != "" {
		dir = filepath.Dir(t.Checkpoint)
	}
	spool, err := newSpool(ctx, c, vocab, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, spool.close()) }()
	if len(spool.blocks) == 0 {
		return nil, errors.New("train vectors: no two known words are neighbours")
	}
	r := &run{Training: t, model: newModel(vocab, t), spool: spool, fingerprint: fingerprint(vocab, spool, t)}
	if err := r.restore(); err != nil {
		return nil, err
	}
	if err := r.train(ctx); err != nil {
		return nil, err
	}
	if !r.finite() {
		return nil, fmt.Errorf("train vectors: the learning rate %v is too high, values overflow", t.LearningRate)
	}
	return newVectors(t.Dim, vocab.words, vocab.index, r.in.values), nil
}

const (
	// checkpointEvery is about how much a killed training loses.
	checkpointEvery = 30 * time.Second

	// checkpointShare limits the time spent on checkpoints of large models to
	// one part in so many.
	checkpointShare = 20
)

// run is a training under way.
type run struct {
	Training
	*model
	spool       *spool
	fingerprint [2]uint64

	mu        sync.Mutex
	next      int // the block to train next, counted over all epochs
	words     int64
	loss      float64 // over the epoch
	pairs     int64
	lossEpoch int
	start     time.Time // of this run, that is, after a checkpoint was restored
	startWith int64     // words
	err       error
}

// train trains the remaining blocks, from checkpoint to checkpoint.
func (r *run) train(ctx context.Context) error {
	r.start, r.startWith = time.Now(), r.words
	learners := make([]*learner, r.Threads)
	for i := range learners {
		learners[i] = newLearner(r.model, r.Training)
	}
	if r.done() {
		r.report() // otherwise a finished training reports nothing
	}
	for pause := checkpointEvery; !r.done(); {
		until := time.Now().Add(pause)
		var threads sync.WaitGroup
		for _, l := range learners {
			threads.Go(func() { r.work(ctx, l, until) })
		}
		threads.Wait()
		if r.err != nil {
			return fmt.Errorf("train vectors: %w", r.err)
		}
		saving := time.Now()
		if err := r.save(); err != nil {
			return err
		}
		pause = max(checkpointEvery, checkpointShare*time.Since(saving))
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("train vectors: %w", err)
		}
	}
	return nil
}

// done reports whether all blocks are taken.
func (r *run) done() bool { return r.next >= r.Epochs*len(r.spool.blocks) }

// work trains blocks with one learner until all are taken or time is up.
func (r *run) work(ctx context.Context, l *learner, until time.Time) {
	for ctx.Err() == nil && time.Now().Before(until) {
		r.mu.Lock()
		if r.done() || r.err != nil {
			r.mu.Unlock()
			return
		}
		i := r.next
		r.next++
		r.mu.Unlock()

		words, err := r.block(l, i)
		r.mu.Lock()
		if err != nil {
			r.err = err
		} else {
			r.account(l, i, words)
		}
		r.mu.Unlock()
	}
}

// block trains one block and returns its number of words. The result depends
// only on the model and on i: the random source is seeded, and the learning
// rate follows from the position of the block.
func (r *run) block(l *learner, i int) (words int64, err error) {
	b := r.spool.blocks[i%len(r.spool.blocks)]
	epoch := int64(i / len(r.spool.blocks))
	if l.encoded, err = r.spool.read(i%len(r.spool.blocks), l.encoded); err != nil {
		return 0, err
	}
	l.random.Seed(r.Seed, uint64(i))
	l.loss, l.pairs = 0, 0
	total := float64(int64(r.Epochs) * r.spool.words)
	for rest := l.encoded; len(rest) > 0; {
		rest, l.sentence = nextSentence(rest, l.sentence)
		done := float64(epoch*r.spool.words + b.before + words)
		words += int64(len(l.sentence))
		l.learn(l.sentence, float32(r.LearningRate*max(1-done/total, 1e-4)))
	}
	return words, nil
}

// account adds up the time of a block and reports progress.
func (r *run) account(l *learner, i int, words int64) {
	if epoch := i / len(r.spool.blocks); epoch > r.lossEpoch {
		r.lossEpoch, r.loss, r.pairs = epoch, 0, 0
	}
	r.words += words
	r.loss += l.loss
	r.pairs += l.pairs
	r.report()
}

// report reports the progress of the training.
func (r *run) report() {
	if r.Progress == nil {
		return
	}
	p := Progress{
		Epoch:      r.lossEpoch + 1,
		Words:      r.words,
		TotalWords: int64(r.Epochs) * r.spool.words,
		Loss:       r.loss / float64(max(r.pairs, 1)),
	}
	if seconds, words := time.Since(r.start).Seconds(), r.words-r.startWith; seconds > 0 && words > 0 {
		p.WordsPerSecond = float64(words) / seconds
		p.ETA = time.Duration(float64(p.TotalWords-p.Words) / p.WordsPerSecond * float64(time.Second))
	}
	r.Progress(p)
}

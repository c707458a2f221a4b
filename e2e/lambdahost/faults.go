//go:build linux

package lambdahost

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

// Faults are the deliberate faults of a pump, as probabilities between 0 and 1.
type Faults struct {
	Duplicate float64 // of a message: it is repeated in a later batch
	Shuffle   float64 // of a batch: its order is random, and its last record waits for a later batch
	Drop      float64 // of an invocation: the function has done its work, and its answer is lost
	Kill      float64 // of an invocation: its environment is killed within KillWithin, if it still runs

	KillWithin time.Duration // 1 s; the moments are uniform
	Seed       uint64        // of the draws; the order of events is not reproducible
}

func (f Faults) check() error {
	for _, p := range []float64{f.Duplicate, f.Shuffle, f.Drop, f.Kill} {
		if !(p >= 0 && p <= 1) {
			return errors.New("a fault's probability is not between 0 and 1")
		}
	}
	return nil
}

// delays reports whether messages may be postponed.
func (f Faults) delays() bool { return f.Duplicate > 0 || f.Shuffle > 0 }

// disturb duplicates and reorders a batch, and never empties it.
func (m *mapping) disturb(batch []message) []message {
	faults := m.opts.Faults
	for _, msg := range batch {
		if !msg.again && m.dice.roll(faults.Duplicate) {
			msg.again = true
			m.putOff(msg)
		}
	}
	if len(batch) > 1 && m.dice.roll(faults.Shuffle) {
		m.dice.shuffle(batch)
		last := len(batch) - 1
		m.putOff(batch[last])
		batch = batch[:last]
	}
	return batch
}

// dice is chance, for many goroutines.
type dice struct {
	mu  sync.Mutex
	rng *rand.Rand
}

func newDice(seed uint64) *dice { return &dice{rng: rand.New(rand.NewPCG(seed, 0))} }

func (d *dice) roll(probability float64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rng.Float64() < probability
}

func (d *dice) shuffle(batch []message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rng.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
}

// kill draws when an environment is killed; zero: it is not.
func (d *dice) kill(f Faults) time.Duration {
	if !d.roll(f.Kill) {
		return 0
	}
	within := f.KillWithin
	if within <= 0 {
		within = time.Second
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return 1 + time.Duration(d.rng.Int64N(int64(within)))
}

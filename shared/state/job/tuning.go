package job

import (
	"math"

	"sluice/shared/rank/adapt"
	"sluice/shared/state/ledger"
)

const (
	// tuneEvery is an interval, in pages fetched. Half of them should come from
	// above the line: S of METHOD B3.
	tuneEvery     = 100
	expectedAbove = tuneEvery / 2

	// overLambda is the least threshold as a multiple of λ (METHOD A11).
	overLambda = 1.01

	// Words are learned after so many pages, and again each time that the crawl has
	// fetched twice as many: that reads each page two or three times.
	learnFrom = 200

	// A job is read with each batch of tasks and written once a minute.
	mostAdjustments = 100
)

// Tuning is how far a crawl by a strategy that adapts has changed its threshold and
// words, by what came in its intervals (METHOD B3, B4).
type Tuning struct {
	Floor   float64 `json:"floor"` // of the threshold
	Ceiling float64 `json:"ceiling"`

	Last Progress         `json:"last,omitzero"`  // of the crawl, when the present interval began
	Past []adapt.Interval `json:"past,omitempty"` // those that count, the latest last
	Log  []Adjustment     `json:"log,omitempty"`  // the last ones

	Learn int64  `json:"learn"`           // pages after which words are learned
	Topic string `json:"topic,omitempty"` // of a stack: key of the topic with the learned words; "": none
}

// Progress is what came of a crawl so far.
type Progress struct {
	Fetched int64 `json:"fetched"`
	Kept    int64 `json:"kept"`
	Below   int64 `json:"below"` // pages that links below the line led to
}

// ProgressOf returns the progress of a whole crawl.
func ProgressOf(t *ledger.Totals) Progress {
	return Progress{Fetched: t.Fetched, Kept: t.Verdicts[ledger.Kept], Below: t.Below}
}

// Adjustment is a change of thresholds and words while a crawl runs (METHOD B3,
// B4), by what came in an interval.
type Adjustment struct {
	Fetched int64 `json:"fetched"` // pages when it was made
	Kept    int64 `json:"kept"`    // documents

	Pages   int64 `json:"interval_fetched"`
	Above   int64 `json:"interval_above"` // pages that links above the threshold led to
	KeptNow int64 `json:"interval_kept"`

	Rule      string  `json:"rule"`      // raise, raise_more or lower; keep where words alone were learned
	Threshold float64 `json:"threshold"` // of links, from then on

	Topic       string    `json:"topic_version,omitempty"` // with the learned words
	Description float64   `json:"description_threshold,omitempty"`
	Body        float64   `json:"body_threshold,omitempty"`
	Words       []Learned `json:"words,omitzero"` // learned; only of the last adjustment that has any
}

// Learned is a word that a crawl has learned.
type Learned struct {
	Word      string  `json:"word"`
	Weight    float64 `json:"weight"`
	Documents int     `json:"documents"` // that have it
}

// NewTuning returns that of a crawl that begins with the threshold and the λ of its
// topic.
func NewTuning(threshold, lambda float64) *Tuning {
	c := adapt.Default(threshold)
	return &Tuning{Floor: max(c.Floor, overLambda*lambda), Ceiling: c.Ceiling, Learn: learnFrom}
}

// Tune changes the threshold of a crawl that adapts, if an interval is over. To call it
// again changes nothing. If words are to be learned before, it returns what came in the
// interval, for Adapt.
func (j *Job) Tune(now Progress) *Adjustment {
	if j.Tuning == nil || j.Thresholds == nil {
		return nil
	}
	a := j.Tuning.End(now)
	if a == nil || j.Tuning.Due(now.Fetched) {
		return a
	}
	j.Adapt(a, nil)
	return nil
}

// Words is a topic with words that a crawl has learned.
type Words struct {
	Key        string // in the stack's bucket
	Version    string
	Thresholds Thresholds
	Learned    []Learned
}

// Adapt changes the words of a crawl after an interval or, if it has learned none, its
// threshold.
func (j *Job) Adapt(a *Adjustment, words *Words) {
	if words == nil {
		if j.Tuning.Next(j.Thresholds.Priority, a) {
			j.Thresholds.Priority = a.Threshold
			j.Tuning.Note(a, mostAdjustments)
		}
		return
	}
	at := words.Thresholds
	a.Threshold, a.Rule = at.Priority, string(adapt.Keep)
	a.Topic, a.Description, a.Body, a.Words = words.Version, at.Description, at.Body, words.Learned
	j.Thresholds, j.Tuning.Topic, j.Tuning.Past = &at, words.Key, nil
	j.Tuning.Note(a, mostAdjustments)
}

// Unlearn forgets the learned words, for a crawl that continues to learn them again.
func (j *Job) Unlearn() {
	if j.Tuning == nil {
		return
	}
	j.Tuning.Topic, j.Tuning.Learn = "", learnFrom
	for i := range j.Tuning.Log {
		j.Tuning.Log[i].Words = nil
	}
}

// TopicKey is the key of the topic by which pages are read.
func (j *Job) TopicKey() string {
	if j.Tuning != nil && j.Tuning.Topic != "" {
		return j.Tuning.Topic
	}
	return j.Topic
}

// Due reports whether words are to be learned after so many pages, which it does once.
func (t *Tuning) Due(fetched int64) bool {
	due := fetched >= t.Learn
	if due {
		t.Learn = 2 * fetched
	}
	return due
}

// End ends an interval that is long enough, begins the next, and returns what came in
// it; nil if it goes on.
func (t *Tuning) End(now Progress) *Adjustment {
	fetched := now.Fetched - t.Last.Fetched
	if fetched < tuneEvery {
		return nil
	}
	above := max(0, fetched-(now.Below-t.Last.Below))
	a := &Adjustment{Fetched: now.Fetched, Kept: now.Kept, Pages: fetched, Above: above, KeptNow: now.Kept - t.Last.Kept}
	t.Last = now
	// Intervals are as long as tasks let them be: count what a whole one would bring.
	scale := float64(tuneEvery) / float64(fetched)
	t.Past = append(t.Past, adapt.Interval{
		Fetched: int64(math.Round(float64(above) * scale)), Relevant: int64(math.Round(float64(a.KeptNow) * scale)),
	})
	return a
}

// Next sets the threshold of an adjustment by the intervals so far, from the one that
// held in them, and reports whether it is another.
func (t *Tuning) Next(threshold float64, a *Adjustment) bool {
	c := adapt.Default(threshold)
	c.Floor, c.Ceiling = t.Floor, t.Ceiling
	t.Past = t.Past[max(0, len(t.Past)-c.Window):]
	next, rule := c.Next(threshold, expectedAbove, t.Past)
	a.Threshold, a.Rule = next, string(rule)
	return next != threshold
}

// Note records an adjustment, of which it keeps so many.
func (t *Tuning) Note(a *Adjustment, most int) {
	for i := range t.Log { // the last words are those that count
		if a.Words != nil {
			t.Log[i].Words = nil
		}
	}
	t.Log = append(t.Log, *a)
	t.Log = t.Log[max(0, len(t.Log)-most):]
}

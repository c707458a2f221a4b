package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"sluice/shared/console"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/crawl/step"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/rank"
	"sluice/shared/rank/adapt"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// LearnedFile is the topic in a crawl's folder as the crawl has changed it.
const LearnedFile = "learned.topic"

const adjustmentsKey = "adjustments"

const (
	// tuneEvery is an interval, in pages fetched. Half of them should come from
	// above the line: S of METHOD B3.
	tuneEvery     = 100
	expectedAbove = tuneEvery / 2

	// Words are learned after so many pages, and again each time that the crawl has
	// fetched twice as many: that reads each page two or three times.
	learnFrom = 200

	maxAdjustments = 1000 // that are recorded, the last ones

	// overLambda is the least threshold as a multiple of λ (METHOD A11).
	overLambda = 1.01
)

var _ engine.Tuner = (*tuner)(nil)

// tuner changes thresholds and words of a crawl by what came in its intervals
// (METHOD B3, B4).
type tuner struct {
	crawl   *Crawl
	step    *step.Step
	params  *plan.Params
	plan    *step.Plan
	control adapt.Controller

	before int64 // documents of earlier runs
	last   engine.Progress
	next   int64 // pages after which words are learned
	past   []adapt.Interval
	log    []console.Adjustment
}

// newTuner returns the tuner of a crawl; nil if its strategy does not adapt. It
// takes up what the crawl has learned in earlier runs, which changes the plan.
func (c *Crawl) newTuner(ctx context.Context, planned *step.Plan) (*tuner, error) {
	file := c.spec.Topic.File
	if !rank.Adapts(file.Strategy) {
		return nil, nil
	}
	seeds, err := c.spec.seeds()
	if err != nil {
		return nil, err
	}
	t := &tuner{crawl: c, plan: planned, params: c.spec.params(seeds), before: c.totals.Verdicts[ledger.Kept], next: learnFrom}
	t.params.Contact = c.spec.Contact
	t.last.Fetched = c.totals.Fetched
	if err := readJSON(ctx, c.store, adjustmentsKey, &t.log); err != nil {
		return nil, err
	}
	t.bound(file)
	if len(t.log) == 0 {
		return t, nil
	}
	learned, err := topic.LoadAny(filepath.Join(c.spec.Dir, LearnedFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read what the crawl has learned: %w", err)
	default:
		learned.File.Budgets = file.Budgets
		t.params.Topic = learned
		t.bound(learned.File)
		t.next = 2 * max(c.totals.Fetched, learnFrom)
	}
	return t, t.set(t.log[len(t.log)-1].Threshold)
}

// bound sets the bounds of the threshold, which begins with that of a topic.
func (t *tuner) bound(file *topic.File) {
	t.control = adapt.Default(file.Thresholds.Priority)
	t.control.Floor = max(t.control.Floor, overLambda*file.Weights.Lambda)
}

// threshold is that of links as it is now.
func (t *tuner) threshold() float64 { return t.plan.PriorityThreshold }

// Tune implements engine.Tuner.
func (t *tuner) Tune(ctx context.Context, p engine.Progress) (line float64, changed bool, err error) {
	fetched := p.Fetched - t.last.Fetched
	if fetched < tuneEvery {
		return 0, false, nil
	}
	above := max(0, fetched-(p.Below-t.last.Below))
	a := console.Adjustment{Fetched: p.Fetched, Kept: t.before + p.Kept, Pages: fetched, Above: above, KeptNow: p.Kept - t.last.Kept}
	t.last = p
	// Intervals are as long as tasks let them be: count what a whole one would bring.
	scale := float64(tuneEvery) / float64(fetched)
	t.past = append(t.past, adapt.Interval{
		Fetched: int64(math.Round(float64(above) * scale)), Relevant: int64(math.Round(float64(a.KeptNow) * scale)),
	})
	threshold, rule := t.threshold(), adapt.Keep
	if p.Fetched >= t.next {
		t.next = 2 * p.Fetched
		if err := t.learn(ctx, &a); err != nil {
			return 0, false, err
		}
	}
	if a.Words != nil {
		threshold, t.past = t.params.Topic.File.Thresholds.Priority, nil
	} else if t.plan.Seed == 0 { // else the rounds are the order, and no line is
		threshold, rule = t.control.Next(threshold, expectedAbove, t.past)
	}
	if a.Words == nil && threshold == t.threshold() {
		return 0, false, nil
	}
	a.Threshold, a.Rule = threshold, string(rule)
	if err := t.set(threshold); err != nil {
		return 0, false, err
	}
	t.step.Adjust(t.plan)
	return t.plan.Strategy.Line(), true, t.record(ctx, a)
}

// learn learns words from the documents so far. A topic that was compiled stays as
// it is, and so does one for which nothing is found.
func (t *tuner) learn(ctx context.Context, a *console.Adjustment) error {
	c := t.crawl
	if topic.IsArtifact(c.spec.Source) {
		return nil
	}
	learned, refined, err := compile.Learn(ctx, c.spec.Source, c.spec.Topic, c.spec.Dir)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		c.spec.Log.InfoContext(ctx, "nothing is learned", "err", err)
		return nil
	case len(refined.Added) == 0:
		return nil
	}
	data, err := topic.Encode(learned)
	if err != nil {
		return fmt.Errorf("encode what the crawl has learned: %w", err)
	}
	if err := filecorpus.Write(filepath.Join(c.spec.Dir, LearnedFile), data); err != nil {
		return fmt.Errorf("keep what the crawl has learned: %w", err)
	}
	a.Words = secondlook.Words(refined.Added)
	a.Topic = plan.TopicVersion(learned)
	a.Description, a.Body = learned.File.Thresholds.Description, learned.File.Thresholds.Body
	t.params.Topic = learned
	t.bound(learned.File)
	return nil
}

// set makes the plan that a threshold and the words so far ask for.
func (t *tuner) set(threshold float64) error {
	at := t.params.Topic.File.Thresholds
	at.Priority = min(max(threshold, t.control.Floor), t.control.Ceiling)
	t.params.Thresholds = &at
	planned, err := t.params.Adjust(t.plan)
	if planned != nil && planned.Lexicon != t.params.Topic.Lexicon {
		var words *step.Plan
		if words, err = t.params.Plan(); err == nil {
			planned.Reader = words.Reader
			planned, err = t.params.Adjust(planned)
		}
	}
	if err != nil {
		return fmt.Errorf("plan with threshold %v: %w", threshold, err)
	}
	t.plan = planned
	return nil
}

// record keeps the adjustment for status and for the next run.
func (t *tuner) record(ctx context.Context, a console.Adjustment) error {
	for i := range t.log { // the last words are those that count
		if a.Words != nil {
			t.log[i].Words = nil
		}
	}
	t.log = append(t.log, a)
	t.log = t.log[max(0, len(t.log)-maxAdjustments):]
	return keepJSON(ctx, t.crawl.store, adjustmentsKey, t.log)
}

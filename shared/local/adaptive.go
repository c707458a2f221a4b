package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/crawl/step"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/rank"
	"sluice/shared/rank/adapt"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// LearnedFile is the topic in a crawl's folder as the crawl has changed it.
const LearnedFile = "learned.topic"

const adjustmentsKey = "adjustments"

const maxAdjustments = 1000 // that are recorded, the last ones

var _ engine.Tuner = (*tuner)(nil)

// tuner changes thresholds and words of a crawl by what came in its intervals
// (METHOD B3, B4).
type tuner struct {
	crawl  *Crawl
	step   *step.Step
	params *plan.Params
	plan   *step.Plan

	before int64 // documents of earlier runs
	so     job.Tuning
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
	t := &tuner{crawl: c, plan: planned, params: c.spec.params(seeds), before: c.totals.Verdicts[ledger.Kept]}
	t.so = *job.NewTuning(file.Thresholds.Priority, file.Weights.Lambda)
	t.params.Contact = c.spec.Contact
	t.so.Last = job.Progress{Fetched: c.totals.Fetched, Kept: t.before}
	if err := readJSON(ctx, c.store, adjustmentsKey, &t.so.Log); err != nil {
		return nil, err
	}
	if len(t.so.Log) == 0 {
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
		t.so.Due(max(c.totals.Fetched, t.so.Learn))
	}
	return t, t.set(t.so.Log[len(t.so.Log)-1].Threshold)
}

// threshold is that of links as it is now.
func (t *tuner) threshold() float64 { return t.plan.PriorityThreshold }

// Tune implements engine.Tuner.
func (t *tuner) Tune(ctx context.Context, p engine.Progress) (line float64, changed bool, err error) {
	a := t.so.End(job.Progress{Fetched: p.Fetched, Kept: t.before + p.Kept, Below: p.Below})
	if a == nil {
		return 0, false, nil
	}
	if t.so.Due(p.Fetched) {
		if err := t.learn(ctx, a); err != nil {
			return 0, false, err
		}
	}
	a.Threshold, a.Rule = t.threshold(), string(adapt.Keep)
	if a.Words != nil {
		a.Threshold, t.so.Past = t.params.Topic.File.Thresholds.Priority, nil
	} else if t.plan.Seed != 0 || !t.so.Next(t.threshold(), a) { // rounds are an order without a line
		return 0, false, nil
	}
	if err := t.set(a.Threshold); err != nil {
		return 0, false, err
	}
	t.step.Adjust(t.plan)
	t.so.Note(a, maxAdjustments)
	return t.plan.Strategy.Line(), true, keepJSON(ctx, t.crawl.store, adjustmentsKey, t.so.Log)
}

// learn learns words from the documents so far. A topic that was compiled stays as
// it is, and so does one for which nothing is found.
func (t *tuner) learn(ctx context.Context, a *job.Adjustment) error {
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
	return nil
}

// set makes the plan that a threshold and the words so far ask for.
func (t *tuner) set(threshold float64) error {
	at := t.params.Topic.File.Thresholds
	at.Priority = min(max(threshold, t.so.Floor), t.so.Ceiling)
	t.params.Thresholds = &at
	planned, err := t.params.Adjust(t.plan)
	if err != nil {
		return fmt.Errorf("plan with threshold %v: %w", threshold, err)
	}
	t.plan = planned
	return nil
}

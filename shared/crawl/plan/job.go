package plan

import (
	"sluice/shared/crawl/reading"
	"sluice/shared/rank"
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// Of returns the parameters of a stack's job.
func Of(j *job.Job, t *topic.Compiled) (*Params, error) {
	seeds, err := Seeds(j.Seeds, t)
	if err != nil {
		return nil, err
	}
	p := &Params{
		Topic: t.As(j.Strategy), Seeds: seeds,
		Scope: j.Scope, Limits: j.Limits, Delay: j.Delay, RandomSeed: j.RandomSeed, Archive: j.Archive, Contact: j.Contact, UserAgent: j.UserAgent, Revisits: j.Revisits, Forgotten: j.Forgotten, Hold: j.Holds,
	}
	if j.Thresholds != nil {
		thresholds := topic.Thresholds(*j.Thresholds)
		p.Thresholds = &thresholds
	}
	return p, nil
}

// ReaderOf returns how the pages of a stack's job are read.
func ReaderOf(j *job.Job, t *topic.Compiled) (*reading.Reader, error) {
	r, err := Reader(t.As(j.Strategy))
	if err == nil {
		hold(r, j.Holds, j.Archive)
	}
	return r, err
}

// Order sets the order of a crawl by its topic, and whether it adapts: neither if it goes
// in rounds; and whether it takes a second look.
func Order(j *job.Job, t *topic.Compiled) error {
	t = t.As(j.Strategy)
	threshold := t.File.Thresholds.Priority
	if j.Thresholds != nil {
		threshold = j.Thresholds.Priority
	}
	s, err := rank.New(t.File.Strategy, rank.Settings{Weights: t.File.Weights, Threshold: threshold, Tunnel: t.File.Tunnel})
	if err != nil {
		return err
	}
	if j.Order = job.OrderOf(s); j.RandomSeed != 0 {
		j.Order = nil // the rounds are the order
	}
	switch adapts := rank.Adapts(t.File.Strategy) && j.RandomSeed == 0; {
	case !adapts:
		j.Tuning = nil
	case j.Tuning == nil || j.Thresholds == nil:
		at := job.Thresholds(t.File.Thresholds)
		begun := job.NewTuning(at.Priority, t.File.Weights.Lambda)
		if j.Tuning != nil { // by another topic
			begun.Last, begun.Log = j.Tuning.Last, j.Tuning.Log
			begun.Due(max(begun.Last.Fetched, begun.Learn))
		}
		j.Thresholds, j.Tuning = &at, begun
	}
	j.Holds = j.RandomSeed == 0 && t.File.Template == "" && !rank.DropsWeak(t.File.Strategy)
	return nil
}

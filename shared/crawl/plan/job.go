package plan

import (
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
		Crawl: j.ID, Topic: t, Seeds: seeds,
		Scope: j.Scope, Limits: j.Limits, Delay: j.Delay, RandomSeed: j.RandomSeed, Contact: j.Contact, Forgotten: j.Forgotten,
	}
	if j.Thresholds != nil {
		thresholds := topic.Thresholds(*j.Thresholds)
		p.Thresholds = &thresholds
	}
	return p, nil
}

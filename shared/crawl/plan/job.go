package plan

import (
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// Of returns what a job of a stack wants.
func Of(j *job.Job, t *topic.Compiled) (*Want, error) {
	seeds, err := Seeds(j.Seeds, t)
	if err != nil {
		return nil, err
	}
	w := &Want{
		Crawl: j.ID, Topic: t, Seeds: seeds,
		MaxPages: j.MaxPages, MaxPagesPerHost: j.MaxPagesPerHost, MaxDepth: j.MaxDepth,
		Delay: j.Delay, RandomSeed: j.RandomSeed, Contact: j.Contact, Forgotten: j.Forgotten,
	}
	if j.Scope != nil {
		w.Scope = &topic.Scope{Mode: topic.ScopeMode(j.Scope.Mode), Allow: j.Scope.Allow, Deny: j.Scope.Deny}
	}
	return w, nil
}

package plan

import (
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// Of returns what a job of a stack wants.
func Of(j *job.Job, t *topic.Compiled) (*Params, error) {
	seeds, err := Seeds(j.Seeds, t)
	if err != nil {
		return nil, err
	}
	p := &Params{
		Crawl: j.ID, Topic: t, Seeds: seeds,
		MaxPages: j.MaxPages, MaxPagesPerHost: j.MaxPagesPerHost, MaxDepth: j.MaxDepth,
		Delay: j.Delay, RandomSeed: j.RandomSeed, Contact: j.Contact, Forgotten: j.Forgotten,
	}
	if j.Scope != nil {
		p.Scope = &topic.Scope{Mode: topic.ScopeMode(j.Scope.Mode), Allow: j.Scope.Allow, Deny: j.Scope.Deny}
	}
	return p, nil
}

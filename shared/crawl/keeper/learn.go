package keeper

import (
	"context"
	"fmt"

	"sluice/shared/state/job"
)

// Learner learns words from the pages of a crawl so far.
type Learner interface {
	// Learn returns the crawl's topic with the learned words, nil if it learned none.
	Learn(ctx context.Context, j *job.Job) (*job.Words, error)
}

// learn learns words if the interval that this look has ended asks for it. The interval is
// noted as over: a look that dies here leaves the crawl as it is, and words are learned
// when it has fetched twice as many pages.
func (l *look) learn(ctx context.Context) error {
	if l.due == nil {
		return nil
	}
	var words *job.Words
	if l.ports.Learner != nil {
		var err error
		if words, err = l.ports.Learner.Learn(ctx, l.job); err != nil {
			return fmt.Errorf("learn words: %w", err)
		}
	}
	_, err := l.ports.Jobs.Update(ctx, l.job.ID, func(j *job.Job) error {
		if j.State == job.Running && j.Tuning != nil && j.Topic == l.job.Topic {
			a := *l.due
			j.Adapt(&a, words)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note words: %w", err)
	}
	return nil
}

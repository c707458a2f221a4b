package local

import (
	"context"
	"encoding/json"
	"fmt"

	"sluice/shared/crawl/step"
	"sluice/shared/rank"
)

// experienceKey is the key of what the strategy has learned, for the next run. A
// run that was killed leaves that of the run before.
const experienceKey = "experience"

func (c *Crawl) keepExperience(ctx context.Context) error {
	l, ok := c.plan.Strategy.(rank.Learner)
	if !ok {
		return nil
	}
	return keepJSON(ctx, c.store, experienceKey, l.Experience())
}

func (c *Crawl) readExperience(ctx context.Context, planned *step.Plan) error {
	l, ok := planned.Strategy.(rank.Learner)
	if !ok {
		return nil
	}
	data, found, err := c.store.Meta(ctx, experienceKey)
	if err != nil {
		return fmt.Errorf("read experience: %w", err)
	}
	if found && data != "" {
		if err := json.Unmarshal([]byte(data), l.Experience()); err != nil {
			c.spec.Log.WarnContext(ctx, "what the crawl has learned is damaged: it begins anew", "err", err)
		}
	}
	return nil
}

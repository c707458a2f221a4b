package job

import (
	"context"
	"fmt"
	"time"
)

// Spend returns the cost of a crawl so far.
type Spend interface {
	Dollars(ctx context.Context, crawl string) (float64, error)
}

// Overspent returns the reason to end the crawl if its time or its money is
// used up, and "" while it has both.
func (j *Job) Overspent(ctx context.Context, now time.Time, spend Spend) (reason string, err error) {
	if !j.Deadline.IsZero() && !now.Before(j.Deadline) {
		return ReasonMaxDuration, nil
	}
	if j.MaxCost <= 0 {
		return "", nil
	}
	dollars, err := spend.Dollars(ctx, j.ID)
	if err != nil {
		return "", fmt.Errorf("read spend of %s: %w", j.ID, err)
	}
	if dollars >= j.MaxCost {
		return ReasonMaxCost, nil
	}
	return "", nil
}

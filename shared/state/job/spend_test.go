package job_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"sluice/shared/state/job"
)

// bill is what a crawl has cost, or below 0 an error.
type bill float64

func (b bill) Dollars(context.Context, string) (float64, error) {
	if b < 0 {
		return 0, errors.New("no bill")
	}
	return float64(b), nil
}

func TestOverspent(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name     string
		deadline time.Time
		maxCost  float64
		bill     bill
		want     string
		err      bool
	}{
		{name: "no budgets", bill: -1},
		{name: "before the deadline", deadline: now.Add(1)},
		{name: "at the deadline", deadline: now, maxCost: 1, bill: -1, want: job.ReasonMaxDuration},
		{name: "below the cost", maxCost: 1, bill: 0.99},
		{name: "at the cost", maxCost: 1, bill: 1, want: job.ReasonMaxCost},
		{name: "no bill", maxCost: 1, bill: -1, err: true},
	} {
		j := &job.Job{ID: "c", Deadline: test.deadline, MaxCost: test.maxCost}
		got, err := j.Overspent(t.Context(), now, test.bill)
		if got != test.want || (err != nil) != test.err {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

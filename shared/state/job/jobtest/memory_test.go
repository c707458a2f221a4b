package jobtest_test

import (
	"testing"
	"time"

	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
)

func TestMemory(t *testing.T) {
	jobtest.Run(t, func(*testing.T) job.Registry { return jobtest.NewMemory(func() time.Time { return time.Now().UTC() }) })
}

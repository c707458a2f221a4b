package dynamocrawls_test

import (
	"testing"

	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
)

func TestCoverages(t *testing.T) {
	jobtest.RunCoverages(t, func(t *testing.T) jobtest.Coverages {
		client, table := newTable(t)
		again := func() job.Coverages { return dynamocrawls.NewCoverages(client, table) }
		return jobtest.Coverages{Coverages: again(), Again: again}
	})
}

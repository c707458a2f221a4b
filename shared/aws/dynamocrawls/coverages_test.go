package dynamocrawls_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

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

// What changes no sample is not written, and what is stored stays small.
func TestCoverageWrites(t *testing.T) {
	client, table := newTable(t)
	f := &faulty{Client: client}
	c := dynamocrawls.NewCoverages(f, table)
	rng := rand.New(rand.NewPCG(1, 2))
	write := func(documents int) (writes int) {
		var part job.Coverage
		for range documents {
			part = part.With(job.CoverageOf(rng.Uint64(), nil))
		}
		before := len(f.sent)
		for range 2 {
			if err := c.Cover(t.Context(), "c", part); err != nil {
				t.Fatal(err)
			}
		}
		return len(f.sent) - before
	}
	if n := write(3); n != 1 {
		t.Errorf("%d writes for three documents, twice", n)
	}
	for range 30 {
		if n := write(500); n > 2 {
			t.Errorf("%d writes", n)
		}
	}
	few := 0
	for range 100 {
		few += write(1)
	}
	if few > 15 {
		t.Errorf("%d of 100 documents after 15,000 are written", few)
	}
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
		"p": &types.AttributeValueMemberS{Value: "coverage"}, "s": &types.AttributeValueMemberS{Value: "c"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if set, _ := out.Item["d"].(*types.AttributeValueMemberNS); set == nil || len(set.Value) > 2*job.SampleSize {
		t.Errorf("the item is %+v", out.Item)
	}
}

// Visits that end together share a write, and each returns when its own part is stored.
func TestCoverageOfManyCalls(t *testing.T) {
	client, table := newTable(t)
	f := &faulty{Client: client}
	c := dynamocrawls.NewCoverages(f, table)
	const calls = 20
	rng := rand.New(rand.NewPCG(3, 4))
	var all job.Coverage
	var g errgroup.Group
	for range calls {
		part := job.CoverageOf(rng.Uint64(), nil)
		all = all.With(part)
		g.Go(func() error {
			if err := c.Cover(t.Context(), "c", part); err != nil {
				return err
			}
			stored, err := dynamocrawls.NewCoverages(client, table).Covered(t.Context(), "c")
			if err == nil && len(stored.With(part).Documents) != len(stored.Documents) {
				err = errors.New("a call has returned before its part is stored")
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	stored, err := c.Covered(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, stored); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.sent) > calls/2 {
		t.Errorf("%d writes for %d calls", len(f.sent), calls)
	}
}

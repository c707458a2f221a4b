package dynamocrawls_test

import (
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

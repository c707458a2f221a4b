package dynamoledger

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/ledger"
)

// patient is a client that records whether reads were consistent.
type patient struct {
	Client
	latest bool
}

func (c *patient) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for _, asked := range in.RequestItems {
		c.latest = *asked.ConsistentRead
	}
	return c.Client.BatchGetItem(ctx, in, opts...)
}

// Ends sees what the ledger has, at half the price.
func TestEnds(t *testing.T) {
	c := newClock()
	s := open(t, c)
	p := &patient{Client: s.client}
	s.client = p
	urls, ends := threeEnds(&keptEntry)
	refused, err := s.Ledger().Complete(t.Context(), "c", ends[:2])
	if err = errors.Join(append(refused, err)...); err != nil {
		t.Fatal(err)
	}
	entries := func(read func(context.Context, string, []string) ([]*ledger.Entry, error), latest bool) []*ledger.Entry {
		t.Helper()
		got, err := read(t.Context(), "c", urls)
		if err != nil || p.latest != latest {
			t.Fatalf("error %v, latest %v, want %v", err, p.latest, latest)
		}
		return got
	}
	want := entries(s.Ledger().Entries, true)
	if want[1] == nil || want[2] != nil {
		t.Fatalf("entries %v", want)
	}
	if diff := cmp.Diff(want, entries(s.Ends().Entries, false)); diff != "" {
		t.Errorf("entries (-latest +ends):\n%s", diff)
	}
}

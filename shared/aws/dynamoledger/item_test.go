package dynamoledger

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/bubble"
	"sluice/shared/fault"
)

// pages answers reads as DynamoDB may and an emulator does not.
type pages struct {
	Client
	batch func(keys []item) (found, left []item)
	query func(*dynamodb.QueryInput) *dynamodb.QueryOutput
	asked int
}

func (c *pages) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	c.asked++
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]item{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}}
	for table, ask := range in.RequestItems {
		found, left := c.batch(ask.Keys)
		out.Responses[table] = found
		if len(left) > 0 {
			out.UnprocessedKeys[table] = types.KeysAndAttributes{Keys: left}
		}
	}
	return out, nil
}

func (c *pages) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.asked++
	return c.query(in), nil
}

// TestGetLargeItems checks that any number of answers cut at 16 MB is not
// throttling, and that a table that serves nothing is.
func TestGetLargeItems(t *testing.T) {
	var keys []item
	for i := range 500 {
		keys = append(keys, item{"k": attr.Text(fmt.Sprint(i))})
	}
	for _, tt := range []struct {
		name  string
		serve int
		want  int
	}{
		{"large items", 20, 500},
		{"throttled table", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				s := New(&pages{batch: func(keys []item) (found, left []item) {
					n := min(tt.serve, len(keys))
					return keys[:n], keys[n:]
				}}, Options{})
				got, err := s.get(t.Context(), "urls", keys, "k")
				if len(got) != tt.want || (err == nil) != (tt.want > 0) {
					t.Errorf("%d items, %v, want %d", len(got), err, tt.want)
				}
				if err != nil && fault.Of(err).Class != fault.Retryable {
					t.Errorf("class of %v is %v", err, fault.Of(err).Class)
				}
			})
		})
	}
}

// TestSampleOfEarlyRound holds that a draw from a round of few pages, in the
// midst of many of later ones, takes few requests.
func TestSampleOfEarlyRound(t *testing.T) {
	const size = 10_000 // pages of the history, one in a thousand of round 0
	c := &pages{}
	c.query = func(in *dynamodb.QueryInput) *dynamodb.QueryOutput {
		from := int(attr.NumberOf(in.ExclusiveStartKey["at"]))
		to := min(size, from+int(*in.Limit))
		if attr.TextOf(in.ExpressionAttributeValues[":end"]) != hex16(math.MaxUint64) {
			return &dynamodb.QueryOutput{} // all pages are after the start
		}
		out := &dynamodb.QueryOutput{}
		for i := from; i < to; i++ {
			if i%1000 == 0 {
				out.Items = append(out.Items, item{"u": attr.Text(fmt.Sprint(i))})
			}
		}
		if to < size {
			out.LastEvaluatedKey = item{"at": attr.Number(int64(to))}
		}
		return out
	}
	got, err := New(c, Options{}).Ledger().Sample(t.Context(), "c", 1, 50, rand.New(rand.NewPCG(1, 1)))
	if err != nil || len(got) != size/1000 {
		t.Errorf("%d pages, %v, want %d", len(got), err, size/1000)
	}
	if c.asked > 15 {
		t.Errorf("%d requests, want 11 or so", c.asked)
	}
}

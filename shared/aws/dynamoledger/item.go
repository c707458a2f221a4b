package dynamoledger

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is an item, a part of one, or the values of an expression.
type item = map[string]types.AttributeValue

func nested(m item) types.AttributeValue { return &types.AttributeValueMemberM{Value: m} }

// Most items one request may name.
const (
	maxGets   = 100
	maxWrites = 25
)

// get reads items of a table, all earlier writes seen, in no order; absent ones
// are left out. The keys must differ.
func (s *Store) get(ctx context.Context, table string, keys []item, projection string) ([]item, error) {
	return s.getAs(ctx, table, keys, projection, true)
}

// getAs reads items, for half the units if the latest writes need not be seen.
func (s *Store) getAs(ctx context.Context, table string, keys []item, projection string, latest bool) ([]item, error) {
	var out []item
	for try := 0; len(keys) > 0; {
		n := min(len(keys), maxGets)
		ask := types.KeysAndAttributes{Keys: keys[:n], ConsistentRead: &latest, ProjectionExpression: &projection}
		res, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{table: ask},
		})
		if err != nil {
			return nil, err
		}
		out = append(out, res.Responses[table]...)
		keys = keys[n:]
		left := res.UnprocessedKeys[table].Keys
		if len(left) == 0 {
			try = 0
			continue
		}
		if len(left) < n {
			try = 0 // the answer was full: it has 16 MB at most
		}
		if keys = append(left[:len(left):len(left)], keys...); try == maxTries {
			return nil, throttled("keys are unprocessed")
		}
		if err := rest(ctx, try); err != nil {
			return nil, err
		}
		try++
	}
	return out, nil
}

// write puts and deletes items of a table. The keys must differ. After an error
// some may be written and some not.
func (s *Store) write(ctx context.Context, table string, writes []types.WriteRequest) error {
	if len(writes) == 0 {
		return nil
	}
	chunks := (len(writes) + maxWrites - 1) / maxWrites
	return each(ctx, chunks, func(ctx context.Context, i int) error {
		return s.writeChunk(ctx, table, writes[i*maxWrites:min((i+1)*maxWrites, len(writes))])
	})
}

func (s *Store) writeChunk(ctx context.Context, table string, writes []types.WriteRequest) error {
	for try := 0; ; try++ {
		res, err := s.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{table: writes},
		})
		if err != nil {
			return err
		}
		if writes = res.UnprocessedItems[table]; len(writes) == 0 {
			return nil
		}
		if try == maxTries {
			return throttled("items are unprocessed")
		}
		if err := rest(ctx, try); err != nil {
			return err
		}
	}
}

// leastFiltered is how many items a filtered query reads in a request at least,
// so that a selective filter does not need many requests.
const leastFiltered = 1000

// query visits up to limit items of a query (0: all) until visit returns false.
func (s *Store) query(ctx context.Context, q dynamodb.QueryInput, limit int, visit func(item) bool) error {
	least := 1
	if q.FilterExpression != nil {
		least = leastFiltered
	}
	for {
		if limit > 0 {
			q.Limit = ptr(int32(min(max(limit, least), 1<<20))) //nolint:gosec // bounded
		}
		page, err := s.client.Query(ctx, &q)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			if !visit(it) {
				return nil
			}
			if limit--; limit == 0 {
				return nil
			}
		}
		if len(page.LastEvaluatedKey) == 0 {
			return nil
		}
		q.ExclusiveStartKey = page.LastEvaluatedKey
		if limit <= 0 && q.Limit != nil { // the caller's first guess was too low
			q.Limit = ptr(min(2**q.Limit, leastFiltered))
		}
	}
}

func ptr[T any](v T) *T { return &v }

func deletion(key item) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}

func putting(it item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: it}}
}

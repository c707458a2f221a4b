package dynamoledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

// addJournals adds the ends written under the journals of a crawl to totals
// that were read before, and settles expired journals.
func (s *Store) addJournals(ctx context.Context, crawl string, all sums) error {
	var found []item
	err := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.opts.Crawls, ConsistentRead: ptr(true),
		KeyConditionExpression:    ptr("p = :p"),
		ExpressionAttributeValues: item{":p": attr.Text(journalPartition(crawl))},
	}, 0, func(it item) bool {
		found = append(found, it)
		return true
	})
	if err != nil {
		return err
	}
	now := s.opts.Now().UnixMilli() // before reading the ends: none is written after
	added, err := s.written(ctx, crawl, found)
	if err != nil {
		return err
	}
	for _, it := range found {
		id := attr.TextOf(it["s"])
		for name, n := range added[id] {
			all[name] += n
		}
		if attr.NumberOf(it["x"]) <= now {
			// The answer is complete without it, and the next reader tries again.
			_ = s.apply(ctx, journal{crawl, id}, added[id])
		}
	}
	return nil
}

// applyAll applies the journals of ends. It fails if one has not expired.
func (s *Store) applyAll(ctx context.Context, crawl string, ends []*ending) error {
	var keys []item
	seen := map[string]bool{}
	for _, e := range ends {
		for _, id := range e.journals {
			if !seen[id] {
				keys = append(keys, journal{crawl, id}.key())
			}
			seen[id] = true
		}
	}
	open, err := s.get(ctx, s.opts.Crawls, keys, "s, k, x")
	if err != nil {
		return err
	}
	now := s.opts.Now().UnixMilli()
	for _, it := range open {
		if until := attr.NumberOf(it["x"]); it["k"] != nil && until > now {
			until := time.UnixMilli(until).UTC().Format(time.RFC3339)
			return fault.New(fault.Retryable, awsfault.RuleUnavailable, fmt.Errorf("ends may still be written until %s", until))
		}
	}
	added, err := s.written(ctx, crawl, open)
	if err != nil {
		return err
	}
	for _, it := range open {
		id := attr.TextOf(it["s"])
		if err := s.apply(ctx, journal{crawl, id}, added[id]); err != nil {
			return err
		}
	}
	return nil
}

// written sums up, for each journal, the ends that were written under it and
// are not in the totals.
func (s *Store) written(ctx context.Context, crawl string, journals []item) (map[string]sums, error) {
	added := map[string]sums{}
	listed := map[string]bool{} // by several journals if ends were retried
	var keys []item
	for _, it := range journals {
		if it["k"] == nil {
			continue // settled: the totals have its ends
		}
		added[attr.TextOf(it["s"])] = sums{}
		for hash := range slices.Chunk(attr.BlobOf(it["k"]), lenHash) {
			k := hashKey(crawl, hash)
			if !listed[k] {
				keys = append(keys, item{"k": attr.Text(k)})
			}
			listed[k] = true
		}
	}
	ends, err := s.get(ctx, s.opts.Urls, keys, "k, j, e")
	if err != nil {
		return nil, err
	}
	for _, it := range ends {
		by := added[attr.TextOf(it["j"])]
		if by == nil {
			continue
		}
		e, err := s.codec.unpackEntry(attr.BlobOf(it["e"]))
		if err != nil {
			return nil, permanent("decode entry of "+attr.TextOf(it["k"]), err)
		}
		by.add(e)
	}
	return added, nil
}

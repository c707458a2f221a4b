package dynamoledger

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

// addJournals adds what was written under the journals of a crawl to totals that
// were read before, and settles those whose time has passed.
func (s *Store) addJournals(ctx context.Context, crawl string, all sums) error {
	var found []item
	err := s.query(ctx, dynamodb.QueryInput{
		TableName: &s.opts.Crawls, ConsistentRead: ptr(true),
		KeyConditionExpression:    ptr("p = :p"),
		ExpressionAttributeValues: item{":p": str(journalPartition(crawl))},
	}, 0, func(it item) bool {
		found = append(found, it)
		return true
	})
	if err != nil {
		return err
	}
	now := s.opts.Now().UnixMilli() // before the ends are read: none is written after
	for _, it := range found {
		j := journal{crawl, text(it, "s")}
		added, err := s.written(ctx, j, blob(it, "k"))
		if err != nil {
			return err
		}
		for name, n := range added {
			all[name] += n
		}
		if number(it, "x") <= now {
			// The answer is complete without it, and the next reader tries again.
			_ = s.settle(ctx, j, added)
		}
	}
	return nil
}

// settleAll settles the journals that ends were written under. It fails where
// the time of one has not passed.
func (s *Store) settleAll(ctx context.Context, crawl string, ends []*ending) error {
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
		j, hashes := journal{crawl, text(it, "s")}, blob(it, "k")
		if hashes == nil {
			continue
		}
		if until := number(it, "x"); until > now {
			until := time.UnixMilli(until).UTC().Format(time.RFC3339)
			return fault.New(fault.Retryable, awsfault.RuleUnavailable, fmt.Errorf("ends may be under way until %s", until))
		}
		added, err := s.written(ctx, j, hashes)
		if err != nil {
			return err
		}
		if err := s.settle(ctx, j, added); err != nil {
			return err
		}
	}
	return nil
}

// written sums up the ends, of those that a journal lists, that were written
// under it.
func (s *Store) written(ctx context.Context, j journal, hashes []byte) (sums, error) {
	var keys []item
	for ; len(hashes) >= lenHash; hashes = hashes[lenHash:] {
		keys = append(keys, item{"k": str(hashKey(j.crawl, hashes[:lenHash]))})
	}
	ends, err := s.get(ctx, s.opts.Urls, keys, "k, j, e")
	if err != nil {
		return nil, err
	}
	added := sums{}
	for _, it := range ends {
		if text(it, "j") != j.id {
			continue
		}
		e, err := s.codec.unpackEntry(blob(it, "e"))
		if err != nil {
			return nil, permanent("decode entry of "+text(it, "k"), err)
		}
		added.add(e)
	}
	return added, nil
}

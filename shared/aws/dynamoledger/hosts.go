package dynamoledger

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// A host row has the rule that closed the host, c, and its tasks in progress,
// q. It has q from the start, since DynamoDB cannot set an element of a missing
// map.

// addHosts creates missing rows for the hosts of links before the items of
// their links: without a row the links would not be found.
func (s *Store) addHosts(ctx context.Context, crawl string, links []*waiting) error {
	var unknown []string
	seen := map[string]bool{}
	for _, w := range links {
		if !seen[w.host] && !s.hosts.Has(crawl+"#"+w.host) {
			unknown = append(unknown, w.host)
		}
		seen[w.host] = true
	}
	return each(ctx, len(unknown), func(ctx context.Context, i int) error {
		if s.strangers.Forget(crawl + "#" + unknown[i]) {
			return s.addHost(ctx, crawl, unknown[i])
		}
		// The read may miss a new row, which is then created again.
		res, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: &s.opts.Hosts, Key: hostKey(crawl, unknown[i]), ProjectionExpression: ptr("s"),
		})
		if err != nil {
			return err
		}
		if res.Item == nil {
			return s.addHost(ctx, crawl, unknown[i])
		}
		s.hosts.Put(crawl+"#"+unknown[i], struct{}{})
		return nil
	})
}

func (s *Store) addHost(ctx context.Context, crawl, host string) error {
	_, err := s.updateHost(ctx, crawl, host, &dynamodb.UpdateItemInput{
		UpdateExpression:          ptr("SET q = if_not_exists(q, :none)"),
		ExpressionAttributeValues: item{":none": nested(item{})},
	})
	if err == nil {
		s.hosts.Put(crawl+"#"+host, struct{}{})
	}
	return err
}

// makeHost creates the row of a host with tasks in progress, and returns it, nil if there
// was one.
func (s *Store) makeHost(ctx context.Context, crawl, host string, tasks item) (row item, err error) {
	row, err = s.updateHost(ctx, crawl, host, &dynamodb.UpdateItemInput{
		UpdateExpression: ptr("SET q = :tasks"), ConditionExpression: ptr("attribute_not_exists(q)"),
		ExpressionAttributeValues: item{":tasks": nested(tasks)},
	})
	if _, there := errors.AsType[*types.ConditionalCheckFailedException](err); there {
		return nil, nil
	}
	if err == nil {
		s.hosts.Put(crawl+"#"+host, struct{}{})
	}
	return row, err
}

// updateHost changes the row of a host, and returns it as it is then, or as the condition
// found it. That costs nothing more, and misses no earlier write.
func (s *Store) updateHost(ctx context.Context, crawl, host string, in *dynamodb.UpdateItemInput) (row item, err error) {
	in.TableName, in.Key = &s.opts.Hosts, hostKey(crawl, host)
	in.ReturnValues = types.ReturnValueAllNew
	in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	out, err := s.client.UpdateItem(ctx, in)
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return failed.Item, err
	}
	if err != nil {
		return nil, err
	}
	return out.Attributes, nil
}

// hostRows visits the host rows of a crawl, all earlier writes seen.
func (s *Store) hostRows(ctx context.Context, crawl, projection string, visit func(item)) error {
	rows := make([][]item, hostShards)
	err := each(ctx, hostShards, func(ctx context.Context, i int) error {
		q := dynamodb.QueryInput{
			TableName: &s.opts.Hosts, ConsistentRead: ptr(true),
			KeyConditionExpression:    ptr("p = :p"),
			ProjectionExpression:      &projection,
			ExpressionAttributeValues: item{":p": attr.Text(hostPartition(crawl, i))},
		}
		return s.query(ctx, q, 0, func(it item) bool {
			rows[i] = append(rows[i], it)
			return true
		})
	})
	if err != nil {
		return err
	}
	for _, shard := range rows {
		for _, it := range shard {
			visit(it)
		}
	}
	return nil
}

// Close implements frontier.Backlog.
func (b *Backlog) Close(ctx context.Context, crawl, host, rule string) error {
	b.s.listing.drop()
	defer b.s.open.Forget(backlogPartition(crawl, host))
	_, err := b.s.updateHost(ctx, crawl, host, &dynamodb.UpdateItemInput{
		UpdateExpression:          ptr("SET c = if_not_exists(c, :rule), q = if_not_exists(q, :none)"),
		ExpressionAttributeValues: item{":rule": attr.Text(rule), ":none": nested(item{})},
	})
	if err != nil {
		return wrap("close host "+host, err)
	}
	return nil
}

// Closed returns the hosts of a crawl that a rule closed, with the number of their links
// that wait, up to 1,000.
func (b *Backlog) Closed(ctx context.Context, crawl, rule string) ([]frontier.HostDepth, error) {
	closed, err := b.depths(ctx, crawl, 0, func(row item) bool { return attr.TextOf(row["c"]) == rule })
	if err != nil {
		return nil, wrap("list closed hosts of "+crawl, err)
	}
	slices.SortFunc(closed, func(a, b frontier.HostDepth) int { return cmp.Compare(a.Host, b.Host) })
	return closed, nil
}

// Reopen opens a host that a rule closed. The state of the host is not changed: if that has
// used up its failures, the next task closes it again.
func (b *Backlog) Reopen(ctx context.Context, crawl, host, rule string) error {
	b.s.listing.drop()
	defer b.s.open.Forget(backlogPartition(crawl, host))
	_, err := b.s.updateHost(ctx, crawl, host, &dynamodb.UpdateItemInput{
		UpdateExpression: ptr("REMOVE c"), ConditionExpression: ptr("c = :rule"),
		ExpressionAttributeValues: item{":rule": attr.Text(rule)},
	})
	if _, open := errors.AsType[*types.ConditionalCheckFailedException](err); err != nil && !open {
		return wrap("open host "+host+" again", err)
	}
	return nil
}

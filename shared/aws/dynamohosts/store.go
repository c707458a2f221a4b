// Package dynamohosts keeps host leases and robots.txt rules in one DynamoDB
// table:
//
//	p               s   attributes
//	lease#HOST      -   o: owner, u: end of its lease, n: next fetch,
//	                    c: crawl → state, r: authority → rules
//	robots#HASH     -   a: authority, d: rules
//
// Both have a ttl. Times are microseconds since 1970 by the caller's clock, ttl
// is in seconds. A host task costs two writes, one to acquire its host and one
// to release it, and no read: rules ride with the lease, unless they are large.
package dynamohosts

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/memo"
	"sluice/shared/web/hosts"
)

// Client is the subset of *dynamodb.Client that the package uses.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// Options are optional settings of a Store.
type Options struct {
	Now func() time.Time // nil for time.Now; leases of several processes need clocks that agree
}

// Store implements hosts.Leases and hosts.RobotsCache.
type Store struct {
	client Client
	table  string
	now    func() time.Time
	visits visits
	rules  *memo.Memo[string, known]
}

var (
	_ hosts.Leases      = (*Store)(nil)
	_ hosts.RobotsCache = (*Store)(nil)
)

// New returns the store in the Hosts table of a stack.
func New(client Client, table string, opts Options) *Store {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Store{client: client, table: table, now: opts.Now, visits: visits{of: map[string]*visit{}}, rules: memo.Weighed[string](rulesBytes, known.weight)}
}

// item is a DynamoDB item or a part of one.
type item = map[string]types.AttributeValue

// key is the full key of an item; this package does not use the sort key.
func key(p string) item { return item{"p": attr.Text(p), "s": attr.Text("-")} }

func leaseKey(host string) item { return key("lease#" + host) }

// timeOf returns a time in microseconds, the zero time for any other attribute.
func timeOf(v types.AttributeValue) time.Time {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok {
		return time.Time{}
	}
	micros, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

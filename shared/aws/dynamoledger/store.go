// Package dynamoledger keeps the state of crawls in DynamoDB: URLs, waiting
// links, hosts and their tasks in progress.
//
// A crawl pays mostly for write units, so the layout saves writes: a URL has
// one item from its first link to its end, and with the attributes of a sparse
// index it is also the history. A link costs one unit to add, and a share
// of one to add and to remove its pack; a page costs one to complete. A batch of pages
// costs six more for the transaction that keeps the totals exact.
//
// It has four on-demand tables. Each item has its crawl in its key:
//
//	Urls     k                one URL: state, place in the backlog, entry
//	Backlog  p, s             a pack of waiting links; s is the place of the best
//	Hosts    p=host#…, s      one host: closed or not, tasks under way
//	Crawls   p=totals#…, s    sums over the entries, in eight shards
//	Crawls   p=journal#…, s   a batch of pages on its way into the sums
package dynamoledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/memo"
)

// Client is what the store uses of *dynamodb.Client.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

var _ Client = (*dynamodb.Client)(nil)

// Options name the four tables, which are required, and the clock.
type Options struct {
	Urls, Backlog, Hosts, Crawls string

	// StaleAfter is how long after its Due a task counts as in progress. After
	// that its message or its worker is lost: it is longer than redeliveries
	// take, six visibility timeouts. 0 means an hour.
	StaleAfter time.Duration

	Now func() time.Time // nil means time.Now
}

// Sizes of caches that save requests. Correctness does not depend on them.
const (
	knownURLs   = 1 << 16
	knownHosts  = 1 << 14
	knownPlaces = 1 << 14
	knownCrawls = 1 << 10
)

// Store is the state of all crawls of a stack. It is safe for concurrent use.
type Store struct {
	client Client
	opts   Options
	codec  *codec

	queued    *memo.Memo[string, struct{}]  // keys of URLs that are not absent
	looked    *memo.Memo[string, ranked]    // ranks of URLs whose state was looked up, by their keys
	hosts     *memo.Memo[string, struct{}]  // hosts that have a row
	strangers *memo.Memo[string, struct{}]  // hosts seen without a row
	spots     *memo.Memo[string, []spot]    // of links that Best has read, by the keys of their URLs
	open      *memo.Memo[string, time.Time] // hosts, by when they were seen not to be closed
	relevant  *memo.Memo[string, int64]     // pages of the history of a crawl, when its totals were read last
	pools     *memo.Memo[string, []string]  // of URLs that samples of a crawl are drawn from
	poolReads singleflight.Group
	listing   listing
	commits   commits
}

// New returns the store in the tables of opts.
func New(client Client, opts Options) *Store {
	opts.StaleAfter = cmp.Or(opts.StaleAfter, time.Hour)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Store{
		client: client, opts: opts, codec: newCodec(),
		queued:    memo.New[string, struct{}](knownURLs),
		looked:    memo.New[string, ranked](knownURLs),
		hosts:     memo.New[string, struct{}](knownHosts),
		strangers: memo.New[string, struct{}](knownHosts),
		spots:     memo.New[string, []spot](knownPlaces),
		open:      memo.New[string, time.Time](knownHosts),
		relevant:  memo.New[string, int64](knownCrawls),
		pools:     memo.New[string, []string](knownCrawls),
	}
}

// Retries of what DynamoDB leaves undone without an error that the SDK would
// retry: ten in about six seconds.
const (
	maxTries   = 10
	firstPause = 25 * time.Millisecond
	longPause  = 2 * time.Second
)

// rest waits before the next try, counted from 0. The wait doubles each time,
// and half of it is random, so that callers that collided once do not collide
// again.
func rest(ctx context.Context, try int) error {
	return fault.Pause(ctx, fault.Backoff(firstPause, longPause, try))
}

// parallelism limits the concurrent requests of a call.
const parallelism = 16

// each calls f for 0 to n-1 concurrently, until one fails.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelism)
	for i := range n {
		g.Go(func() error { return f(ctx, i) })
	}
	return g.Wait()
}

// throttled is the error of work still undone after the last try.
func throttled(what string) error {
	return fault.New(fault.Retryable, awsfault.RuleThrottled, fmt.Errorf("%s after %d tries", what, maxTries))
}

// permanent classifies an error that would recur.
func permanent(what string, err error) error {
	return fault.New(fault.Permanent, "store", fmt.Errorf("%s: %w", what, err))
}

// wrap classifies err, unless that is done, and says what failed.
func wrap(verb string, err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return fmt.Errorf("%s: %w", verb, err)
	}
	return awsfault.Wrap(verb, err)
}

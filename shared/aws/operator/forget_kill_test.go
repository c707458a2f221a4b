package operator

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/dynamoledger"
	"sluice/shared/aws/s3corpus"
	"sluice/shared/aws/stack"
	"sluice/shared/state/forget"
	"sluice/shared/state/ledger"
)

// fuse passes so many writes, then fails.
type fuse struct{ left atomic.Int64 }

var errBlown = errors.New("killed")

func (f *fuse) write() error {
	if f.left.Add(-1) < 0 {
		return errBlown
	}
	return nil
}

// tables are DynamoDB behind a fuse, bucket is S3.
type (
	tables struct {
		*dynamodb.Client
		*fuse
	}
	bucket struct {
		*s3.Client
		*fuse
	}
)

func (c tables) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := c.write(); err != nil {
		return nil, err
	}
	return c.Client.UpdateItem(ctx, in, opts...)
}

func (c tables) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := c.write(); err != nil {
		return nil, err
	}
	return c.Client.BatchWriteItem(ctx, in, opts...)
}

func (c tables) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if err := c.write(); err != nil {
		return nil, err
	}
	return c.Client.TransactWriteItems(ctx, in, opts...)
}

func (c bucket) PutObject(ctx context.Context, in *s3.PutObjectInput, opts ...func(*s3.Options)) (*s3.PutObjectOutput, error) {
	if err := c.write(); err != nil {
		return nil, err
	}
	return c.Client.PutObject(ctx, in, opts...)
}

// fused returns an operator of the stack that fails after so many writes.
func (s *testStack) fused(t *testing.T, writes int64) *Operator {
	t.Helper()
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := new(fuse)
	f.left.Store(writes)
	parts, r := *s.parts, s.parts.Resources
	parts.Store = dynamoledger.New(tables{dynamodb.NewFromConfig(cfg), f}, dynamoledger.Options{
		Urls: r.URLsTable, Backlog: r.BacklogTable, Hosts: r.HostsTable, Crawls: r.CrawlsTable,
	})
	parts.Objects = s3corpus.NewObjects(bucket{stack.S3(cfg), f}, r.Bucket)
	return &Operator{parts: &parts, now: time.Now}
}

// Killed after any write and called again, Forget ends with the same result.
func TestForgetKilled(t *testing.T) {
	targets, err := forget.ParseAll([]string{"http://b.test/short", "*.w.test"})
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	var want []forget.Done // what goes, found by the first call or counted by both
	for done := false; !done; kills++ {
		s := newSecrets(t)
		_, err := s.fused(t, int64(kills)).Forget(t.Context(), nil, targets, forget.Options{})
		switch {
		case err == nil:
			done = true
		case !errors.Is(err, errBlown):
			t.Fatal(err)
		}
		again, err := s.Forget(t.Context(), nil, targets, forget.Options{})
		if err != nil {
			t.Fatalf("after %d writes: %v", kills, err)
		}
		if want == nil {
			want = again.Crawls[0].Targets
		}
		if diff := cmp.Diff(want, again.Crawls[0].Targets); diff != "" && !done {
			t.Errorf("after %d writes the log says (-want +got):\n%s", kills, diff)
		}
		s.checkSecrets(t, "/gone", "/short", "/next", "secret anchor")
		totals, err := s.parts.Store.Ledger().Totals(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		verdicts := map[ledger.Verdict]int64{ledger.Kept: 2, ledger.Rejected: 1, ledger.Redirected: 0, ledger.Forgotten: 3}
		if diff := cmp.Diff(verdicts, totals.Verdicts); diff != "" {
			t.Errorf("after %d writes (-want +got):\n%s", kills, diff)
		}
		links, err := s.parts.Store.Backlog().Waits(t.Context(), "c", "w.test")
		if err != nil || len(links) > 0 {
			t.Errorf("after %d writes %v wait, error %v", kills, links, err)
		}
		j, err := s.parts.Jobs.Get(t.Context(), "c")
		if err != nil || j.Forgotten.Len() != 4 {
			t.Errorf("after %d writes the crawl refuses %d places, error %v", kills, j.Forgotten.Len(), err)
		}
	}
	if kills < 6 {
		t.Errorf("there were %d writes to be killed after", kills)
	}
}

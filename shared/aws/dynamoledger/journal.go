package dynamoledger

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/aws/attr"
	"sluice/shared/fault"
)

// A journal announces a batch of ends before any of them is written. Its item
// in Crawls lists them by their hashes, k, and each end names the journal, j.
// While the list exists, the totals lack the ends that were written, and every
// reader adds them. Settling the journal removes the list and adds the ends to
// the totals in one transaction, which succeeds once. So the totals are exact
// at any point where a writer dies, and a batch pays for one transaction.
//
// A writer settles its journal itself. After the journal's time, x, in
// milliseconds, any reader does.
type journal struct{ crawl, id string }

const (
	journalTime = 15 * time.Minute // until others may settle it: longer than a function runs
	writingTime = 5 * time.Minute  // for its ends; the rest is for clocks that differ
)

func journalPartition(crawl string) string { return "journal#" + crawl }

func (j journal) key() item {
	return item{"p": attr.Text(journalPartition(j.crawl)), "s": attr.Text(j.id)}
}

// openJournal stores a journal of ends. A failed request may still be applied,
// even after its journal was settled, and reopen that. So each attempt has
// another name: a journal that no end names adds nothing.
func (s *Store) openJournal(ctx context.Context, crawl string, ends []*ending) (journal, error) {
	var hashes []byte
	for _, e := range ends {
		hashes = append(hashes, urlHash(e.URL)...)
	}
	for try := 0; ; try++ {
		id := uuid.New()
		j := journal{crawl, base64.RawURLEncoding.EncodeToString(id[:])}
		_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.opts.Crawls, Key: j.key(),
			UpdateExpression:          ptr("SET k = :hashes, x = :until"),
			ExpressionAttributeValues: item{":hashes": attr.Blob(hashes), ":until": attr.Number(s.opts.Now().Add(journalTime).UnixMilli())},
		}, func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
		if err == nil {
			for _, e := range ends {
				e.journals = append(e.journals, j.id)
			}
			return j, nil
		}
		if err = wrap("open journal", err); try == maxTries || fault.Of(err).Class != fault.Retryable {
			return j, err
		}
		if err := rest(ctx, try); err != nil {
			return j, err
		}
	}
}

// apply adds the ends written under a journal to the totals, unless that was
// done already, and deletes the journal.
func (s *Store) apply(ctx context.Context, j journal, added sums) error {
	if len(added) > 0 {
		if err := s.fold(ctx, j, added); err != nil {
			return err
		}
	}
	// A journal that remains if this fails adds nothing; a reader removes it
	// after its time.
	_ = s.write(ctx, s.opts.Crawls, []types.WriteRequest{deletion(j.key())})
	return nil
}

// fold moves the counts of a journal to the totals. Retries with the same token
// are the same request.
func (s *Store) fold(ctx context.Context, j journal, added sums) error {
	in := s.folding(j, added)
	for try := 0; ; try++ {
		_, err := s.client.TransactWriteItems(ctx, in)
		if err == nil {
			return nil
		}
		canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
		_, running := errors.AsType[*types.TransactionInProgressException](err)
		switch {
		case ok && folded(canceled.CancellationReasons):
			return nil
		case ok && busy(canceled.CancellationReasons):
			in = s.folding(j, added)
		case !running:
			return err
		}
		if try == maxTries {
			return throttled("transactions conflict")
		}
		if err := rest(ctx, try); err != nil {
			return err
		}
	}
}

// folding is the transaction that settles a journal.
func (s *Store) folding(j journal, added sums) *dynamodb.TransactWriteItemsInput {
	return &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Update: &types.Update{
				TableName: &s.opts.Crawls, Key: j.key(),
				UpdateExpression: ptr("REMOVE k"), ConditionExpression: ptr("attribute_exists(k)"),
			}},
			{Update: added.update(s.opts.Crawls, j.crawl)},
		},
		ClientRequestToken: ptr(uuid.NewString()),
	}
}

// folded reports whether folding was canceled for being done.
func folded(reasons []types.CancellationReason) bool {
	return len(reasons) > 0 && deref(reasons[0].Code) == "ConditionalCheckFailed"
}

// busy reports whether a transaction was canceled for a reason that may pass.
func busy(reasons []types.CancellationReason) bool {
	for _, r := range reasons {
		switch deref(r.Code) {
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			return true
		}
	}
	return false
}

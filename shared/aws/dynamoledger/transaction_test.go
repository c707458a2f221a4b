package dynamoledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/bubble"
	"sluice/shared/state/ledger"
)

// transactions answers transactions with errors, one after the other.
type transactions struct {
	Client
	answers []error
	asked   []*dynamodb.TransactWriteItemsInput
}

func (c *transactions) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.asked = append(c.asked, in)
	err := c.answers[0]
	c.answers = c.answers[1:]
	return &dynamodb.TransactWriteItemsOutput{}, err
}

func canceledFor(codes ...string) error {
	var reasons []types.CancellationReason
	for _, code := range codes {
		reasons = append(reasons, types.CancellationReason{Code: &code, Item: item{"s": attr.Text(stateDone)}})
	}
	return &types.TransactionCanceledException{CancellationReasons: reasons}
}

// tokens returns how many different requests there were.
func (c *transactions) tokens() int {
	seen := map[string]bool{}
	for _, in := range c.asked {
		seen[*in.ClientRequestToken] = true
	}
	return len(seen)
}

// TestTokens holds that a request is repeated as it is while DynamoDB works on
// it, and is another one, with another token, once it was canceled.
func TestTokens(t *testing.T) {
	c := &transactions{answers: []error{
		&types.TransactionInProgressException{},
		canceledFor("None", "None", "TransactionConflict"),
		canceledFor("None", "ConditionalCheckFailed", "None"),
		nil,
	}}
	var dead []*ending
	for _, key := range []string{"a", "b"} {
		dead = append(dead, &ending{End: ledger.End{Entry: &deadEntry}, key: key, journals: []string{"j"}})
	}
	if err := New(c, Options{}).Ledger().revive(t.Context(), "c", dead); err != nil {
		t.Fatal(err)
	}
	if len(c.asked) != 4 {
		t.Fatalf("%d requests, want 4", len(c.asked))
	}
	if c.asked[0] != c.asked[1] {
		t.Error("a request under way was repeated as another one")
	}
	if n := c.tokens(); n != 3 {
		t.Errorf("%d tokens, want one for each of three requests", n)
	}
	for i, want := range []int{3, 3, 3, 2} {
		if got := len(c.asked[i].TransactItems); got != want {
			t.Errorf("request %d has %d items, want %d", i, got, want)
		}
	}
}

// TestFold checks when a journal counts as settled, and what a fold repeats.
func TestFold(t *testing.T) {
	running, conflict := &types.TransactionInProgressException{}, canceledFor("None", "TransactionConflict")
	broken := canceledFor("None", "ValidationError")
	for _, tt := range []struct {
		name             string
		answers          []error
		requests, tokens int
		want             error
	}{
		{"at once", []error{nil}, 1, 1, nil},
		{"settled by another", []error{canceledFor("ConditionalCheckFailed", "None")}, 1, 1, nil},
		{"settled by another in the way of others", []error{canceledFor("ConditionalCheckFailed", "TransactionConflict")}, 1, 1, nil},
		{"after a while", []error{running, running, nil}, 3, 1, nil},
		{"after a conflict", []error{conflict, nil}, 2, 2, nil},
		{"never", []error{running, broken}, 2, 1, broken},
		{"refused", []error{errLost}, 1, 1, errLost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				c := &transactions{answers: tt.answers}
				err := New(c, Options{}).fold(t.Context(), journal{"c", "j"}, sums{totals.Fetched: 1})
				if !errors.Is(err, tt.want) || len(c.asked) != tt.requests || c.tokens() != tt.tokens {
					t.Errorf("%d requests of %d tokens, error %v; want %d, %d, %v", len(c.asked), c.tokens(), err, tt.requests, tt.tokens, tt.want)
				}
			})
		})
	}
}

// TestCommitEndsInTime holds that writing for others does not outlast the time
// of the call: a function must be able to hand back its messages.
func TestCommitEndsInTime(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := new(commits)
		start := time.Now()
		err := c.add(ctx, "c", []*ending{{key: "k"}}, func(ctx context.Context, _ string, _ []*ending) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Hour):
				return nil
			}
		})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
			t.Errorf("after %v: %v, want the end of the time", time.Since(start), err)
		}
	})
}

// TestCommitFailed checks that a call that retries after a failed commit
// forgets the commit's results.
func TestCommitFailed(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		c := new(commits)
		boom := errors.New("boom")
		write := func(_ context.Context, _ string, ends []*ending) error {
			if len(ends) > 1 {
				ends[0].refused = ledger.ErrDone
				return boom
			}
			return nil
		}
		ends := []*ending{{key: "a"}, {key: "b"}}
		err := each(t.Context(), len(ends), func(ctx context.Context, i int) error {
			return c.add(ctx, "c", ends[i:i+1], write)
		})
		if err != nil || ends[0].refused != nil || ends[1].refused != nil {
			t.Errorf("error %v, ends refused: %v, %v", err, ends[0].refused, ends[1].refused)
		}
	})
}

package dynamoledger

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/ledger"
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
		reasons = append(reasons, types.CancellationReason{Code: &code, Item: item{"s": str(stateDone)}})
	}
	return &types.TransactionCanceledException{CancellationReasons: reasons}
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
	e := &ledger.Entry{Verdict: ledger.Kept}
	refused, err := New(c, Options{}).Ledger().Complete(t.Context(), "c", "w", []ledger.End{{URL: "http://a.test/1", Entry: e}, {URL: "http://a.test/2", Entry: e}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]error{nil, ledger.ErrDone}, refused, cmpopts.EquateErrors()); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if len(c.asked) != 4 {
		t.Fatalf("%d requests, want 4", len(c.asked))
	}
	if c.asked[0] != c.asked[1] {
		t.Error("a request under way was repeated as another one")
	}
	tokens := map[string]bool{}
	for _, in := range c.asked {
		tokens[*in.ClientRequestToken] = true
	}
	if len(tokens) != 3 {
		t.Errorf("%d tokens, want one for each of three requests", len(tokens))
	}
	for i, want := range []int{3, 3, 3, 2} {
		if got := len(c.asked[i].TransactItems); got != want {
			t.Errorf("request %d has %d items, want %d", i, got, want)
		}
	}
}

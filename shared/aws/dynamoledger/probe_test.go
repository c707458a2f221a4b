package dynamoledger

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
)

// probe is a client that counts what requests cost and makes some fail.
type probe struct {
	Client

	mu   sync.Mutex
	rng  *rand.Rand
	odds float64 // of each of three faults

	requests      map[string]int
	writes, reads float64 // units
	unanswered    int     // attempts that the emulator did not answer
}

func newProbe(c *dynamodb.Client) *probe {
	p := &probe{rng: rand.New(rand.NewPCG(7, 7)), requests: map[string]int{}}
	p.Client = dynamodb.New(c.Options(), dynamodb.WithAPIOptions(p.watch))
	return p
}

// watch counts attempts without an answer. The client tries again by itself:
// a condition may fail then, as the first attempt was applied.
func (p *probe) watch(stack *middleware.Stack) error {
	return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("Probe", func(
		ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler,
	) (middleware.DeserializeOutput, middleware.Metadata, error) {
		out, metadata, err := next.HandleDeserialize(ctx, in)
		if _, answered := errors.AsType[smithy.APIError](err); err != nil && !answered {
			p.mu.Lock()
			p.unanswered++
			p.mu.Unlock()
		}
		return out, metadata, err
	}), middleware.Before)
}

// reset forgets the costs so far.
func (p *probe) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.writes, p.reads = map[string]int{}, 0, 0
}

func (p *probe) setOdds(odds float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.odds = odds
}

// fate is what happens to a request.
type fate int

const (
	served  fate = iota
	refused      // an error, nothing applied
	lost         // applied, but the answer is an error
	halved       // the rest of a batch is left unprocessed; a transaction conflicts
)

var (
	errRefused error = &types.ProvisionedThroughputExceededException{}
	errLost          = errors.New("connection reset by peer")
)

func (p *probe) draw(op string) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests[op]++
	if x := p.rng.Float64(); x < 3*p.odds {
		return fate(1 + x/p.odds)
	}
	return served
}

func (p *probe) bill(read bool, used ...types.ConsumedCapacity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range used {
		if c.CapacityUnits == nil {
			continue
		}
		if read {
			p.reads += *c.CapacityUnits
		} else {
			p.writes += *c.CapacityUnits
		}
	}
}

func one(c *types.ConsumedCapacity) []types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return []types.ConsumedCapacity{*c}
}

// attempt plays a fate; half is the request where the fate is halved.
func attempt[Out any](f fate, request, half func() (*Out, error)) (*Out, error) {
	switch f {
	case refused:
		return nil, errRefused
	case lost:
		if _, err := request(); err != nil {
			return nil, err
		}
		return nil, errLost
	case halved:
		return half()
	}
	return request()
}

func (p *probe) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	request := func() (*dynamodb.GetItemOutput, error) {
		out, err := p.Client.GetItem(ctx, in, opts...)
		if err == nil {
			p.bill(true, one(out.ConsumedCapacity)...)
		}
		return out, err
	}
	return attempt(p.draw("GetItem"), request, request)
}

func (p *probe) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	request := func() (*dynamodb.QueryOutput, error) {
		out, err := p.Client.Query(ctx, in, opts...)
		if err == nil {
			p.bill(true, one(out.ConsumedCapacity)...)
		}
		return out, err
	}
	page := func() (*dynamodb.QueryOutput, error) { // a page ends early
		if in.Limit == nil || *in.Limit > 2 {
			in.Limit = ptr(int32(2))
		}
		return request()
	}
	return attempt(p.draw("Query"), request, page)
}

func (p *probe) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	names := slices.Sorted(maps.Values(in.ExpressionAttributeNames))
	if len(slices.Compact(names)) < len(in.ExpressionAttributeNames) { // MiniStack does not mind
		return nil, &smithy.GenericAPIError{Code: "ValidationException", Message: "two document paths overlap with each other"}
	}
	request := func() (*dynamodb.UpdateItemOutput, error) {
		out, err := p.Client.UpdateItem(ctx, in, opts...)
		if err == nil {
			p.bill(false, one(out.ConsumedCapacity)...)
		}
		return out, err
	}
	return attempt(p.draw("UpdateItem"), request, request)
}

func (p *probe) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	request := func() (*dynamodb.BatchGetItemOutput, error) {
		out, err := p.Client.BatchGetItem(ctx, in, opts...)
		if err == nil {
			p.bill(true, out.ConsumedCapacity...)
		}
		return out, err
	}
	half := func() (*dynamodb.BatchGetItemOutput, error) {
		left := map[string]types.KeysAndAttributes{}
		for table, ask := range in.RequestItems {
			rest := ask
			n := len(ask.Keys) / 2
			ask.Keys, rest.Keys = ask.Keys[:n], ask.Keys[n:]
			in.RequestItems[table], left[table] = ask, rest
			if n == 0 {
				return &dynamodb.BatchGetItemOutput{UnprocessedKeys: left}, nil
			}
		}
		out, err := request()
		if err == nil {
			out.UnprocessedKeys = left
		}
		return out, err
	}
	return attempt(p.draw("BatchGetItem"), request, half)
}

func (p *probe) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	request := func() (*dynamodb.BatchWriteItemOutput, error) {
		out, err := p.Client.BatchWriteItem(ctx, in, opts...)
		if err == nil {
			p.bill(false, out.ConsumedCapacity...)
		}
		return out, err
	}
	half := func() (*dynamodb.BatchWriteItemOutput, error) {
		left := map[string][]types.WriteRequest{}
		for table, writes := range in.RequestItems {
			n := len(writes) / 2
			in.RequestItems[table], left[table] = writes[:n], writes[n:]
			if n == 0 {
				return &dynamodb.BatchWriteItemOutput{UnprocessedItems: left}, nil
			}
		}
		out, err := request()
		if err == nil {
			out.UnprocessedItems = left
		}
		return out, err
	}
	return attempt(p.draw("BatchWriteItem"), request, half)
}

func (p *probe) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	request := func() (*dynamodb.TransactWriteItemsOutput, error) {
		out, err := p.Client.TransactWriteItems(ctx, in, opts...)
		if err == nil {
			p.bill(false, out.ConsumedCapacity...)
		}
		return out, err
	}
	conflict := func() (*dynamodb.TransactWriteItemsOutput, error) {
		reasons := make([]types.CancellationReason, len(in.TransactItems))
		for i := range reasons {
			reasons[i].Code = ptr("None")
		}
		reasons[len(reasons)-1].Code = ptr("TransactionConflict")
		return nil, &types.TransactionCanceledException{CancellationReasons: reasons}
	}
	return attempt(p.draw("TransactWriteItems"), request, conflict)
}

func putsOf(it item) []types.WriteRequest { return []types.WriteRequest{putting(it)} }

package meter

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/console/cost"
)

// withConsumedCapacity returns a copy of an input that requests the consumed
// capacity, or the input itself if it has no such field. It leaves out PartiQL,
// whose statements do not say whether they read or write.
func withConsumedCapacity(input any) any {
	const ask = types.ReturnConsumedCapacityIndexes
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		return with(in, func(c *dynamodb.GetItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.BatchGetItemInput:
		return with(in, func(c *dynamodb.BatchGetItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.TransactGetItemsInput:
		return with(in, func(c *dynamodb.TransactGetItemsInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.QueryInput:
		return with(in, func(c *dynamodb.QueryInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.ScanInput:
		return with(in, func(c *dynamodb.ScanInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.PutItemInput:
		return with(in, func(c *dynamodb.PutItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.UpdateItemInput:
		return with(in, func(c *dynamodb.UpdateItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.DeleteItemInput:
		return with(in, func(c *dynamodb.DeleteItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.BatchWriteItemInput:
		return with(in, func(c *dynamodb.BatchWriteItemInput) { c.ReturnConsumedCapacity = ask })
	case *dynamodb.TransactWriteItemsInput:
		return with(in, func(c *dynamodb.TransactWriteItemsInput) { c.ReturnConsumedCapacity = ask })
	}
	return input
}

// with returns a changed copy, since inputs belong to the caller.
func with[T any](in *T, change func(*T)) *T {
	if in == nil {
		return nil
	}
	changed := *in
	change(&changed)
	return &changed
}

// addUnits adds the read and write units of an attempt.
func addUnits(usage cost.Usage, a attempt) {
	reads, writes := consumed(a.output)
	reads = max(reads, leastReads(a.input, a.output))
	if a.err != nil {
		writes = refusedUnits(a)
	}
	if reads > 0 {
		usage[cost.DynamoReadUnits] = reads
		usage[cost.OperationItem(a.service, a.operation, cost.ReadUnits)] = reads
	}
	if writes > 0 {
		usage[cost.DynamoWriteUnits] = writes
		usage[cost.OperationItem(a.service, a.operation, cost.WriteUnits)] = writes
	}
}

// consumed returns the units in an output.
func consumed(output any) (reads, writes float64) {
	switch out := output.(type) {
	case *dynamodb.GetItemOutput:
		return sum(one(out.ConsumedCapacity)), 0
	case *dynamodb.BatchGetItemOutput:
		return sum(out.ConsumedCapacity), 0
	case *dynamodb.TransactGetItemsOutput:
		return sum(out.ConsumedCapacity), 0
	case *dynamodb.QueryOutput:
		return sum(one(out.ConsumedCapacity)), 0
	case *dynamodb.ScanOutput:
		return sum(one(out.ConsumedCapacity)), 0
	case *dynamodb.PutItemOutput:
		return 0, sum(one(out.ConsumedCapacity))
	case *dynamodb.UpdateItemOutput:
		return 0, sum(one(out.ConsumedCapacity))
	case *dynamodb.DeleteItemOutput:
		return 0, sum(one(out.ConsumedCapacity))
	case *dynamodb.BatchWriteItemOutput:
		return 0, sum(out.ConsumedCapacity)
	case *dynamodb.TransactWriteItemsOutput:
		return split(out.ConsumedCapacity)
	}
	return 0, 0
}

func one(capacity *types.ConsumedCapacity) []types.ConsumedCapacity {
	if capacity == nil {
		return nil
	}
	return []types.ConsumedCapacity{*capacity}
}

// sum adds up the units that the tables of an answer consumed. CapacityUnits
// already include a table's indexes.
func sum(tables []types.ConsumedCapacity) float64 {
	var units float64
	for _, table := range tables {
		units += aws.ToFloat64(table.CapacityUnits)
	}
	return units
}

// split returns the units of a write transaction: reads if DynamoDB answered
// again for a known token, else writes. Only CapacityUnits include the indexes.
func split(tables []types.ConsumedCapacity) (reads, writes float64) {
	for _, table := range tables {
		r, w := aws.ToFloat64(table.ReadCapacityUnits), aws.ToFloat64(table.WriteCapacityUnits)
		reads += r
		writes += max(w, aws.ToFloat64(table.CapacityUnits)-r)
	}
	return reads, writes
}

// refusedUnits returns the write units of a write whose condition failed. It is
// billed by the size of the existing item, which the answer does not have, so
// these are the units of items up to 1 KB, doubled in a transaction.
func refusedUnits(a attempt) float64 {
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](a.err); ok {
		return 1
	}
	canceled, ok := errors.AsType[*types.TransactionCanceledException](a.err)
	if ok && slices.ContainsFunc(canceled.CancellationReasons, reason("ConditionalCheckFailed")) {
		return 2 * float64(len(canceled.CancellationReasons))
	}
	return 0
}

// throttledTransaction reports whether a transaction was canceled for lack of
// capacity.
func throttledTransaction(err error) bool {
	canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
	return ok && (slices.ContainsFunc(canceled.CancellationReasons, reason("ThrottlingError")) ||
		slices.ContainsFunc(canceled.CancellationReasons, reason("ProvisionedThroughputExceeded")))
}

func reason(code string) func(types.CancellationReason) bool {
	return func(r types.CancellationReason) bool { return aws.ToString(r.Code) == code }
}

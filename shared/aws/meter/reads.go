package meter

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// readBlock is how many bytes a read unit reads, strongly consistent.
const readBlock = 4 << 10

// leastReads returns the minimum read units of an answer, by its items.
// DynamoDB never reports less, but emulators do.
func leastReads(input, output any) float64 {
	switch out := output.(type) {
	case *dynamodb.GetItemOutput:
		if in, ok := input.(*dynamodb.GetItemInput); ok {
			return units(itemSize(out.Item), in.ConsistentRead)
		}
	case *dynamodb.QueryOutput:
		if in, ok := input.(*dynamodb.QueryInput); ok {
			return units(itemsSize(out.Items), in.ConsistentRead)
		}
	case *dynamodb.ScanOutput:
		if in, ok := input.(*dynamodb.ScanInput); ok {
			return units(itemsSize(out.Items), in.ConsistentRead)
		}
	case *dynamodb.BatchGetItemOutput:
		if in, ok := input.(*dynamodb.BatchGetItemInput); ok {
			return leastBatchReads(in, out)
		}
	}
	return 0
}

// leastBatchReads bills each item separately, and a missing item as a small
// one.
func leastBatchReads(in *dynamodb.BatchGetItemInput, out *dynamodb.BatchGetItemOutput) float64 {
	var total float64
	for table, asked := range in.RequestItems {
		found := out.Responses[table]
		for _, item := range found {
			total += units(itemSize(item), asked.ConsistentRead)
		}
		absent := len(asked.Keys) - len(out.UnprocessedKeys[table].Keys) - len(found)
		total += float64(max(0, absent)) * units(0, asked.ConsistentRead)
	}
	return total
}

// units returns the read units of a size.
func units(size int, consistent *bool) float64 {
	blocks := math.Ceil(math.Max(1, float64(size)) / readBlock)
	if aws.ToBool(consistent) {
		return blocks
	}
	return blocks / 2
}

func itemsSize(items []map[string]types.AttributeValue) int {
	size := 0
	for _, item := range items {
		size += itemSize(item)
	}
	return size
}

// itemSize returns a lower bound of the size of an item: names and values.
func itemSize(item map[string]types.AttributeValue) int {
	size := 0
	for name, value := range item {
		size += len(name) + valueSize(value)
	}
	return size
}

func valueSize(value types.AttributeValue) int {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberN: // two digits a byte
		return len(v.Value) / 2
	case *types.AttributeValueMemberM:
		return itemSize(v.Value)
	case *types.AttributeValueMemberL:
		size := 0
		for _, element := range v.Value {
			size += valueSize(element)
		}
		return size
	case *types.AttributeValueMemberSS:
		size := 0
		for _, element := range v.Value {
			size += len(element)
		}
		return size
	}
	return 0
}

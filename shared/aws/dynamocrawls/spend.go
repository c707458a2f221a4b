package dynamocrawls

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

// Spend counts usage of crawls (requests, units, bytes) by item of the bill. It
// is safe for concurrent use.
type Spend struct {
	client Client
	table  string
}

// NewSpend returns the counters in the Crawls table of a stack.
func NewSpend(client Client, table string) *Spend {
	return &Spend{client: client, table: table}
}

// shards are how many items one crawl's counters are spread over, so that many
// functions can add to them at once.
const shards = 8

// Limits of an addition, which keep a shard's sums within DynamoDB's 38 digits
// and an expression within its 4 KB.
const (
	maxUsage   = 1e15
	decimals   = 9
	maxItems   = 100
	maxName    = 100 // bytes
	usageClass = "bad_usage"
)

// prefix keeps names of items apart from the keys of the table.
const prefix = "u:"

// Add counts usage for a crawl, to nine decimals, in one write for each 100
// items. Usage may be counted despite an error, and a write that the SDK
// retried may count twice: sums are never too low and seldom too high.
func (s *Spend) Add(ctx context.Context, crawl string, usage map[string]float64) error {
	var items []string
	for _, name := range slices.Sorted(maps.Keys(usage)) {
		v := usage[name]
		if name == "" || len(name) > maxName || !(v >= 0 && v <= maxUsage) {
			return fault.New(fault.Permanent, usageClass, fmt.Errorf("add usage of crawl %s: %.100q is %v", crawl, name, v))
		}
		if v > 0 {
			items = append(items, name)
		}
	}
	shard := strconv.Itoa(rand.IntN(shards))
	for part := range slices.Chunk(items, maxItems) {
		in := &dynamodb.UpdateItemInput{
			TableName: &s.table, Key: key(partition(crawl), shard),
			ExpressionAttributeNames:  map[string]string{},
			ExpressionAttributeValues: map[string]types.AttributeValue{},
		}
		var add []string
		for i, name := range part {
			n, v := "#"+strconv.Itoa(i), ":"+strconv.Itoa(i)
			add = append(add, n+" "+v)
			in.ExpressionAttributeNames[n] = prefix + name
			in.ExpressionAttributeValues[v] = &types.AttributeValueMemberN{Value: decimal(usage[name])}
		}
		expression := "ADD " + strings.Join(add, ", ")
		in.UpdateExpression = &expression
		if _, err := s.client.UpdateItem(ctx, in); err != nil {
			return awsfault.Wrap("add usage of crawl "+crawl, err)
		}
	}
	return nil
}

// decimal writes v with few enough digits.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// Of returns what a crawl has used, by item; empty for none.
func (s *Spend) Of(ctx context.Context, crawl string) (map[string]float64, error) {
	usage := map[string]float64{}
	err := query(ctx, s.client, s.table, partition(crawl), func(item map[string]types.AttributeValue) error {
		for name, v := range item {
			name, ok := strings.CutPrefix(name, prefix)
			n, isNumber := v.(*types.AttributeValueMemberN)
			if !ok || !isNumber {
				continue
			}
			used, err := strconv.ParseFloat(n.Value, 64)
			if err != nil {
				return fault.New(fault.Permanent, usageClass, fmt.Errorf("decode %s: %w", name, err))
			}
			usage[name] += used
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read usage of crawl %s: %w", crawl, err)
	}
	return usage, nil
}

func partition(crawl string) string { return "spend#" + crawl }

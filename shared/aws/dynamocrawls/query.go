package dynamocrawls

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
)

// How Update waits between its tries. With n writers at once, one in each round
// wins: the tries are enough for as many as a stack has functions at work.
const (
	maxTries  = 48
	firstWait = 10 * time.Millisecond
	maxWait   = 160 * time.Millisecond
)

// query visits the items of a partition in the order of their sort keys, as
// they are now.
func query(ctx context.Context, client Client, table, p string, visit func(map[string]types.AttributeValue) error) error {
	in := &dynamodb.QueryInput{
		TableName: &table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("p = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": attr.Text(p)},
	}
	for {
		out, err := client.Query(ctx, in)
		if err != nil {
			return awsfault.Wrap("query", err)
		}
		for _, item := range out.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

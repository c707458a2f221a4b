package dynamoboilerplate

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
)

// Begin implements clean.Cleanings. A write that the SDK sent twice leaves out a
// number.
func (s *Store) Begin(ctx context.Context, crawl, segment string) (int64, error) {
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: cleaningKey(crawl, segment),
		UpdateExpression:          aws.String("ADD n :one REMOVE b SET #ttl = :ttl"),
		ExpressionAttributeNames:  map[string]string{ttlName: "ttl"},
		ExpressionAttributeValues: item{":one": attr.Number(1), ":ttl": s.ttl()},
		ReturnValues:              types.ReturnValueUpdatedNew,
	})
	if err != nil {
		return 0, awsfault.Wrap("begin cleaning of "+segment, err)
	}
	return attr.NumberOf(out.Attributes["n"]), nil
}

// Claim implements clean.Cleanings.
func (s *Store) Claim(ctx context.Context, crawl, segment, by string) (mine bool, before int64, err error) {
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: cleaningKey(crawl, segment),
		UpdateExpression:          aws.String("SET b = :by" + ttlSetting + " ADD m :one"),
		ConditionExpression:       aws.String("attribute_not_exists(b) OR b = :by"),
		ExpressionAttributeNames:  map[string]string{ttlName: "ttl"},
		ExpressionAttributeValues: item{":by": attr.Text(by), ":one": attr.Number(1), ":ttl": s.ttl()},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if mine, err = applied("claim cleaning of "+segment, err); !mine {
		return false, 0, err
	}
	return true, attr.NumberOf(out.Attributes["m"]) - 1, nil
}

// Leave implements clean.Cleanings.
func (s *Store) Leave(ctx context.Context, crawl, segment string, folders []string) ([]string, error) {
	in := &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: cleaningKey(crawl, segment),
		UpdateExpression:          aws.String("SET #ttl = :ttl"),
		ExpressionAttributeNames:  map[string]string{ttlName: "ttl"},
		ExpressionAttributeValues: item{":ttl": s.ttl()},
		ReturnValues:              types.ReturnValueAllNew,
	}
	if len(folders) > 0 {
		*in.UpdateExpression += " ADD f :f"
		in.ExpressionAttributeValues[":f"] = &types.AttributeValueMemberSS{Value: folders}
	}
	out, err := s.client.UpdateItem(ctx, in)
	if err != nil {
		return nil, awsfault.Wrap("note output of "+segment, err)
	}
	if all, ok := out.Attributes["f"].(*types.AttributeValueMemberSS); ok {
		return all.Value, nil
	}
	return nil, nil
}

// End implements clean.Cleanings.
func (s *Store) End(ctx context.Context, crawl, segment string, run int64, versions map[string]string) (bool, error) {
	for _, host := range slices.Sorted(maps.Keys(versions)) {
		within, err := s.markWithin(ctx, crawl, host, segment, versions[host])
		if err == nil && !within {
			err = s.mark(ctx, crawl, host, segment, versions[host])
		}
		if err != nil {
			return false, err
		}
	}
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.table, Key: cleaningKey(crawl, segment), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return false, awsfault.Wrap("end cleaning of "+segment, err)
	}
	return attr.NumberOf(out.Item["n"]) == run && out.Item["b"] == nil, nil
}

// Asked reports whether a segment waits to be cleaned again, because the
// boilerplate of its hosts changed.
func (s *Store) Asked(ctx context.Context, crawl, segment string) (bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.table, Key: cleaningKey(crawl, segment), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return false, awsfault.Wrap("read cleaning of "+segment, err)
	}
	return out.Item["b"] != nil, nil
}

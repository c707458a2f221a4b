// Package dynamotest gives tests of DynamoDB adapters a table on the emulator.
package dynamotest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Emulator returns the configuration of clients of the emulator. Without one it
// skips the test.
func Emulator(t *testing.T) aws.Config {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL names no emulator: run make test-aws")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithRegion(cmp.Or(os.Getenv("AWS_REGION"), "us-east-1")))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// NewTable creates a table with the keys of template.yaml's tables until the
// test ends. Its name starts with a prefix. Without an emulator it skips the
// test.
func NewTable(t *testing.T, prefix string) (*dynamodb.Client, string) {
	t.Helper()
	client, table := dynamodb.NewFromConfig(Emulator(t)), prefix+"-"+rand.Text()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("p"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("s"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("p"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("s"), KeyType: types.KeyTypeRange},
		},
	})
	var exists *types.ResourceInUseException // the answer was lost, and the SDK tried again
	if err != nil && !errors.As(err, &exists) {
		t.Fatalf("create table: %v", err)
	}
	t.Cleanup(func() {
		_, err := client.DeleteTable(context.WithoutCancel(t.Context()), &dynamodb.DeleteTableInput{TableName: &table})
		var gone *types.ResourceNotFoundException
		if err != nil && !errors.As(err, &gone) {
			t.Errorf("delete table: %v", err)
		}
	})
	return client, table
}

package dynamoledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"sluice/shared/aws/dynamotest"
	"sluice/shared/conformance"
	"sluice/shared/state/frontier/frontiertest"
	"sluice/shared/state/ledger/ledgertest"
)

func newClock() *conformance.Clock {
	return conformance.NewClock(time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC))
}

// emulator returns a client for the emulator.
func emulator(t *testing.T) *dynamodb.Client {
	t.Helper()
	return dynamodb.NewFromConfig(dynamotest.Emulator(t))
}

// tables creates the four tables, as template.yaml does, for one test.
func tables(t *testing.T, client *dynamodb.Client) Options {
	t.Helper()
	prefix := "t" + strings.ReplaceAll(uuid.NewString(), "-", "") + "-"
	opts := Options{Urls: prefix + "urls", Backlog: prefix + "backlog", Hosts: prefix + "hosts", Crawls: prefix + "crawls"}
	createTable(t, client, &dynamodb.CreateTableInput{
		TableName: &opts.Urls, AttributeDefinitions: attributes("k", "hc", "hk"), KeySchema: keySchema("k"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: ptr(historyIndex), KeySchema: keySchema("hc", "hk"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"u", "r"}},
		}},
	})
	for _, name := range []string{opts.Backlog, opts.Hosts, opts.Crawls} {
		createTable(t, client, &dynamodb.CreateTableInput{
			TableName: &name, AttributeDefinitions: attributes("p", "s"), KeySchema: keySchema("p", "s"),
		})
	}
	return opts
}

func createTable(t *testing.T, client *dynamodb.Client, in *dynamodb.CreateTableInput) {
	t.Helper()
	in.BillingMode = types.BillingModePayPerRequest
	_, err := client.CreateTable(t.Context(), in)
	if _, retried := errors.AsType[*types.ResourceInUseException](err); err != nil && !retried { // the name is unique
		t.Fatalf("create table %s: %v", *in.TableName, err)
	}
	t.Cleanup(func() {
		_, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: in.TableName})
		if _, retried := errors.AsType[*types.ResourceNotFoundException](err); err != nil && !retried {
			t.Errorf("delete table %s: %v", *in.TableName, err)
		}
	})
}

func attributes(names ...string) (out []types.AttributeDefinition) {
	for _, n := range names {
		out = append(out, types.AttributeDefinition{AttributeName: &n, AttributeType: types.ScalarAttributeTypeS})
	}
	return out
}

func keySchema(names ...string) (out []types.KeySchemaElement) {
	for i, n := range names {
		out = append(out, types.KeySchemaElement{AttributeName: &n, KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	return out
}

// open opens a fresh store.
func open(t *testing.T, c *conformance.Clock) *Store {
	t.Helper()
	client := emulator(t)
	opts := tables(t, client)
	opts.Now = c.Now
	return New(client, opts)
}

func TestLedger(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) *ledgertest.Harness {
		c := newClock()
		l := open(t, c).Ledger()
		// A draw looks at 64 pages at least; see Sample.
		return &ledgertest.Harness{Ledger: l, History: l, Accounts: l, Reader: l, Reviver: l, Accepter: l, Now: c.Now, Advance: c.Advance, Skew: 0.125}
	})
}

func TestBacklog(t *testing.T) {
	frontiertest.RunBacklog(t, func(t *testing.T) *frontiertest.Backlog {
		s := open(t, newClock())
		b := s.Backlog()
		return &frontiertest.Backlog{
			Backlog: b, Directory: b, Raiser: b,
			Closed: func(crawl, host string) (string, error) {
				all, err := s.Gauge().Standings(t.Context(), crawl)
				for _, h := range all {
					if h.Host == host {
						return h.Closed, err
					}
				}
				return "", err
			},
		}
	})
}

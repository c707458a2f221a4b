package dynamocrawls_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/fault"
)

func spent(t *testing.T, s *dynamocrawls.Spend, crawl string) map[string]float64 {
	t.Helper()
	usage, err := s.Of(t.Context(), crawl)
	if err != nil {
		t.Fatalf("Of %s: %v", crawl, err)
	}
	return usage
}

func add(t *testing.T, s *dynamocrawls.Spend, crawl string, usage map[string]float64) {
	t.Helper()
	if err := s.Add(t.Context(), crawl, usage); err != nil {
		t.Fatalf("Add: %v", err)
	}
}

func TestSpend(t *testing.T) {
	client, table := newTable(t)
	s := dynamocrawls.NewSpend(client, table)
	if diff := cmp.Diff(map[string]float64{}, spent(t, s, "c")); diff != "" {
		t.Errorf("usage of a crawl that used nothing (-want +got):\n%s", diff)
	}
	add(t, s, "c", map[string]float64{"sqs.requests": 3, "lambda.gb_seconds_arm64": 0.000125, "s3.get": 0, "s": 1, "ttl": 2})
	add(t, s, "c", map[string]float64{"sqs.requests": 1e12, "lambda.gb_seconds_arm64": 1e-9})
	add(t, s, "d", map[string]float64{"sqs.requests": 1})
	add(t, s, "d", nil)
	if diff := cmp.Diff(map[string]float64{"sqs.requests": 1}, spent(t, s, "d")); diff != "" {
		t.Errorf("usage of another crawl (-want +got):\n%s", diff)
	}
	want := map[string]float64{"sqs.requests": 1e12 + 3, "lambda.gb_seconds_arm64": 0.000125001, "s": 1, "ttl": 2}
	if diff := cmp.Diff(want, spent(t, s, "c")); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestSpendOfManyItems(t *testing.T) {
	client, table := newTable(t)
	s := dynamocrawls.NewSpend(client, table)
	usage := map[string]float64{}
	for i := range 450 {
		usage[fmt.Sprintf("dynamodb.Operation%d.requests", i)] = float64(i + 1)
	}
	add(t, s, "c", usage)
	if diff := cmp.Diff(usage, spent(t, s, "c")); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

// Concurrent additions all count, in any shard.
func TestSpendRace(t *testing.T) {
	client, table := newTable(t)
	s := dynamocrawls.NewSpend(client, table)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if err := s.Add(t.Context(), "c", map[string]float64{"sqs.requests": 1, "s3.put": 0.5}); err != nil {
				t.Errorf("Add: %v", err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[string]float64{"sqs.requests": 64, "s3.put": 32}, spent(t, s, "c")); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestSpendRefuses(t *testing.T) {
	s := dynamocrawls.NewSpend(nil, "") // makes no request
	for name, usage := range map[string]map[string]float64{
		"negative":  {"a": -1},
		"no number": {"a": math.NaN()},
		"infinite":  {"a": math.Inf(1)},
		"no name":   {"": 1},
		"long name": {strings.Repeat("a", 101): 1},
	} {
		if err := s.Add(t.Context(), "c", usage); fault.Of(err) == nil || fault.Of(err).Class != fault.Permanent {
			t.Errorf("%s: %v, want a permanent fault", name, err)
		}
	}
}

// down is a client whose service is unreachable.
type down struct{ dynamocrawls.Client }

var errDown = errors.New("down")

func (down) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return nil, errDown
}

func (down) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return nil, errDown
}

func TestDown(t *testing.T) {
	s := dynamocrawls.NewSpend(down{}, "crawls")
	_, ofErr := s.Of(t.Context(), "c")
	_, listErr := dynamocrawls.New(down{}, "crawls", dynamocrawls.Options{}).List(t.Context())
	for name, err := range map[string]error{
		"Add": s.Add(t.Context(), "c", map[string]float64{"a": 1}), "Of": ofErr, "List": listErr,
	} {
		if f := fault.Of(err); !errors.Is(err, errDown) || f.Class != fault.Retryable {
			t.Errorf("%s: %v, want a retryable fault", name, err)
		}
	}
}

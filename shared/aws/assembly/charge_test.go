package assembly

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/aws/meter"
	"sluice/shared/state/frontier"
)

// table records additions by partition.
type table struct {
	dynamocrawls.Client
	refuses string
	added   map[string]int // items
}

func (t *table) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	p, _ := in.Key["p"].(*types.AttributeValueMemberS)
	crawl := strings.TrimPrefix(p.Value, "spend#")
	if err := ctx.Err(); err != nil || crawl == t.refuses {
		return nil, errors.Join(err, errors.New("refused"))
	}
	t.added[crawl] += len(in.ExpressionAttributeNames)
	return &dynamodb.UpdateItemOutput{}, nil
}

func newParts(refuses string) (*Parts, *table) {
	t := &table{refuses: refuses, added: map[string]int{}}
	return &Parts{Meter: meter.New(), Spend: dynamocrawls.NewSpend(t, "crawls")}, t
}

// Every crawl with work is charged, even if charging another fails.
func TestCharge(t *testing.T) {
	for _, tt := range []struct {
		name, refuses string
		work          map[string]int
		charged       []string
	}{
		{"none", "", nil, nil},
		{"no work", "", map[string]int{"one": 0}, nil},
		{"two", "", map[string]int{"one": 3, "two": 1}, []string{"one", "two"}},
		{"one refused", "one", map[string]int{"one": 3, "two": 1, "three": 1}, []string{"two", "three"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, table := newParts(tt.refuses)
			err := p.Charge(t.Context(), tt.work, time.Now(), 0)
			if (err != nil) != (tt.refuses != "") {
				t.Errorf("Charge() = %v", err)
			}
			if len(table.added) != len(tt.charged) {
				t.Errorf("charged were %v, want %v", table.added, tt.charged)
			}
			for _, crawl := range tt.charged {
				if table.added[crawl] == 0 {
					t.Errorf("%s was not charged", crawl)
				}
			}
		})
	}
}

// Usage of unknown crawls is not booked; usage of a timed-out invocation is.
func TestChargeTasks(t *testing.T) {
	p, table := newParts("")
	links := []frontier.Link{{URL: "http://a.test/"}}
	ctx, cancel := context.WithCancel(t.Context())
	charge := p.ChargeTasks(ctx, slog.New(slog.DiscardHandler), []*frontier.Task{
		{Crawl: "one", Links: links}, {Crawl: strings.Repeat("x", 100_000), Links: links}, {Crawl: "", Links: links},
	})
	cancel()
	charge()
	if len(table.added) != 1 || table.added["one"] == 0 {
		t.Errorf("charged were %d crawls", len(table.added))
	}
}

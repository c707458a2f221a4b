package dynamoledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/frontier"
)

// forgetAfter is how long after StaleAfter a mark is struck out: lost tasks
// must not fill the row of their host.
const forgetAfter = 24 * time.Hour

// Standings returns how the hosts of a crawl stand, by name, in one pass over
// their rows: a read unit for each 4 KB of them. It strikes out marks of tasks
// that have not counted for a day.
func (g *Gauge) Standings(ctx context.Context, crawl string) ([]frontier.Standing, error) {
	now := g.s.opts.Now()
	var out []frontier.Standing
	var lost []lostMark
	err := g.s.hostRows(ctx, crawl, "s, c, q", func(row item) {
		st := frontier.Standing{Host: text(row, "s"), Queued: g.links(row, now)}
		if row["c"] != nil {
			st.Closed = cmp.Or(text(row, "c"), "closed")
		}
		out = append(out, st)
		for id, v := range inner(row, "q") {
			if m, ok := v.(*types.AttributeValueMemberM); ok && g.stale(m.Value, now.Add(-forgetAfter)) {
				lost = append(lost, lostMark{st.Host, id, m.Value["a"]})
			}
		}
	})
	if err == nil {
		err = each(ctx, len(lost), func(ctx context.Context, i int) error { return g.forget(ctx, crawl, lost[i]) })
	}
	if err != nil {
		return nil, wrap("list hosts of "+crawl, err)
	}
	slices.SortFunc(out, func(a, b frontier.Standing) int { return cmp.Compare(a.Host, b.Host) })
	return out, nil
}

// lostMark is the mark of a task that will not end.
type lostMark struct {
	host, id string
	due      types.AttributeValue
}

func (g *Gauge) forget(ctx context.Context, crawl string, m lostMark) error {
	return g.strike(ctx, crawl, m.host, &dynamodb.UpdateItemInput{
		ConditionExpression:       ptr("q.#id.a = :due"),
		ExpressionAttributeNames:  map[string]string{"#id": m.id},
		ExpressionAttributeValues: item{":due": m.due},
	})
}

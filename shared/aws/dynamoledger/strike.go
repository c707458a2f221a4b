package dynamoledger

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Strike strikes out the marks of a crawl that were due before a time. The
// caller knows that no queue holds their messages: whoever was to send them
// died before, or they were lost.
func (g *Gauge) Strike(ctx context.Context, crawl string, due time.Time) error {
	var lost []lostMark
	err := g.s.hostRows(ctx, crawl, "s, q", func(row item) {
		for id, v := range inner(row, "q") {
			if m, ok := v.(*types.AttributeValueMemberM); ok && g.stale(m.Value, due.Add(g.s.opts.StaleAfter)) {
				lost = append(lost, lostMark{text(row, "s"), id, m.Value["a"]})
			}
		}
	})
	if err == nil {
		err = each(ctx, len(lost), func(ctx context.Context, i int) error { return g.forget(ctx, crawl, lost[i]) })
	}
	if err != nil {
		return wrap("strike lost tasks of "+crawl, err)
	}
	return nil
}

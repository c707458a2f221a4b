package dynamoledger

import (
	"context"
	"time"
)

// Strike removes the marks of a crawl that were due before a time, and gives the links that
// they hold back to the backlog. The caller knows that no queue has their messages, which
// were lost or never sent.
func (g *Gauge) Strike(ctx context.Context, crawl string, due time.Time) error {
	var lost []lostMark
	err := g.s.hostRows(ctx, crawl, "s, q", func(row item) {
		lost = append(lost, g.lost(row, due.Add(g.s.opts.StaleAfter))...)
	})
	if err == nil {
		err = g.forget(ctx, crawl, lost)
	}
	if err != nil {
		return wrap("strike lost tasks of "+crawl, err)
	}
	return nil
}

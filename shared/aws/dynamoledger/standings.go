package dynamoledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// forgetAfter is how long after StaleAfter a mark is struck out: lost tasks
// must not fill the row of their host.
const forgetAfter = 24 * time.Hour

// Standings returns the states of the hosts of a crawl, by name, in one pass
// over their rows: a read unit for each 4 KB. It removes marks of tasks that
// have been stale for a day, or that are stale when nothing is under way, see forget: the
// crawl must not end without their links.
func (g *Gauge) Standings(ctx context.Context, crawl string) ([]frontier.Standing, error) {
	now := g.s.opts.Now()
	var out []frontier.Standing
	var lost []lostMark
	err := g.s.hostRows(ctx, crawl, "s, c, q", func(row item) {
		out = append(out, g.standing(row, now))
		lost = append(lost, g.lost(row, now)...)
	})
	if slices.ContainsFunc(out, func(st frontier.Standing) bool { return st.Queued > 0 }) {
		lost = slices.DeleteFunc(lost, func(m lostMark) bool { return !g.stale(m.task, now.Add(-forgetAfter)) })
	}
	if err == nil {
		err = g.forget(ctx, crawl, lost)
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
	task     item
}

// lost returns the marks in a host row that were stale at a time.
func (g *Gauge) lost(row item, at time.Time) (lost []lostMark) {
	for id, task := range tasks(row) {
		if g.stale(task, at) {
			lost = append(lost, lostMark{attr.TextOf(row["s"]), id, task["a"], task})
		}
	}
	return lost
}

// forget removes marks, except replaced ones. The links that they hold, which nothing else
// knows, wait in the backlog from then on: as they have rows there, no mark of theirs will
// hold them again.
func (g *Gauge) forget(ctx context.Context, crawl string, lost []lostMark) error {
	var back []frontier.Link
	for _, m := range lost {
		links, err := g.s.held(m.task)
		if err != nil {
			return permanent("decode links of "+m.host, err)
		}
		back = append(back, links...)
	}
	if len(back) > 0 {
		if err := g.s.Backlog().Add(ctx, crawl, back); err != nil {
			return err
		}
	}
	return each(ctx, len(lost), func(ctx context.Context, i int) error {
		_, err := g.strike(ctx, crawl, lost[i].host, &dynamodb.UpdateItemInput{
			ConditionExpression:       ptr("q.#id.a = :due"),
			ExpressionAttributeNames:  map[string]string{"#id": lost[i].id},
			ExpressionAttributeValues: item{":due": lost[i].due},
		})
		return err
	})
}

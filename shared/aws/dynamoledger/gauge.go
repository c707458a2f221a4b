package dynamoledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// Gauge implements frontier.Gauge with its own records, which a queue keeps
// with Sent and Ended. The row of a host has its tasks in progress by ID, each
// with its hops, number of links and due time, and the links that it holds. A task that has not ended
// Options.StaleAfter its due time does not count: its message or worker is
// lost. Duplicates of a task count once.
type Gauge struct{ s *Store }

var _ frontier.Gauge = (*Gauge)(nil)

// Gauge returns the tasks in progress of all crawls in the tables.
func (s *Store) Gauge() *Gauge { return &Gauge{s} }

// Sent notes tasks that are to be sent, before they are, and parked links. It is
// idempotent; a mark replaces the one of the same ID, and its Parks. It costs a write unit
// for each host.
func (g *Gauge) Sent(ctx context.Context, marks []frontier.Mark) error {
	byHost := groupMarks(marks)
	err := each(ctx, len(byHost), func(ctx context.Context, i int) error {
		_, err := g.sent(ctx, byHost[i])
		return err
	})
	if err != nil {
		return wrap("note tasks sent", err)
	}
	return nil
}

// Park notes parked links as Sent does, and returns the states of their hosts after that,
// all earlier writes seen.
func (g *Gauge) Park(ctx context.Context, marks []frontier.Mark) ([]frontier.Standing, error) {
	after := make([]frontier.Standing, len(marks))
	err := each(ctx, len(marks), func(ctx context.Context, i int) error {
		row, err := g.sent(ctx, marks[i:i+1])
		if err == nil {
			after[i], err = g.look(marks[i].Crawl, marks[i].Host, row)
		}
		return err
	})
	if err != nil {
		return nil, wrap("park links", err)
	}
	return after, nil
}

// marksPerWrite bounds an expression to far less than its 4 KB.
const marksPerWrite = 50

// groupMarks returns the marks by host, the last of each ID, some at a time.
func groupMarks(marks []frontier.Mark) [][]frontier.Mark {
	type host struct{ crawl, host string }
	hosts := map[host]map[string]frontier.Mark{}
	for _, m := range marks {
		h := host{m.Crawl, m.Host}
		if hosts[h] == nil {
			hosts[h] = map[string]frontier.Mark{}
		}
		hosts[h][m.ID] = m
	}
	var out [][]frontier.Mark
	for _, byID := range hosts {
		var all []frontier.Mark
		for _, m := range byID {
			all = append(all, m)
		}
		out = slices.AppendSeq(out, slices.Chunk(all, marksPerWrite))
	}
	return out
}

// sent notes tasks of one host, and returns its row.
func (g *Gauge) sent(ctx context.Context, marks []frontier.Mark) (item, error) {
	crawl, host := marks[0].Crawl, marks[0].Host
	var set, remove []string
	names, values, all := map[string]string{}, item{}, item{}
	for i, m := range marks {
		n := strconv.Itoa(i)
		fields := item{"h": attr.Number(int64(m.Hops)), "n": attr.Number(int64(m.Links)), "a": attr.Number(m.Due.UnixMilli())}
		if len(m.Held) > 0 {
			text, err := json.Marshal(m.Held)
			if err != nil {
				return nil, permanent("encode links of "+host, err)
			}
			fields["l"] = attr.Blob(g.s.codec.pack(text))
		}
		if m.Parked {
			fields["w"] = attr.Number(1)
		}
		for j, park := range m.Parks {
			name := "#" + n + "p" + strconv.Itoa(j)
			remove = append(remove, "q."+name)
			names[name] = park
		}
		mark := nested(fields)
		set = append(set, "q.#"+n+" = :"+n)
		names["#"+n], values[":"+n], all[m.ID] = m.ID, mark, mark
	}
	if g.s.strangers.Forget(crawl + "#" + host) {
		if row, err := g.s.makeHost(ctx, crawl, host, all); row != nil || err != nil {
			return row, err
		}
	}
	update := "SET " + strings.Join(set, ", ")
	if len(remove) > 0 {
		update += " REMOVE " + strings.Join(remove, ", ")
	}
	note := func() (item, error) {
		return g.s.updateHost(ctx, crawl, host, &dynamodb.UpdateItemInput{
			UpdateExpression:         &update,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	}
	row, err := note()
	if api, ok := errors.AsType[smithy.APIError](err); !ok || api.ErrorCode() != "ValidationException" {
		return row, err
	}
	// The host has no row yet: its links never were in the backlog.
	if row, err := g.s.makeHost(ctx, crawl, host, all); row != nil || err != nil {
		return row, err
	}
	return note()
}

// Ended removes tasks that were acknowledged. It keeps a mark that was replaced
// by one with other hops: the rest of that task is in progress. It is
// idempotent and costs a write unit for each mark. Links that a mark still holds were
// given up: they get a hint, so that no page brings them again.
func (g *Gauge) Ended(ctx context.Context, marks []frontier.Mark) error {
	err := each(ctx, len(marks), func(ctx context.Context, i int) error {
		if err := g.s.Ledger().MarkQueued(ctx, marks[i].Crawl, frontier.URLs(marks[i].Held)); err != nil {
			return err
		}
		_, err := g.ended(ctx, marks[i])
		return err
	})
	if err != nil {
		return wrap("note tasks ended", err)
	}
	return nil
}

// End removes a task whose links have ended or wait, as Ended does, and returns the state of
// its host after that, all earlier writes seen.
func (g *Gauge) End(ctx context.Context, m frontier.Mark) (frontier.Standing, error) {
	row, err := g.ended(ctx, m)
	if err != nil {
		return frontier.Standing{}, wrap("note a task's end", err)
	}
	return g.look(m.Crawl, m.Host, row)
}

func (g *Gauge) ended(ctx context.Context, m frontier.Mark) (item, error) {
	names := map[string]string{"#id": m.ID}
	for i, park := range m.Parks {
		names["#p"+strconv.Itoa(i)] = park
	}
	return g.strike(ctx, m.Crawl, m.Host, &dynamodb.UpdateItemInput{
		ConditionExpression:       ptr("q.#id.h = :hops"),
		ExpressionAttributeNames:  names,
		ExpressionAttributeValues: item{":hops": attr.Number(int64(m.Hops))},
	})
}

// strike removes the marks that in names if its condition holds, and returns the row of
// their host.
func (g *Gauge) strike(ctx context.Context, crawl, host string, in *dynamodb.UpdateItemInput) (item, error) {
	var paths []string
	for name := range in.ExpressionAttributeNames {
		paths = append(paths, "q."+name)
	}
	in.UpdateExpression = ptr("REMOVE " + strings.Join(paths, ", "))
	row, err := g.s.updateHost(ctx, crawl, host, in)
	if _, gone := errors.AsType[*types.ConditionalCheckFailedException](err); gone {
		return row, nil
	}
	return row, err
}

// Standing returns the state of a host in a crawl, for a read unit, or half of one if it may
// miss the latest writes.
func (g *Gauge) Standing(ctx context.Context, crawl, host string, latest bool) (frontier.Standing, error) {
	res, err := g.s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &g.s.opts.Hosts, Key: hostKey(crawl, host), ProjectionExpression: ptr("s, q, c"), ConsistentRead: &latest,
	})
	if err != nil {
		return frontier.Standing{}, wrap("count tasks of "+host, err)
	}
	seen := g.s.hosts
	if res.Item == nil {
		seen = g.s.strangers
	}
	seen.Put(crawl+"#"+host, struct{}{})
	return g.look(crawl, host, res.Item)
}

// look reads the row of a host, nil if it has none.
func (g *Gauge) look(crawl, host string, row item) (frontier.Standing, error) {
	g.s.seenOpen(crawl, host, row)
	now := g.s.opts.Now()
	st := g.standing(row, now)
	st.Host = host
	for id, task := range tasks(row) {
		parked := task["w"] != nil // for as long as its host has visits
		if !parked && g.stale(task, now) {
			continue
		}
		links, err := g.s.held(task)
		if err != nil {
			return frontier.Standing{}, permanent("decode links of "+host, err)
		}
		st.Held = append(st.Held, frontier.URLs(links)...)
		if parked {
			st.Parked, st.Parks = append(st.Parked, links...), append(st.Parks, id)
			if !g.stale(task, now) {
				st.Queued -= int(attr.NumberOf(task["n"]))
			}
		}
	}
	return st, nil
}

// held returns the links that a mark holds.
func (s *Store) held(task item) (links []frontier.Link, err error) {
	packed := attr.BlobOf(task["l"])
	if packed == nil {
		return nil, nil
	}
	text, err := s.codec.unpack(packed)
	if err == nil {
		err = json.Unmarshal(text, &links)
	}
	return links, err
}

// standing reads a host row.
func (g *Gauge) standing(row item, now time.Time) frontier.Standing {
	st := frontier.Standing{Host: attr.TextOf(row["s"]), Queued: g.links(row, now)}
	if row["c"] != nil {
		st.Closed = cmp.Or(attr.TextOf(row["c"]), "closed")
	}
	return st
}

// Queued implements frontier.Gauge: a read unit for one host, one for each
// 4 KB of the crawl's host rows for all.
func (g *Gauge) Queued(ctx context.Context, crawl, host string) (int, error) {
	if host != "" {
		st, err := g.Standing(ctx, crawl, host, true)
		return st.Queued, err
	}
	now := g.s.opts.Now()
	total := 0
	err := g.s.hostRows(ctx, crawl, "q", func(it item) { total += g.links(it, now) })
	if err != nil {
		return 0, wrap("count tasks of "+crawl, err)
	}
	return total, nil
}

// links adds up the live tasks of a host row.
func (g *Gauge) links(row item, now time.Time) int {
	total := 0
	for _, task := range tasks(row) {
		if !g.stale(task, now) {
			total += int(attr.NumberOf(task["n"]))
		}
	}
	return total
}

// tasks returns the tasks in a host row by their ID.
func tasks(row item) map[string]item {
	all := map[string]item{}
	if q, ok := row["q"].(*types.AttributeValueMemberM); ok {
		for id, v := range q.Value {
			if task, ok := v.(*types.AttributeValueMemberM); ok {
				all[id] = task.Value
			}
		}
	}
	return all
}

func (g *Gauge) stale(task item, now time.Time) bool {
	return now.Sub(time.UnixMilli(attr.NumberOf(task["a"]))) > g.s.opts.StaleAfter
}

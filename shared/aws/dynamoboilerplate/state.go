package dynamoboilerplate

import (
	"context"
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/text/boilerplate"
)

// mostWithin is how many segments the item of a host holds. Most hosts of a
// large crawl have few pages and then cost one write for each segment instead
// of two; but every write of a larger item costs more.
const mostWithin = 8

// state is the stored state of a host.
type state struct {
	sketch             *boilerplate.Sketch
	learned            *boilerplate.Learned
	version            string
	revision           int64 // 0: no item
	edition, announced int64
	segments           map[string]string // version that cleaned each segment of the item
}

// takes reports whether a segment is in the item, or fits into it.
func (st *state) takes(segment string) bool {
	_, known := st.segments[segment]
	return known || len(st.segments) < mostWithin && (st.revision == 0 || st.segments != nil)
}

// with returns the state after the pages of a segment, which is in the item
// unless it is apart. A different state has a different revision.
func (st *state) with(pages []boilerplate.Page, segment string, apart bool) *state {
	next := *st
	next.sketch = st.sketch.Clone()
	changed := next.sketch.Add(pages...)
	next.learned = next.sketch.Learned()
	if changed {
		if next.version = next.learned.Version(); next.version != st.version {
			next.edition++
		}
	}
	if !apart && st.segments[segment] != underway {
		next.segments = map[string]string{}
		maps.Copy(next.segments, st.segments)
		next.segments[segment] = underway
		changed = true
	}
	if changed {
		next.revision++
	}
	return &next
}

func (s *Store) read(ctx context.Context, crawl, host string) (*state, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, whole), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, awsfault.Wrap("read lesson of "+host, err)
	}
	st := &state{
		sketch: new(boilerplate.Sketch), version: attr.TextOf(out.Item["v"]), revision: attr.NumberOf(out.Item["r"]),
		edition: attr.NumberOf(out.Item["e"]), announced: attr.NumberOf(out.Item["a"]), segments: textsOf(out.Item["c"]),
	}
	if b := attr.BlobOf(out.Item["d"]); b != nil {
		if st.sketch, err = boilerplate.Decode(b); err != nil {
			return nil, fmt.Errorf("read lesson of %s: %w", host, err)
		}
	}
	return st, nil
}

// write replaces the previous state, and reports whether that was still stored.
// A segment in the item is then being cleaned.
func (s *Store) write(ctx context.Context, crawl, host, segment string, st *state) (bool, error) {
	update := "SET d = :d, v = :v, r = :r, e = :e" + ttlSetting
	names := map[string]string{ttlName: "ttl"}
	values := item{
		":d": attr.Blob(st.sketch.Encode()), ":v": attr.Text(st.version),
		":r": attr.Number(st.revision), ":e": attr.Number(st.edition), ":ttl": s.ttl(),
	}
	condition := "attribute_not_exists(r)"
	if st.revision > 1 {
		condition, values[":old"] = "r = :old", attr.Number(st.revision-1)
	}
	switch _, known := st.segments[segment]; {
	case known && st.revision == 1:
		update += ", c = :c"
		values[":c"] = &types.AttributeValueMemberM{Value: item{segment: attr.Text(underway)}}
	case known:
		update += ", c.#c = :c"
		names["#c"], values[":c"] = segment, attr.Text(underway)
	}
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, whole), UpdateExpression: &update, ConditionExpression: &condition,
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	})
	return applied("write lesson of "+host, err)
}

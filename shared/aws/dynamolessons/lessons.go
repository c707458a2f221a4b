package dynamolessons

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/boilerplate"
	"sluice/shared/clean"
	"sluice/shared/fault"
)

// underway is the version of a segment that is being cleaned: that of no lesson.
const underway = "?"

// mostRaces is how often others may be faster, before a segment is tried again
// as a whole. Cleaners of a host's segments meet at its first pages only.
const mostRaces = 20

var errRaces = errors.New("others were faster too often")

// Learn implements clean.Lessons.
func (s *Store) Learn(ctx context.Context, crawl, host, segment string, pages []boilerplate.Page) (*clean.Lesson, error) {
	if err := s.mark(ctx, crawl, host, segment, underway); err != nil {
		return nil, err
	}
	for lost := range mostRaces {
		if err := pause(ctx, lost); err != nil {
			return nil, err
		}
		held, err := s.read(ctx, crawl, host)
		if err != nil {
			return nil, err
		}
		next := held.with(pages)
		if next.revision > held.revision {
			done, err := s.write(ctx, crawl, host, next)
			if err != nil {
				return nil, err
			}
			if !done {
				continue
			}
		}
		l := &clean.Lesson{Learned: next.learned, Edition: next.edition, News: next.edition != next.announced}
		if l.News {
			l.Stale, err = s.stale(ctx, crawl, host, segment, next.version)
		}
		return l, err
	}
	return nil, fault.New(fault.Retryable, "race", fmt.Errorf("learn from pages of %s: %w", host, errRaces))
}

// pause waits before another try, longer after each that was lost, and never as
// long as another cleaner: at most a second.
func pause(ctx context.Context, lost int) error {
	if lost == 0 {
		return nil
	}
	select {
	case <-time.After(rand.N(10 * time.Millisecond << min(lost, 6))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state is what is known of a host.
type state struct {
	sketch             *boilerplate.Sketch
	learned            *boilerplate.Learned
	version            string
	revision           int64 // 0: there is none
	edition, announced int64
}

// with returns the state after pages; it has another revision if that is another
// one.
func (st *state) with(pages []boilerplate.Page) *state {
	next := *st
	next.sketch = st.sketch.Clone()
	changed := next.sketch.Add(pages...)
	next.learned = next.sketch.Learned()
	if !changed {
		return &next
	}
	next.revision++
	if next.version = next.learned.Version(); next.version != st.version {
		next.edition++
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
		sketch: new(boilerplate.Sketch), version: textOf(out.Item["v"]), revision: numberOf(out.Item["r"]),
		edition: numberOf(out.Item["e"]), announced: numberOf(out.Item["a"]),
	}
	if b, ok := out.Item["d"].(*types.AttributeValueMemberB); ok {
		if st.sketch, err = boilerplate.Decode(b.Value); err != nil {
			return nil, fmt.Errorf("read lesson of %s: %w", host, err)
		}
	}
	return st, nil
}

// write puts a state in the place of the one before it, and reports whether that
// was still there.
func (s *Store) write(ctx context.Context, crawl, host string, st *state) (bool, error) {
	values := item{
		":d": &types.AttributeValueMemberB{Value: st.sketch.Encode()}, ":v": text(st.version),
		":r": number(st.revision), ":e": number(st.edition), ":ttl": s.ttl(),
	}
	condition := "attribute_not_exists(r)"
	if st.revision > 1 {
		condition, values[":old"] = "r = :old", number(st.revision-1)
	}
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, whole),
		UpdateExpression:         aws.String("SET d = :d, v = :v, r = :r, e = :e" + ttlSetting),
		ConditionExpression:      &condition,
		ExpressionAttributeNames: map[string]string{ttlName: "ttl"}, ExpressionAttributeValues: values,
	})
	return applied("write lesson of "+host, err)
}

// applied tells the outcome of a conditional write. One that the SDK sent twice,
// as the first answer was lost, is told as not applied; who asks looks again.
func applied(what string, err error) (bool, error) {
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return false, nil
	}
	return err == nil, awsfault.Wrap(what, err)
}

// mark notes by which version the pages of a host in a segment were cleaned.
func (s *Store) mark(ctx context.Context, crawl, host, segment, version string) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, bySegment+segment),
		UpdateExpression:          aws.String("SET v = :v" + ttlSetting),
		ExpressionAttributeNames:  map[string]string{ttlName: "ttl"},
		ExpressionAttributeValues: item{":v": text(version), ":ttl": s.ttl()},
	})
	return awsfault.Wrap("mark segment "+segment+" of "+host, err)
}

// stale lists the segments that were cleaned by another version.
func (s *Store) stale(ctx context.Context, crawl, host, but, version string) ([]string, error) {
	var names []string
	in := &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression: aws.String("p = :p AND begins_with(s, :s)"), FilterExpression: aws.String("v <> :v"),
		ExpressionAttributeValues: item{
			":p": lessonKey(crawl, host, whole)["p"], ":s": text(bySegment), ":v": text(version),
		},
	}
	for {
		out, err := s.client.Query(ctx, in)
		if err != nil {
			return nil, awsfault.Wrap("list segments of "+host, err)
		}
		for _, it := range out.Items {
			if name := strings.TrimPrefix(textOf(it["s"]), bySegment); name != but {
				names = append(names, name)
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return names, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// Announced implements clean.Lessons.
func (s *Store) Announced(ctx context.Context, crawl, host string, edition int64) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, whole),
		UpdateExpression: aws.String("SET a = :e"), ConditionExpression: aws.String("e = :e"),
		ExpressionAttributeValues: item{":e": number(edition)},
	})
	_, err = applied("announce lesson of "+host, err)
	return err
}

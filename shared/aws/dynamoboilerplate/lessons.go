package dynamoboilerplate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/crawl/clean"
	"sluice/shared/fault"
	"sluice/shared/text/boilerplate"
)

// underway is the version of a segment that is being cleaned. No lesson has it.
const underway = "?"

// mostRaces is how many lost races an attempt may have before the segment is
// retried. Cleaners of a host's segments compete only at its first pages.
const mostRaces = 20

var errRaces = errors.New("too many lost races")

// Learn implements clean.Lessons. It records the segment in the item of its
// host, with the write that adds the pages, or in a separate item if there is
// no room. That happens before the lesson is read, so that a later change of it
// finds the segment.
func (s *Store) Learn(ctx context.Context, crawl, host, segment string, pages []boilerplate.Page) (*clean.Lesson, error) {
	apart := false
	for lost := 0; lost < mostRaces; {
		if lost > 0 { // never as long as another cleaner
			if err := fault.Pause(ctx, fault.Backoff(10*time.Millisecond, 640*time.Millisecond, lost)); err != nil {
				return nil, err
			}
		}
		held, err := s.read(ctx, crawl, host)
		if err != nil {
			return nil, err
		}
		if !apart && !held.takes(segment) {
			if err := s.mark(ctx, crawl, host, segment, underway); err != nil {
				return nil, err
			}
			apart = true
			continue
		}
		next := held.with(pages, segment, apart)
		if next.revision > held.revision {
			done, err := s.write(ctx, crawl, host, segment, next)
			if err != nil {
				return nil, err
			}
			if !done {
				lost++
				continue
			}
		}
		l := &clean.Lesson{Learned: next.learned, Edition: next.edition, News: next.edition != next.announced}
		if l.News {
			l.Stale, err = s.stale(ctx, crawl, host, segment, next)
		}
		return l, err
	}
	return nil, fault.New(fault.Retryable, "race", fmt.Errorf("learn from pages of %s: %w", host, errRaces))
}

// applied returns the outcome of a conditional write. If the SDK sent it twice,
// because the first response was lost, the outcome is "not applied"; the caller
// reads again.
func applied(what string, err error) (bool, error) {
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return false, nil
	}
	return err == nil, awsfault.Wrap(what, err)
}

// mark notes, in a separate item, the version by which the pages of a host in a
// segment were cleaned.
func (s *Store) mark(ctx context.Context, crawl, host, segment, version string) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, bySegment+segment),
		UpdateExpression:          aws.String("SET v = :v" + ttlSetting),
		ExpressionAttributeNames:  map[string]string{ttlName: "ttl"},
		ExpressionAttributeValues: item{":v": attr.Text(version), ":ttl": s.ttl()},
	})
	return awsfault.Wrap("mark segment "+segment+" of "+host, err)
}

// markWithin does the same in the item of the host, and reports whether the
// segment is there.
func (s *Store) markWithin(ctx context.Context, crawl, host, segment, version string) (bool, error) {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: lessonKey(crawl, host, whole),
		UpdateExpression: aws.String("SET c.#c = :v"), ConditionExpression: aws.String("attribute_exists(c.#c)"),
		ExpressionAttributeNames: map[string]string{"#c": segment}, ExpressionAttributeValues: item{":v": attr.Text(version)},
	})
	return applied("mark segment "+segment+" of "+host, err)
}

// stale lists the segments, except one, that were cleaned with another version
// than that of a state.
func (s *Store) stale(ctx context.Context, crawl, host, but string, st *state) ([]string, error) {
	var names []string
	for name, version := range st.segments {
		if name != but && version != st.version {
			names = append(names, name)
		}
	}
	in := &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression: aws.String("p = :p AND begins_with(s, :s)"), FilterExpression: aws.String("v <> :v"),
		ExpressionAttributeValues: item{
			":p": lessonKey(crawl, host, whole)["p"], ":s": attr.Text(bySegment), ":v": attr.Text(st.version),
		},
	}
	for {
		out, err := s.client.Query(ctx, in)
		if err != nil {
			return nil, awsfault.Wrap("list segments of "+host, err)
		}
		for _, it := range out.Items {
			if name := strings.TrimPrefix(attr.TextOf(it["s"]), bySegment); name != but {
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
		ExpressionAttributeValues: item{":e": attr.Number(edition)},
	})
	_, err = applied("announce lesson of "+host, err)
	return err
}

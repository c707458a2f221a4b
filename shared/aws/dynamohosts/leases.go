package dynamohosts

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/web/hosts"
)

// keep is how long a host is remembered after its last lease. A crawl idle for
// longer starts its counts per host from zero.
const keep = 365 * 24 * time.Hour

// The expressions of Acquire. It also creates the map of states, so that
// Release can write into it.
const (
	acquire     = "SET o = :me, u = :end, #ttl = :ttl, c = if_not_exists(c, :none)"
	acquireOnly = "attribute_not_exists(o) OR o = :me OR u <= :now"
)

// Acquire implements hosts.Leases with one conditional write. Its answer, the
// previous item, has everything that the lease needs.
func (s *Store) Acquire(ctx context.Context, crawl, host, owner string, ttl time.Duration) (*hosts.Lease, error) {
	now := s.now()
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: leaseKey(host),
		UpdateExpression: aws.String(acquire), ConditionExpression: aws.String(acquireOnly),
		ExpressionAttributeNames: map[string]string{"#ttl": "ttl"}, // a reserved word
		ExpressionAttributeValues: item{
			":me": attr.Text(owner), ":now": attr.Number(now.UnixMicro()), ":end": attr.Number(now.Add(ttl).UnixMicro()),
			":ttl": attr.Number(now.Add(ttl + keep).Unix()), ":none": &types.AttributeValueMemberM{Value: item{}},
		},
		ReturnValues:                        types.ReturnValueAllOld,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		busy := &hosts.BusyError{Host: host, Until: timeOf(failed.Item["u"])}
		if busy.Until.IsZero() {
			busy.Until = now.Add(ttl) // the answer lacks the item
		}
		return nil, fmt.Errorf("acquire host %s: %w", host, busy)
	}
	if err != nil {
		return nil, awsfault.Wrap("acquire host "+host, err)
	}
	was := out.Attributes
	states := statesOf(was)
	v := visitOf(was, owner, now.Add(ttl))
	v.overdue = states.overdue(crawl, now)
	s.visits.begin(host, v, attr.TextOf(was["o"]) == owner, now)
	lease := &hosts.Lease{Host: host, Owner: owner, Next: next(was, now)}
	if packed, ok := states[crawl]; ok {
		if lease.State, err = unpack(packed); err != nil {
			return nil, fault.New(fault.Permanent, "bad_state", fmt.Errorf("acquire host %s: %w", host, err))
		}
	}
	return lease, nil
}

// next returns the time of the next fetch from the item before a lease. A
// previous owner that is still there has died, perhaps during a fetch. The end
// of its lease need not be stored: the new lease ends later.
func next(was item, now time.Time) time.Time {
	at := timeOf(was["n"])
	if end := timeOf(was["u"]); !end.After(now) && end.After(at) {
		return end
	}
	return at
}

// Release implements hosts.Leases with one conditional write. Only the holder
// of the lease changes the item, so the states that Acquire found overdue still
// are, and the item's rules are those it found and those put since.
func (s *Store) Release(ctx context.Context, crawl string, l *hosts.Lease) error {
	state, err := pack(&l.State, s.now())
	if err != nil {
		return fault.New(fault.Permanent, "bad_state", fmt.Errorf("release host %s: %w", l.Host, err))
	}
	set, remove := []string{"c.#c = :state"}, []string{"o", "u"}
	names := map[string]string{"#c": crawl}
	values := item{":me": attr.Text(l.Owner), ":state": attr.Blob(state)}
	if l.Next.IsZero() {
		remove = append(remove, "n")
	} else {
		set = append(set, "n = :next")
		values[":next"] = attr.Number(l.Next.UnixMicro())
	}
	overdue, riders, changed := s.visits.leaving(l.Host, s.now())
	switch {
	case !changed:
	case len(riders) == 0:
		remove = append(remove, "r")
	default:
		set = append(set, "r = :r")
		values[":r"] = &types.AttributeValueMemberM{Value: riders}
	}
	for i, other := range overdue {
		if other == crawl {
			continue // the lease was acquired for another crawl
		}
		name := "#d" + strconv.Itoa(i)
		names[name] = other
		remove = append(remove, "c."+name)
	}
	_, err = s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: leaseKey(l.Host),
		UpdateExpression:         aws.String("SET " + strings.Join(set, ", ") + " REMOVE " + strings.Join(remove, ", ")),
		ConditionExpression:      aws.String("o = :me"),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	})
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		err = nil // released before, or taken by another
	}
	if err == nil {
		s.visits.end(l.Host, l.Owner)
	}
	return awsfault.Wrap("release host "+l.Host, err)
}

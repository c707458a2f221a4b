package dynamohosts_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/dynamohosts"
	"sluice/shared/aws/dynamotest"
	"sluice/shared/fault"
	"sluice/shared/web/hosts"
)

const (
	host = "a.test"
	ttl  = time.Minute
)

func acquire(t *testing.T, s *dynamohosts.Store, crawl, owner string) *hosts.Lease {
	t.Helper()
	l, err := s.Acquire(t.Context(), crawl, host, owner, ttl)
	if err != nil {
		t.Fatalf("Acquire for %s: %v", owner, err)
	}
	return l
}

func release(t *testing.T, s *dynamohosts.Store, crawl string, l *hosts.Lease) {
	t.Helper()
	if err := s.Release(t.Context(), crawl, l); err != nil {
		t.Fatalf("Release: %v", err)
	}
}

// digests are as many as a crawl keeps of a host, of the length they have.
func digests(n int) map[string]int {
	r := rand.New(rand.NewPCG(1, 2))
	m := map[string]int{}
	for len(m) < n {
		m[strconv.FormatUint(uint64(r.Uint32()), 36)] = 1
	}
	return m
}

// The price of a task: one unit to acquire its host, one to release it.
func TestTaskCost(t *testing.T) {
	s, client, c := open(t)
	state := hosts.State{Pages: 5_000, Failures: 1, Digests: digests(64), Sitemaps: true, Learned: map[string][2]int{}}
	for i := range 20 {
		state.Learned[fmt.Sprintf("/directory%d /a/0/0/0.a?", i)] = [2]int{1000 - i, 7 * i}
	}
	for i := range 10 {
		l := acquire(t, s, "finance-demo", fmt.Sprintf("w%d", i))
		if i > 0 {
			if diff := cmp.Diff(state, l.State); diff != "" {
				t.Errorf("state (-released +acquired):\n%s", diff)
			}
		}
		l.State, l.Next = state, c.Now().Add(time.Second)
		release(t, s, "finance-demo", l)
	}
	if client.writes != 20 || client.reads != 0 || client.answers < 10 || client.units > float64(client.answers) {
		t.Errorf("10 tasks took %d writes and %d reads, and %d of the writes %v units, want 20, 0 and at most a unit each",
			client.writes, client.reads, client.answers, client.units)
	}
}

// The SDK sends a write again when its answer was lost.
func TestLostAnswers(t *testing.T) {
	s, client, c := open(t)
	client.plans = []dynamotest.Fate{{Twice: true}, {Twice: true}}
	l := acquire(t, s, "c", "w1")
	l.State.Pages, l.Next = 7, c.Now().Add(time.Hour).Truncate(time.Microsecond)
	release(t, s, "c", l)
	if got := acquire(t, s, "c", "w2"); got.State.Pages != 7 || !got.Next.Equal(l.Next) {
		t.Errorf("acquired %+v after %+v was released twice", got, l)
	}
}

// Errors that outlast the SDK's retries have their class, and leave the host to
// one owner or none.
func TestErrors(t *testing.T) {
	throttled := &types.ThrottlingException{Message: new(string)}
	for _, tt := range []struct {
		name  string
		plan  dynamotest.Fate
		class fault.Class
		rule  string
		free  bool // for another owner, after an Acquire that failed
	}{
		{"throttled", dynamotest.Fate{Err: throttled}, fault.Retryable, awsfault.RuleThrottled, true},
		{"network, not applied", dynamotest.Fate{Err: errors.New("reset")}, fault.Retryable, awsfault.RuleUnavailable, true},
		{"network, applied", dynamotest.Fate{Lost: errors.New("reset")}, fault.Retryable, awsfault.RuleUnavailable, false},
		{"no table", dynamotest.Fate{Err: &types.ResourceNotFoundException{}}, fault.Broken, awsfault.RuleRefused, true},
	} {
		check := func(t *testing.T, err error) {
			t.Helper()
			if f := fault.Of(err); f == nil || f.Class != tt.class || f.Rule != tt.rule {
				t.Errorf("error %v, want %v, %s", err, tt.class, tt.rule)
			}
		}
		t.Run("acquire "+tt.name, func(t *testing.T) {
			s, client, c := open(t)
			client.plans = []dynamotest.Fate{tt.plan}
			_, err := s.Acquire(t.Context(), "c", host, "w1", ttl)
			check(t, err)
			_, err = s.Acquire(t.Context(), "c", host, "w2", ttl)
			if busy := new(hosts.BusyError); (err == nil) != tt.free || err != nil && !errors.As(err, &busy) {
				t.Errorf("next owner: %v, want free: %v", err, tt.free)
			}
			c.Advance(ttl)
			acquire(t, s, "c", "w3") // in any case, a lease ends
		})
		t.Run("release "+tt.name, func(t *testing.T) {
			s, client, c := open(t)
			l := acquire(t, s, "c", "w1")
			l.State.Pages, l.Next = 7, c.Now().Add(time.Hour)
			client.plans = []dynamotest.Fate{tt.plan}
			check(t, s.Release(t.Context(), "c", l))
			release(t, s, "c", l) // tried again
			if got := acquire(t, s, "c", "w2"); got.State.Pages != 7 || got.Next.Before(c.Now()) {
				t.Errorf("acquired %+v", got)
			}
		})
	}
}

// The map of states in a host's item.
func stored(t *testing.T, client *counting, table string) map[string]types.AttributeValue {
	t.Helper()
	out, err := client.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
		"p": &types.AttributeValueMemberS{Value: "lease#" + host}, "s": &types.AttributeValueMemberS{Value: "-"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := out.Item["c"].(*types.AttributeValueMemberM)
	if !ok {
		t.Fatalf("item %v has no states", out.Item)
	}
	return m.Value
}

// A portal that every crawl visits: states of idle crawls make room.
func TestManyCrawls(t *testing.T) {
	client, table := newTable(t)
	counted, c := &counting{Client: client}, newClock()
	s := process(counted, table, c)
	visit := func(crawl string) {
		l := acquire(t, s, crawl, "w")
		l.State.Pages++
		release(t, s, crawl, l)
	}
	for i := range 60 {
		visit(fmt.Sprintf("old%d", i))
	}
	c.Advance(29 * 24 * time.Hour)
	visit("young")
	if n := len(stored(t, counted, table)); n != 61 {
		t.Errorf("%d states within 30 days, want 61", n)
	}
	c.Advance(2 * 24 * time.Hour)
	visit("old7")
	states := stored(t, counted, table)
	if len(states) != 2 || states["old7"] == nil || states["young"] == nil {
		t.Errorf("%d states after 30 days, want those of old7 and young", len(states))
	}
	if l := acquire(t, s, "old7", "w"); l.State.Pages != 2 {
		t.Errorf("old7 has %d pages, want 2", l.State.Pages)
	}
}

// The item stays below DynamoDB's limit for any number of crawls and size of
// states.
func TestItemSize(t *testing.T) {
	client, table := newTable(t)
	counted, c := &counting{Client: client}, newClock()
	s := process(counted, table, c)
	large := digests(3_000)
	for i := range 40 {
		l := acquire(t, s, fmt.Sprintf("c%d", i), "w")
		l.State = hosts.State{Pages: i + 1, Digests: large}
		release(t, s, fmt.Sprintf("c%d", i), l)
		c.Advance(time.Minute)
	}
	size := 0
	states := stored(t, counted, table)
	for crawl, v := range states {
		b, ok := v.(*types.AttributeValueMemberB)
		if !ok {
			t.Fatalf("state of %s is %T", crawl, v)
		}
		size += len(crawl) + len(b.Value)
	}
	if size > 128<<10 || states["c39"] == nil || states["c0"] != nil {
		t.Errorf("%d states of %d bytes, want the latest, within 128 KB", len(states), size)
	}

	l := acquire(t, s, "huge", "w")
	l.State = hosts.State{Pages: 9, Digests: digests(100_000)}
	release(t, s, "huge", l)
	if l = acquire(t, s, "huge", "w"); l.State.Pages != 9 || len(l.State.Digests) != 0 {
		t.Errorf("of a huge state came back %d pages, %d digests", l.State.Pages, len(l.State.Digests))
	}
	if counted.longestWrite > 4<<10 {
		t.Errorf("an update expression has %d bytes", counted.longestWrite)
	}
}

// An undecodable state does not reset a crawl's counts.
func TestBadState(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	s := process(client, table, c)
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
		"p": &types.AttributeValueMemberS{Value: "lease#" + host}, "s": &types.AttributeValueMemberS{Value: "-"},
		"c": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
			"c": &types.AttributeValueMemberB{Value: []byte("x")},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if l, err := s.Acquire(t.Context(), "c", host, "w", ttl); fault.Of(err) == nil || fault.Of(err).Class != fault.Permanent {
		t.Errorf("Acquire: %+v, %v, want a permanent fault", l, err)
	}
}

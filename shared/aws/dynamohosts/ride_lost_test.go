package dynamohosts_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamotest"
)

// Rules lost before a Release are fetched again.
func TestRulesLost(t *testing.T) {
	t.Run("process dies", func(t *testing.T) {
		client, table := newTable(t)
		c := newClock()
		dead := process(client, table, c)
		acquire(t, dead, "c", "w1")
		put(t, dead, authority, rules(t, c, "/x"))
		c.Advance(ttl)
		s := process(client, table, c)
		acquire(t, s, "c", "w2")
		if r := get(t, s, authority); r != nil {
			t.Errorf("rules that were not written: %v", r)
		}
	})
	for _, same := range []bool{false, true} {
		t.Run(fmt.Sprintf("lease lost, to the same process: %v", same), func(t *testing.T) {
			client, table := newTable(t)
			c := newClock()
			slow, s := process(client, table, c), process(client, table, c)
			if same {
				s = slow
			}
			lost := acquire(t, slow, "c", "w1")
			put(t, slow, authority, rules(t, c, "/old"))
			c.Advance(ttl)
			l := acquire(t, s, "c", "w2")
			put(t, s, authority, rules(t, c, "/new"))
			release(t, slow, "c", lost)
			release(t, s, "c", l)
			release(t, slow, "c", lost)
			if r := get(t, process(client, table, c), authority); r == nil || r.Allowed("/new") {
				t.Errorf("rules are %v, want those of the owner", r)
			}
		})
	}
	t.Run("put after the lease ran out", func(t *testing.T) {
		client, table := newTable(t)
		c := newClock()
		slow := process(client, table, c)
		acquire(t, slow, "c", "w1")
		c.Advance(ttl)
		put(t, slow, authority, rules(t, c, "/x"))
		s := process(client, table, c)
		acquire(t, s, "c", "w2")
		if r := get(t, s, authority); r == nil || r.Allowed("/x") {
			t.Errorf("rules are %v, want those put", r)
		}
	})
	t.Run("release fails and is tried again", func(t *testing.T) {
		client, table := newTable(t)
		counted, c := &counting{Client: client}, newClock()
		s := process(counted, table, c)
		l := acquire(t, s, "c", "w1")
		put(t, s, authority, rules(t, c, "/x"))
		counted.plans = []dynamotest.Fate{{Err: errors.New("reset")}, {Twice: true}}
		if err := s.Release(t.Context(), "c", l); err == nil {
			t.Fatal("no error")
		}
		release(t, s, "c", l)
		other := process(client, table, c)
		acquire(t, other, "c", "w2")
		if r := get(t, other, authority); r == nil || r.Allowed("/x") {
			t.Errorf("rules are %v, want those put", r)
		}
	})
}

// A host that was never leased has no rules but those put since, which may be
// out of memory.
func TestRulesOutOfMemory(t *testing.T) {
	s, client, c := open(t)
	acquire(t, s, "c", "w")
	put(t, s, authority, rules(t, c, noise()[:5_000]...))
	for i := range 8 {
		put(t, s, fmt.Sprintf("https://h%d.test", i), rules(t, c, noise()...))
	}
	if r := get(t, s, authority); r == nil || client.reads != 1 {
		t.Errorf("rules %v, %d reads; want rules after 1 read", r != nil, client.reads)
	}
}

// Expired rules are removed from the item.
func TestExpiredRiders(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	s := process(client, table, c)
	for _, want := range []bool{true, false} {
		l := acquire(t, s, "c", "w")
		if want {
			put(t, s, authority, rules(t, c, "/x"))
		}
		release(t, s, "c", l)
		if it, _ := hostItem(t, client, table); (it["r"] != nil) != want {
			t.Errorf("r is %v, want any: %v", it["r"], want)
		}
		c.Advance(time.Hour)
	}
}

// Items without riders, or edited by hand, still work: rules are found where
// they are, and undecodable ones are removed.
func TestItemsAsFound(t *testing.T) {
	entry := func(b string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(b)} }
	for _, tt := range []struct {
		name string
		r    types.AttributeValue // of the host's item
	}{
		{"before rules rode", nil},
		{"no map", entry("x")},
		{"empty entry", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{authority: entry("")}}},
		{"no JSON", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{authority: entry("j{")}}},
		{"no bytes", &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{authority: &types.AttributeValueMemberNULL{Value: true}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, table := newTable(t)
			c := newClock()
			first := process(client, table, c)
			release(t, first, "c", acquire(t, first, "c", "w"))
			put(t, first, authority, rules(t, c, "/x")) // without a lease: an item of its own
			it, _ := hostItem(t, client, table)
			if it["r"] = tt.r; tt.r == nil {
				delete(it, "r")
			}
			if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: it}); err != nil {
				t.Fatal(err)
			}
			if r := get(t, process(client, table, c), authority); r == nil || r.Allowed("/x") {
				t.Errorf("without a lease: %v", r)
			}
			counted := &counting{Client: client}
			s := process(counted, table, c)
			l := acquire(t, s, "c", "w")
			if r := get(t, s, authority); r == nil || r.Allowed("/x") || counted.reads != 1 {
				t.Errorf("under a lease: %v, %d reads, want 1", r, counted.reads)
			}
			release(t, s, "c", l)
			if it, _ := hostItem(t, client, table); tt.name != "no map" && it["r"] != nil {
				t.Errorf("r is %v, want none", it["r"])
			}
		})
	}
}

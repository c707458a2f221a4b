package dynamohosts_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/dynamohosts"
	"sluice/shared/conformance"
	"sluice/shared/web/hosts"
	"sluice/shared/web/hosts/hoststest"
)

// siteRules are typical rules: a day's validity, some lines and a sitemap.
func siteRules(t *testing.T, c *conformance.Clock) *hosts.Rules {
	t.Helper()
	now := c.Now()
	asked := map[string]any{"again": now.Add(24 * time.Hour)}
	return hoststest.Rules(t, map[string]any{
		"rules":    []string{"+/wp-admin/admin-ajax.php", "-/wp-content/plugins/", "-/wp-admin/", "-/search", "-/*?s="},
		"sitemaps": []string{"https://" + host + "/sitemap_index.xml"},
		"asked":    []any{asked, asked}, "fetched": now, "expires": now.Add(24 * time.Hour),
	})
}

func get(t *testing.T, s *dynamohosts.Store, authority string) *hosts.Rules {
	t.Helper()
	r, err := s.Robots(t.Context(), authority, time.Time{})
	if err != nil {
		t.Fatalf("Robots: %v", err)
	}
	return r
}

func put(t *testing.T, s *dynamohosts.Store, authority string, r *hosts.Rules) {
	t.Helper()
	if err := s.PutRobots(t.Context(), authority, r); err != nil {
		t.Fatalf("PutRobots: %v", err)
	}
}

// hostItem returns the item of the host and its approximate size in DynamoDB.
func hostItem(t *testing.T, client *dynamodb.Client, table string) (it map[string]types.AttributeValue, size int) {
	t.Helper()
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: map[string]types.AttributeValue{
		"p": &types.AttributeValueMemberS{Value: "lease#" + host}, "s": &types.AttributeValueMemberS{Value: "-"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var count func(v types.AttributeValue) int
	count = func(v types.AttributeValue) int {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			return len(v.Value)
		case *types.AttributeValueMemberB:
			return len(v.Value)
		case *types.AttributeValueMemberN:
			return len(v.Value)/2 + 1
		case *types.AttributeValueMemberM:
			n := 3
			for name, v := range v.Value {
				n += len(name) + count(v) + 1
			}
			return n
		}
		t.Fatalf("attribute of type %T", v)
		return 0
	}
	for name, v := range out.Item {
		size += len(name) + count(v)
	}
	return out.Item, size
}

// apart returns how many robots.txt have an item of their own.
func apart(t *testing.T, client *dynamodb.Client, table string) int {
	t.Helper()
	scan, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, it := range scan.Items {
		if it["a"] != nil {
			n++
		}
	}
	return n
}

// A visit with the host's rules costs the two writes of its lease and nothing
// else, in any process.
func TestVisitCost(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	for i, tt := range []struct {
		name  string
		rest  time.Duration // before
		since bool          // rules of this visit are wanted
		known bool          // the rules are
	}{
		{"first", 0, false, false},
		{"second", time.Minute, false, true},
		{"a day later", 24 * time.Hour, false, false},
		{"and again", time.Minute, false, true},
		{"refresh", time.Minute, true, false},
		{"and once more", time.Minute, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.Advance(tt.rest)
			counted := &counting{Client: client}
			s := process(counted, table, c)
			l := acquire(t, s, "finance-demo", fmt.Sprintf("01a2b3c4-d5e6-4f70-8192-a3b4c5d6e7%02d", i))
			var since time.Time
			if tt.since {
				since = c.Now()
			}
			for _, authority := range []string{"http://" + host, "https://" + host} {
				r, err := s.Robots(t.Context(), authority, since)
				if err != nil || (r != nil) != tt.known {
					t.Fatalf("rules of %s: %v, %v, want any: %v", authority, r, err, tt.known)
				}
				if r == nil {
					put(t, s, authority, siteRules(t, c))
				}
				if r := get(t, s, authority); r == nil || r.Allowed("/search") {
					t.Errorf("rules of %s are %v", authority, r)
				}
			}
			_, leased := hostItem(t, client, table)
			l.State.Pages += 3
			l.State.Digests, l.State.Sitemaps = digests(l.State.Pages), true
			l.Next = c.Now().Add(5 * time.Second)
			release(t, s, "finance-demo", l)
			if counted.updates != 2 || counted.writes != 2 || counted.reads != 0 {
				t.Errorf("%d updates of %d writes, %d reads, want 2 updates only", counted.updates, counted.writes, counted.reads)
			}
			if _, size := hostItem(t, client, table); max(leased, size) > 1024 {
				t.Errorf("an item of %d bytes, then %d, want 1 KB at most", leased, size)
			}
		})
	}
	if n := apart(t, client, table); n != 0 {
		t.Errorf("%d items of rules, want none", n)
	}
}

// Rules change their place with their size, and the latest are those that count.
func TestRulesOfChangingSize(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	many := func(last string) []string {
		paths := noise()[:2_000]
		return append(paths, last)
	}
	for i, paths := range [][]string{{"/0"}, many("/1"), {"/2"}, {"/3"}, many("/4"), many("/5"), {"/6"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c.Advance(time.Second)
			s := process(client, table, c)
			l := acquire(t, s, "c", "w")
			get(t, s, authority)
			put(t, s, authority, rules(t, c, paths...))
			if r := get(t, s, authority); r == nil || r.Allowed(paths[len(paths)-1]) {
				t.Error("the holder of the lease has other rules")
			}
			release(t, s, "c", l)
			for _, leased := range []bool{false, true} {
				s := process(client, table, c)
				if leased {
					defer release(t, s, "c", acquire(t, s, "c", "w"))
				}
				if r := get(t, s, authority); r == nil || r.Allowed(paths[len(paths)-1]) {
					t.Errorf("another process (leased: %v) has other rules", leased)
				}
			}
		})
	}
}

// A process with rules from an earlier visit takes over rules that others have
// fetched since.
func TestRulesOfAnotherVisit(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	warm, other := process(client, table, c), process(client, table, c)
	for i, s := range []*dynamohosts.Store{warm, other} {
		l := acquire(t, s, "c", "w")
		put(t, s, authority, rules(t, c, fmt.Sprintf("/%d", i)))
		release(t, s, "c", l)
		c.Advance(time.Second)
	}
	if r := get(t, warm, authority); r == nil || r.Allowed("/0") {
		t.Errorf("without a lease, rules in memory are not used: %v", r)
	}
	acquire(t, warm, "c", "w")
	if r := get(t, warm, authority); r == nil || r.Allowed("/1") {
		t.Errorf("rules that came with the lease are not used: %v", r)
	}
}

// Rules that do not fit the item get one of their own and are found there.
func TestRoomForRules(t *testing.T) {
	ports := make([]string, 20)
	for i := range ports {
		ports[i] = fmt.Sprintf("https://%s:%d", host, 8000+i)
	}
	for _, tt := range []struct {
		name   string
		states int // of other crawls, of some 700 bytes
		keys   []string
		apart  func(n int) bool
	}{
		{"host and www alike", 0, ports[:2], func(n int) bool { return n == 0 }},
		{"many ports", 0, ports, func(n int) bool { return n > 15 }},
		{"many crawls", 3, ports[:1], func(n int) bool { return n == 1 }},
		{"other host", 0, []string{"https://b.test"}, func(n int) bool { return n == 1 }},
		{"no key of a crawl", 0, []string{"https://A.test", "https://a.test:443", "a.test", ""}, func(n int) bool { return n == 4 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, table := newTable(t)
			c := newClock()
			for i := range tt.states {
				s := process(client, table, c)
				l := acquire(t, s, fmt.Sprint(i), "w")
				l.State.Digests = digests(64)
				release(t, s, fmt.Sprint(i), l)
			}
			s := process(client, table, c)
			l := acquire(t, s, "c", "w")
			for _, key := range tt.keys {
				put(t, s, key, siteRules(t, c))
			}
			release(t, s, "c", l)
			if n := apart(t, client, table); !tt.apart(n) {
				t.Errorf("%d of %d have items of their own", n, len(tt.keys))
			}
			if _, size := hostItem(t, client, table); tt.states == 0 && size > 1024 {
				t.Errorf("the host's item has %d bytes", size)
			}
			for _, key := range tt.keys {
				if r := get(t, process(client, table, c), key); r == nil || r.Allowed("/search") {
					t.Errorf("rules of %q are %v", key, r)
				}
			}
		})
	}
}

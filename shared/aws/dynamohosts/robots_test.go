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

	"sluice/shared/aws/dynamotest"
	"sluice/shared/conformance"
	"sluice/shared/fault"
	"sluice/shared/web/hosts"
	"sluice/shared/web/hosts/hoststest"
)

const authority = "https://a.test"

// rules returns rules that forbid paths and hold for an hour.
func rules(t *testing.T, c *conformance.Clock, paths ...string) *hosts.Rules {
	t.Helper()
	signed := make([]string, len(paths))
	for i, p := range paths {
		signed[i] = "-" + p
	}
	return hoststest.Rules(t, map[string]any{"rules": signed, "fetched": c.Now(), "expires": c.Now().Add(time.Hour)})
}

// noise returns paths that no compression makes smaller than 300 KB.
func noise() []string {
	r := rand.New(rand.NewPCG(1, 2))
	paths := make([]string, 30_000)
	for i := range paths {
		paths[i] = "/" + strconv.FormatUint(r.Uint64(), 36) + strconv.FormatUint(r.Uint64(), 36)
	}
	return paths
}

// A warm process does not read the rules of a host again for each task. Without
// a lease they may be in two places.
func TestRobotsInMemory(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	counted := &counting{Client: client}
	s := process(counted, table, c)
	if err := process(client, table, c).PutRobots(t.Context(), authority, rules(t, c, "/x")); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		r, err := s.Robots(t.Context(), authority, time.Time{})
		if err != nil || r == nil || r.Allowed("/x") {
			t.Fatalf("Robots: %v, %v", r, err)
		}
	}
	if counted.reads != 2 {
		t.Errorf("%d reads for 5 tasks, want 2", counted.reads)
	}
	c.Advance(time.Hour)
	if r, err := s.Robots(t.Context(), authority, time.Time{}); r != nil || err != nil {
		t.Errorf("expired rules: %v, %v", r, err)
	}
	if err := process(client, table, c).PutRobots(t.Context(), authority, rules(t, c, "/y")); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Robots(t.Context(), authority, time.Time{}); err != nil || r == nil || !r.Allowed("/x") {
		t.Errorf("rules that another process has renewed: %v, %v", r, err)
	}
}

func TestRobotsOfSize(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	writer, reader := process(client, table, c), process(client, table, c)
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("/section/%d/private/", i)
	}
	for _, tt := range []struct {
		name  string
		paths []string
		kept  bool // for other processes
	}{
		{"small", []string{"/x"}, true},
		{"long", many, true},
		{"noise", noise(), false}, // also replaces the previous rules
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := writer.PutRobots(t.Context(), authority, rules(t, c, tt.paths...)); err != nil {
				t.Fatal(err)
			}
			last := tt.paths[len(tt.paths)-1]
			if r, err := writer.Robots(t.Context(), authority, time.Time{}); err != nil || r == nil || r.Allowed(last) {
				t.Errorf("rules in the process that put them: %v, %v", r != nil, err)
			}
			reader = process(client, table, c)
			if r, err := reader.Robots(t.Context(), authority, time.Time{}); err != nil || (r != nil) != tt.kept || r != nil && r.Allowed(last) {
				t.Errorf("rules in another process: %v, %v, want %v", r != nil, err, tt.kept)
			}
		})
	}
}

func TestRobotsItem(t *testing.T) {
	s, client, c := open(t)
	if err := s.PutRobots(t.Context(), authority, rules(t, c, "/x")); err != nil {
		t.Fatal(err)
	}
	if client.units != 1 {
		t.Errorf("%v units to keep a short robots.txt, want 1", client.units)
	}
	for name, plans := range map[string][]dynamotest.Fate{
		"throttled": {{Err: &types.ThrottlingException{}}},
		"network":   {{Err: errors.New("reset")}},
	} {
		client.plans = plans
		if err := s.PutRobots(t.Context(), authority, rules(t, c, "/z")); fault.Of(err) == nil || fault.Of(err).Class != fault.Retryable {
			t.Errorf("%s: %v, want a retryable fault", name, err)
		}
		if r, err := s.Robots(t.Context(), authority, time.Time{}); err != nil || r == nil || r.Allowed("/x") {
			t.Errorf("%s: the rules before are gone: %v, %v", name, r, err)
		}
	}
}

// Items edited by hand do not cause a panic.
func TestBadRobots(t *testing.T) {
	client, table := newTable(t)
	c := newClock()
	if err := process(client, table, c).PutRobots(t.Context(), authority, rules(t, c, "/x")); err != nil {
		t.Fatal(err)
	}
	scan, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil || len(scan.Items) != 1 {
		t.Fatalf("scan: %v, %v", scan, err)
	}
	for name, d := range map[string]string{"no packing": "?{}", "no zstd": "zzz", "no JSON": "j{"} {
		scan.Items[0]["d"] = &types.AttributeValueMemberB{Value: []byte(d)}
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: scan.Items[0]}); err != nil {
			t.Fatal(err)
		}
		r, err := process(client, table, c).Robots(t.Context(), authority, time.Time{})
		if f := fault.Of(err); f == nil || f.Class != fault.Permanent {
			t.Errorf("%s: %v, %v, want a permanent fault", name, r, err)
		}
	}
}

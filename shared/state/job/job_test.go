package job

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/limits"
)

func valid() *Job {
	return &Job{V: 1, ID: "finance-demo", Topic: "topics/finance.topic", State: Running}
}

func TestCheckID(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "0": true, "finance-demo": true, "a-": true, "2024-11-x": true, "az-09": true, strings.Repeat("a", 63): true,
		"": false, "-a": false, "A": false, "a_b": false, "a b": false, "a/b": false, "a#b": false, "é": false,
		"a{": false, "a:": false, "党": false, "a\n": false, "a\x00": false, strings.Repeat("a", 64): false, "..": false,
	} {
		if err := CheckID(id); (err == nil) != want {
			t.Errorf("CheckID(%q) = %v, want valid: %v", id, err, want)
		}
	}
}

func TestValidate(t *testing.T) {
	if err := valid().Validate(); err != nil {
		t.Fatalf("a valid job: %v", err)
	}
	for _, tt := range []struct {
		name   string
		change func(*Job)
		want   string
	}{
		{"version", func(j *Job) { j.V = 2 }, "version 2"},
		{"id", func(j *Job) { j.ID = "A" }, `crawl is "A"`},
		{"topic elsewhere", func(j *Job) { j.Topic = "raw/x" }, "topic is"},
		{"topic above its folder", func(j *Job) { j.Topic = "topics/../raw/x" }, "topic is"},
		{"topic with a line break", func(j *Job) { j.Topic = "topics/a\nb" }, "topic is"},
		{"no topic", func(j *Job) { j.Topic = "topics/" }, "topic is"},
		{"seed is no URL", func(j *Job) { j.Seeds = []string{"http://a.test/", "file:///etc/passwd"} }, "seeds[1]"},
		{"seed is not canonical", func(j *Job) { j.Seeds = []string{"HTTP://A.test"} }, "canonical"},
		{"too many seeds", func(j *Job) { j.Seeds = make([]string, MaxSeeds+1) }, "10001 seeds"},
		{"scope mode", func(j *Job) { j.Scope = &limits.Scope{Mode: "galaxy"} }, "galaxy"},
		{"scope entry", func(j *Job) { j.Scope = &limits.Scope{Mode: "any", Deny: []string{"a b/c"}} }, "deny entry"},
		{"scope size", func(j *Job) { j.Scope = &limits.Scope{Mode: "any", Allow: make([]string, 1001)} }, "1001"},
		{"pages", func(j *Job) { j.MaxPages = -1 }, "max_pages"},
		{"cost", func(j *Job) { j.MaxCost = -0.5 }, "max_cost"},
		{"threshold", func(j *Job) { j.Thresholds = &Thresholds{Body: -0.5} }, "thresholds.body"},
		{"no number", func(j *Job) { j.Thresholds = &Thresholds{Priority: math.NaN()} }, "thresholds.priority"},
		{"delay", func(j *Job) { j.Delay = 25 * time.Hour }, "delay"},
		{"user agent", func(j *Job) { j.UserAgent = "党" }, "user_agent"},
		{"contact", func(j *Job) { j.Contact = "call me" }, "contact"},
		{"state", func(j *Job) { j.State = "" }, "state"},
		{"running for a reason", func(j *Job) { j.Reason = ReasonMaxPages }, "reason"},
		{"done without a reason", func(j *Job) { j.State = Done }, "reason"},
		{"revisits without a refresh", func(j *Job) { j.Revisit = "sources" }, "are for a refresh"},
		{"revisits what is not known", func(j *Job) { j.RefreshOf, j.Revisit = []string{"a"}, "none" }, `revisit is "none"`},
		{"refreshes itself", func(j *Job) { j.RefreshOf = []string{"a", j.ID} }, "refreshes itself"},
		{"refreshes twice", func(j *Job) { j.RefreshOf = []string{"a", "b", "a"} }, "is repeated"},
		{"refreshes too many", func(j *Job) { j.RefreshOf = make([]string, MaxRefreshed+1) }, "at most 100"},
		{"refreshes what is no crawl", func(j *Job) { j.RefreshOf = []string{"raw/x"} }, "refresh_of"},
		{"too large", func(j *Job) {
			for i := range 200 {
				j.Seeds = append(j.Seeds, fmt.Sprintf("http://a.test/%d/%s", i, strings.Repeat("x", 1900)))
			}
		}, "bytes as JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := valid()
			tt.change(j)
			if err := j.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Validate = %v, want %q in it", err, tt.want)
			}
		})
	}
}

// The largest values of each field are valid, one more is not.
func TestValidateLimits(t *testing.T) {
	seeds := func(n, last int) func(*Job) {
		return func(j *Job) {
			for i := range n {
				j.Seeds = append(j.Seeds, fmt.Sprintf("http://a.test/%d", i))
			}
			j.Seeds[n-1] += strings.Repeat("x", last)
		}
	}
	ids := func(n int) func(*Job) {
		return func(j *Job) {
			for i := range n {
				j.RefreshOf = append(j.RefreshOf, fmt.Sprint(i))
			}
		}
	}
	bytes := func(n int) func(*Job) { // almost as many, then filled up
		return func(j *Job) {
			for i := range 202 {
				j.Seeds = append(j.Seeds, fmt.Sprintf("http://a.test/%03d%s", i, strings.Repeat("x", 1600)))
			}
			b, err := j.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			j.Seeds[0] += strings.Repeat("x", n-len(b))
		}
	}
	for _, tt := range []struct {
		name       string
		most, more func(*Job)
	}{
		{"seeds", seeds(MaxSeeds, 0), seeds(MaxSeeds+1, 0)},
		{"refreshed crawls", ids(MaxRefreshed), ids(MaxRefreshed + 1)},
		{"topic", func(j *Job) { j.Topic = topicFolder + strings.Repeat("x", maxKey-len(topicFolder)) }, func(j *Job) { j.Topic = topicFolder + strings.Repeat("x", maxKey-len(topicFolder)+1) }},
		{"cost", func(j *Job) { j.MaxCost = 1e6 }, func(j *Job) { j.MaxCost = 1e6 + 1 }},
		{"delay", func(j *Job) { j.Delay = 24 * time.Hour }, func(j *Job) { j.Delay = 24*time.Hour + 1 }},
		{"reason", func(j *Job) { j.State, j.Reason = Stopped, strings.Repeat("x", 200) }, func(j *Job) { j.State, j.Reason = Stopped, strings.Repeat("x", 201) }},
		{"bytes", bytes(MaxBytes), bytes(MaxBytes + 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			most, more := valid(), valid()
			tt.most(most)
			tt.more(more)
			if err := most.Validate(); err != nil {
				t.Errorf("the most: %.200v", err)
			}
			if err := more.Validate(); err == nil {
				t.Error("no error for more")
			}
		})
	}
}

// A refresh looks over the crawl and those that it refreshes, as far back as may
// be.
func TestRefreshed(t *testing.T) {
	j := valid()
	j.ID = "j"
	for i := range MaxRefreshed {
		j.RefreshOf = append(j.RefreshOf, fmt.Sprint("j", i))
	}
	if got := j.Refreshed(); len(got) != MaxRefreshed || got[0] != "j" || got[1] != "j0" {
		t.Errorf("refreshed are %v", got)
	}
	if got := valid().Refreshed(); len(got) != 1 || got[0] != valid().ID {
		t.Errorf("of a crawl from scratch refreshed are %v", got)
	}
}

// The keys are stable: other programs read them.
func TestJSON(t *testing.T) {
	at := time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)
	j := &Job{
		V: 1, ID: "c", Topic: "topics/t", Seeds: []string{"http://a.test/?x&y"}, Scope: &limits.Scope{Mode: "host", Deny: []string{"b.test"}},
		Limits: limits.Limits{MaxPages: 10, MaxPagesPerHost: 5, MaxDepth: 3, MaxDuration: 90 * time.Minute}, Deadline: at, MaxCost: 1.5,
		Delay: 200 * time.Millisecond, Contact: "a@b.test", RandomSeed: 1<<64 - 1, Round: 4, State: Done, Reason: ReasonMaxPages,
		Quiet: 1, Spent: &Budgets{MaxPages: 10, Deadline: at, MaxCost: 1.5}, Created: at, Updated: at, Revision: 9,
	}
	const want = `{"v":1,"id":"c","topic":"topics/t","seeds":["http://a.test/?x\u0026y"],"scope":{"mode":"host","deny":["b.test"]},` +
		`"max_pages":10,"max_pages_per_host":5,"max_depth":3,"deadline":"2020-03-30T08:00:00Z","max_cost":1.5,` +
		`"contact":"a@b.test","random_seed":18446744073709551615,"round":4,"state":"done","reason":"max_pages","quiet":1,` +
		`"spent":{"max_pages":10,"deadline":"2020-03-30T08:00:00Z","max_cost":1.5},` +
		`"created":"2020-03-30T08:00:00Z","updated":"2020-03-30T08:00:00Z","revision":9,"delay_ms":200,"max_duration_s":5400}`
	for name, v := range map[string]any{"pointer": j, "value": *j} {
		got, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("JSON of a %s (-want +got):\n%s", name, diff)
		}
	}
	back := new(Job)
	if err := json.Unmarshal([]byte(want), back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(j, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestJSONOfAnotherVersion(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"v":2,"id":"c","state":"running"}`), new(Job)); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("Unmarshal of version 2: %v", err)
	}
}

// A polite delay never becomes shorter in the store.
func TestJSONRoundsUp(t *testing.T) {
	j := valid()
	j.Delay, j.MaxDuration = 1500*time.Microsecond, 1200*time.Millisecond
	b, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, j); err != nil {
		t.Fatal(err)
	}
	if j.Delay != 2*time.Millisecond || j.MaxDuration != 2*time.Second {
		t.Errorf("delay %v, max duration %v", j.Delay, j.MaxDuration)
	}
}

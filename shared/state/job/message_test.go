package job

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/state/limits"
)

const whole = ` {"v":1,"crawl":"finance-demo","topic":"topics/finance.topic",
	"seeds":["HTTP://Finance.Demo.test:80/a?utm_source=x#top","http://b.test","http://b.test/"],
	"max_pages":1000,"max_pages_per_host":100,"max_depth":5,"max_duration":"2h","max_cost":2.5,"delay":"0s",
	"contact":"https://crawl.example/","user_agent":"lab-bot/2.0","scope":{"mode":"prefix","allow":["*.c.test"],"deny":["http://b.test/login/"]},
	"random_seed":18446744073709551615,"archive":"relevant","refresh_of":"finance","revisit":"all","older_than":"7d12h"}
`

func wholeMessage() *Message {
	return &Message{
		Crawl: "finance-demo", Topic: "topics/finance.topic", Seeds: []string{"http://finance.demo.test/a", "http://b.test/"},
		Scope:  &limits.Scope{Mode: "prefix", Allow: []string{"*.c.test"}, Deny: []string{"http://b.test/login/"}},
		Limits: limits.Limits{MaxPages: 1000, MaxPagesPerHost: 100, MaxDepth: 5, MaxDuration: 2 * time.Hour}, MaxCost: 2.5,
		Delay: new(time.Duration), Contact: "https://crawl.example/", UserAgent: "lab-bot/2.0", RandomSeed: math.MaxUint64, Archive: "relevant", RefreshOf: "finance", Revisit: "all", OlderThan: 180 * time.Hour,
	}
}

func TestParseMessage(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       *Message
	}{
		{"everything", whole, wholeMessage()},
		{"start with the topic's seeds", `{"v":1,"crawl":"c","topic":"topics/t"}`, &Message{Crawl: "c", Topic: "topics/t"}},
		{"more seeds", `{"v":1,"crawl":"c","seeds":["http://a.test/"]}`, &Message{Crawl: "c", Seeds: []string{"http://a.test/"}}},
		{"bare URL", "http://A.test/党\n", &Message{Seeds: []string{"http://a.test/%E5%85%9A"}}},
		{
			"scope of the domain", `{"v":1,"crawl":"c","topic":"topics/t","scope":{"allow":["b.test"]}}`,
			&Message{Crawl: "c", Topic: "topics/t", Scope: &limits.Scope{Mode: "domain", Allow: []string{"b.test"}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseMessage([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseMessageRefuses(t *testing.T) {
	start := func(more string) string { return `{"v":1,"crawl":"c","topic":"topics/t",` + more + `}` }
	many := `"http://a.test/"` + strings.Repeat(`,"http://a.test/"`, MaxSeeds)
	wide := `"http://a.test/党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党/0"`
	for i := range 900 {
		wide += strings.ReplaceAll(`,"http://a.test/党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党党/N"`, "N", fmt.Sprint(i+1))
	}
	for _, tt := range []struct{ name, body, want string }{
		{"empty", "", "neither JSON nor a URL"},
		{"blank", " \n", "neither JSON nor a URL"},
		{"not UTF-8", "http://a.test/\xff", "not UTF-8"},
		{"too large", start(`"contact":"` + strings.Repeat("a", MaxMessage) + `"`), "at most 262144"},
		{"file URL", "file:///etc/passwd", "http or https"},
		{"long URL", "http://a.test/" + strings.Repeat("a", 100<<10), "longer than"},
		{"several URLs", "http://a.test/\nhttp://b.test/", "several lines"},
		{"array", `["http://a.test/"]`, "neither JSON nor a URL"},
		{"text", `"http://a.test/"`, "neither JSON nor a URL"},
		{"cut off", `{"v":1,"crawl":"c"`, "not valid JSON"},
		{"comma too many", `{"v":1,}`, "not valid JSON"},
		{"no comma", `{"v":1 "crawl":"c"}`, "not valid JSON"},
		{"something after", `{"v":1,"crawl":"c","topic":"topics/t"} {}`, "follows the end"},
		{"deep", start(`"scope":` + strings.Repeat("[", 20_000)), "not valid JSON"},
		{"empty object", `{}`, "v is missing"},
		{"version", `{"v":2,"crawl":"c","topic":"topics/t"}`, "version 2, want 1"},
		{"version as a text", `{"v":"1","crawl":"c","topic":"topics/t"}`, "v must be a whole number"},
		{"no crawl", `{"v":1,"seeds":["http://a.test/"]}`, "crawl is missing"},
		{"neither topic nor seeds", `{"v":1,"crawl":"c"}`, "topic and seeds are missing"},
		{"crawl id", `{"v":1,"crawl":"C/1","topic":"topics/t"}`, `crawl is "C/1"`},
		{"topic key", `{"v":1,"crawl":"c","topic":"finance"}`, `topic is "finance"`},
		{"unknown key", start(`"max_page":1`), `unknown key "max_page"`},
		{"key in upper case", start(`"Max_Pages":1`), `unknown key "Max_Pages"`},
		{"key twice", start(`"max_pages":1,"max_pages":2`), "max_pages is repeated"},
		{"null", start(`"max_pages":null`), "max_pages is null"},
		{"count as a text", start(`"max_pages":"100"`), "max_pages must be a whole number"},
		{"fraction", start(`"max_pages":1.5`), "max_pages must be a whole number"},
		{"zero", start(`"max_depth":0`), "max_depth must be a whole number from 1"},
		{"too many pages", start(`"max_pages":1000000001`), "max_pages must be"},
		{"duration without a unit", start(`"max_duration":"12"`), "max_duration must be a time"},
		{"duration as a number", start(`"max_duration":12`), "max_duration must be a time"},
		{"negative delay", start(`"delay":"-1s"`), "delay must be a time"},
		{"delay above a day", start(`"delay":"25h"`), "delay must be a time"},
		{"cost", start(`"max_cost":1e999`), "max_cost must be"},
		{"free", start(`"max_cost":0`), "max_cost must be"},
		{"random seed", start(`"random_seed":-1`), "random_seed must be"},
		{"archive", start(`"archive":"some"`), `archive is "some": use kept, relevant or all`},
		{"archive without a start", `{"v":1,"crawl":"c","seeds":["http://a.test/"],"archive":"all"}`, "archive is only for a start"},
		{"refreshed crawl", start(`"refresh_of":"C"`), `refresh_of: crawl is "C"`},
		{"revisit", start(`"refresh_of":"d","revisit":"none"`), `revisit is "none": use all or sources`},
		{"revisit without a refresh", start(`"revisit":"all"`), "revisit is only for a refresh"},
		{"age without a refresh", start(`"older_than":"7d"`), "older_than is only for a refresh"},
		{"age without a unit", start(`"refresh_of":"d","older_than":"7"`), "older_than must be a time"},
		{"negative age", start(`"refresh_of":"d","older_than":"-7d"`), "older_than must be a time"},
		{"age of sources", start(`"refresh_of":"d","older_than":"7d","revisit":"sources"`), "older_than is for pages"},
		{"refresh without a start", `{"v":1,"crawl":"c","seeds":["http://a.test/"],"refresh_of":"d"}`, "refresh_of is only for a start"},
		{"contact", start(`"contact":"me"`), "contact"},
		{"user agent", start(`"user_agent":"two\nlines"`), "user_agent is"},
		{"no contact", start(`"contact":""`), "contact is empty"},
		{"override", start(`"overrides":["a.test delay=1s","a.test delay=1"]`), "overrides[1]: delay=1: want a time"},
		{"override without a start", `{"v":1,"crawl":"c","seeds":["http://a.test/"],"overrides":["a.test delay=1s"]}`, "overrides is only for a start"},
		{"scope key", start(`"scope":{"modes":"any"}`), `unknown key "modes"`},
		{"scope mode", start(`"scope":{"mode":"galaxy"}`), "galaxy"},
		{"scope as a text", start(`"scope":"any"`), "scope must be a JSON object"},
		{"scope entries", start(`"scope":{"mode":"any","allow":["a b/"],"deny":[""]}`), "deny entry"},
		{"seeds as a text", start(`"seeds":"http://a.test/"`), "seeds must be a list"},
		{"no seeds", start(`"seeds":[]`), "seeds are empty"},
		{"null seed", start(`"seeds":[null]`), "seeds[0] is null"},
		{"bad seed", start(`"seeds":["http://a.test/","file:///x"]`), "seeds[1]"},
		{"too many seeds", start(`"seeds":[` + many + `]`), "10001 seeds, at most 10000"},
		{"seeds too long", start(`"seeds":[` + wide + `]`), "the seeds have"},
		{"budget without a start", `{"v":1,"crawl":"c","seeds":["http://a.test/"],"max_pages":5}`, "max_pages is only for a start"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ParseMessage([]byte(tt.body))
			if !errors.Is(err, ErrBadMessage) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("message %+v, error %.300v, want %q", m, err, tt.want)
			}
			if f := fault.Of(err); f.Class != fault.Poison {
				t.Errorf("class %v, want poison", f.Class)
			}
		})
	}
}

// A message and its seeds may be as large as they are allowed to be.
func TestParseMessageLimits(t *testing.T) {
	padded := func(size int) string { return whole + strings.Repeat(" ", size-len(whole)) }
	seeds := func(size int) string { // 9 bytes for each 党 in canonical form
		body := `{"v":1,"crawl":"c","seeds":[`
		for i := range 262 {
			body += fmt.Sprintf(`"http://a.test/%s%05d",`, strings.Repeat("党", 109), i)
		}
		return body + `"http://a.test/` + strings.Repeat("x", size-262_000-len("http://a.test/")) + `"]}`
	}
	for name, body := range map[string]func(size int) string{"message": padded, "seeds": seeds} {
		if _, err := ParseMessage([]byte(body(256 << 10))); err != nil {
			t.Errorf("%s of 256 KiB: %.200v", name, err)
		}
		if _, err := ParseMessage([]byte(body(256<<10 + 1))); !errors.Is(err, ErrBadMessage) {
			t.Errorf("%s above 256 KiB: %.200v", name, err)
		}
	}
}

// All problems are reported at once, but to a limited length.
func TestParseMessageTellsAllProblems(t *testing.T) {
	_, err := ParseMessage([]byte(`{"v":2,"crawl":"C","topic":3,"seeds":["ftp://a"],"max_pages":"x","delay":1,"foo":0}`))
	for _, want := range []string{"version 2", `crawl is "C"`, "topic must", "seeds[0]", "max_pages", "delay", `"foo"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v misses %q", err, want)
		}
	}
	_, err = ParseMessage([]byte(`{"v":1,"crawl":"c","seeds":["x"` + strings.Repeat(`,"x"`, 9_999) + `]}`))
	if err == nil || !strings.Contains(err.Error(), "9980 more problems") || len(err.Error()) > 8<<10 {
		t.Errorf("of 10,000 bad seeds it tells: %.300v", err)
	}
}

func TestMessageJob(t *testing.T) {
	now := time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)
	stack := Defaults{MaxPages: 10_000, Delay: time.Second, Contact: "a@b.test", Now: now}
	got, err := wholeMessage().Job(stack)
	if err != nil {
		t.Fatal(err)
	}
	want := &Job{
		V: 1, ID: "finance-demo", Topic: "topics/finance.topic", Seeds: []string{"http://finance.demo.test/a", "http://b.test/"},
		Scope:  &limits.Scope{Mode: "prefix", Allow: []string{"*.c.test"}, Deny: []string{"http://b.test/login/"}},
		Limits: limits.Limits{MaxPages: 1000, MaxPagesPerHost: 100, MaxDepth: 5, MaxDuration: 2 * time.Hour}, Deadline: now.Add(2 * time.Hour), MaxCost: 2.5,
		Contact: "https://crawl.example/", UserAgent: "lab-bot/2.0", RandomSeed: math.MaxUint64, Archive: "relevant", RefreshOf: []string{"finance"},
		Revisits: limits.Revisits{Revisit: "all", Since: now.Add(-180 * time.Hour)},
		State:    Running, Created: now, Updated: now,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("job of a whole message (-want +got):\n%s", diff)
	}

	got, err = (&Message{Crawl: "c", Topic: "topics/t"}).Job(stack)
	if err != nil {
		t.Fatal(err)
	}
	want = &Job{
		V: 1, ID: "c", Topic: "topics/t", Limits: limits.Limits{MaxPages: 10_000}, Delay: time.Second, Contact: "a@b.test",
		State: Running, Created: now, Updated: now,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("job by the stack's defaults (-want +got):\n%s", diff)
	}

	for name, m := range map[string]*Message{
		"bare URL":   {Seeds: []string{"http://a.test/"}},
		"more seeds": {Crawl: "c", Seeds: []string{"http://a.test/"}},
		"no crawl":   {Topic: "topics/t"},
	} {
		if j, err := m.Job(stack); !errors.Is(err, ErrBadMessage) {
			t.Errorf("job of a message with %s: %+v, %v, want ErrBadMessage", name, j, err)
		}
	}
}

func TestMessageEncode(t *testing.T) {
	for name, m := range map[string]*Message{
		"everything": wholeMessage(),
		"more seeds": {Crawl: "c", Seeds: []string{"http://a.test/?x&y"}},
	} {
		body, err := m.Encode()
		if err != nil {
			t.Fatalf("Encode %s: %v", name, err)
		}
		got, err := ParseMessage(body)
		if err != nil {
			t.Fatalf("parse what Encode wrote: %v", err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%s (-encoded +parsed):\n%s", name, diff)
		}
	}
	for name, m := range map[string]*Message{
		"no crawl": {Seeds: []string{"http://a.test/"}},
		"no seeds": {Crawl: "c"},
		"bad cost": {Crawl: "c", Topic: "topics/t", MaxCost: math.NaN()},
	} {
		if body, err := m.Encode(); !errors.Is(err, ErrBadMessage) {
			t.Errorf("Encode of a message with %s: %s, %v, want ErrBadMessage", name, body, err)
		}
	}
}

// Every message is either refused with ErrBadMessage, or can be sent again and
// makes a valid job.
func FuzzParseMessage(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("http://a.test/"))
	f.Add([]byte(`{"v":1,"crawl":"c","seeds":["http://a.test/"]}`))
	f.Add([]byte(`{"v":1,"crawl":"c","topic":"topics/t","scope":{"mode":"any","deny":["*.a.test"]}}`))
	f.Add([]byte(`{"v":2,"crawl":null,"seeds":[null,1],"v":1}{`))
	f.Add([]byte(`{"v":1,"crawl":"c","topic":"topics/t","delay":"1h1m1.000001s","max_cost":1e-300}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := ParseMessage(body)
		if err != nil {
			if !errors.Is(err, ErrBadMessage) || fault.Of(err).Class != fault.Poison {
				t.Fatalf("error %v is no ErrBadMessage", err)
			}
			return
		}
		if m.Crawl == "" {
			if len(m.Seeds) != 1 {
				t.Fatalf("bare URL with seeds %q", m.Seeds)
			}
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatalf("encode %+v: %v", m, err)
		}
		back, err := ParseMessage(again)
		if err != nil {
			t.Fatalf("parse %s: %v", again, err)
		}
		if diff := cmp.Diff(m, back); diff != "" {
			t.Fatalf("changed by sending (-parsed +again):\n%s", diff)
		}
		if m.Topic == "" {
			return
		}
		j, err := m.Job(Defaults{Now: time.Unix(0, 0).UTC()})
		if err != nil || j.Validate() != nil {
			t.Fatalf("job of %s: %v", again, err)
		}
	})
}

package plan_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sluice/shared/crawl/plan"
	"sluice/shared/demo"
	"sluice/shared/fault"
	"sluice/shared/rank"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

func parse(t *testing.T, raw ...string) []urlnorm.URL {
	t.Helper()
	var urls []urlnorm.URL
	for _, r := range raw {
		u, err := urlnorm.Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, u)
	}
	return urls
}

func TestIsHome(t *testing.T) {
	for url, want := range map[string]bool{
		"http://127.0.0.1:8080/":              true,
		"http://[::1]/":                       true,
		"http://localhost/":                   true,
		"http://a.localhost/":                 true,
		"http://" + demo.Domain + "/":         true,
		"http://www." + demo.Domain + "/":     true,
		"http://not" + demo.Domain + "/":      false,
		"http://" + demo.Domain + ".example/": false,
		"http://10.0.0.1/":                    false,
		"http://example.com/":                 false,
	} {
		if got := plan.IsHome(parse(t, url)[0]); got != want {
			t.Errorf("IsHome(%s) = %v, want %v", url, got, want)
		}
	}
}

// Without a contact no other server is asked, even after a redirect.
func TestVisitorStaysAtHome(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(r.UserAgent()))
	}))
	defer srv.Close()
	seeds := parse(t, srv.URL)
	m := plan.Manners{Version: "1", Inside: plan.Inside(seeds)}
	v, err := m.Visitor(seeds)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Fetch(t.Context(), &fetch.Request{URL: srv.URL + "/"}); err != nil {
		t.Errorf("fetch at home: %v", err)
	}
	_, err = v.Fetch(t.Context(), &fetch.Request{URL: "http://example.com/"})
	if f := fault.Of(err); !errors.Is(err, plan.ErrNoContact) || f.Class != fault.Permanent {
		t.Errorf("fetch of a public server: %v", err)
	}
	if _, err := m.Visitor(parse(t, "http://example.com/")); !errors.Is(err, plan.ErrNoContact) {
		t.Errorf("seed on a public server: %v", err)
	}
	m.Contact = "call me"
	if _, err := m.Visitor(seeds); !errors.Is(err, plan.ErrNoContact) {
		t.Errorf("invalid contact: %v", err)
	}
}

func TestVisitorGuards(t *testing.T) {
	m := plan.Manners{Version: "1", Contact: "a@example.com"}
	v, err := m.Visitor(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	_, err = v.Fetch(context.Background(), &fetch.Request{URL: "http://127.0.0.1:1/"})
	if f := fault.Of(err); f == nil || f.Class != fault.Permanent {
		t.Errorf("fetch of an inside address: %v, want a permanent fault", err)
	}
}

func TestSeeds(t *testing.T) {
	compiled := &topic.Compiled{File: &topic.File{Name: "t", Seeds: []string{"http://topic.example/"}}}
	got, err := plan.Seeds(nil, compiled)
	if err != nil || len(got) != 1 || got[0].String() != "http://topic.example/" {
		t.Errorf("seeds of the topic: %v, %v", got, err)
	}
	_, err = plan.Seeds([]string{"http://a.example/", "file:///etc/passwd", "nonsense"}, compiled)
	if !errors.Is(err, plan.ErrSeeds) || !strings.Contains(err.Error(), "file:") || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("bad seeds: %v", err)
	}
	if _, err := plan.Seeds(nil, &topic.Compiled{File: &topic.File{Name: "t"}}); !errors.Is(err, plan.ErrSeeds) {
		t.Errorf("no seeds: %v", err)
	}
}

// A host gets half of the topic's pages, also in a run that may fetch fewer or
// more, unless the run says otherwise.
func TestPagesPerHost(t *testing.T) {
	compiled, err := topic.Read("t.yaml", []byte("name: t\nlanguage: en\nwords: [bank]\nbudgets: {max_pages: 101}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		given limits.Limits
		want  int
	}{{limits.Limits{}, 51}, {limits.Limits{MaxPages: 2}, 51}, {limits.Limits{MaxPages: 900}, 51}, {limits.Limits{MaxPagesPerHost: 7}, 7}} {
		p := plan.Params{Topic: compiled, Seeds: parse(t, "http://a.example/"), Limits: tt.given}
		got, err := p.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if got.PagesPerHost != tt.want {
			t.Errorf("with %+v a host gets %d pages, want %d", tt.given, got.PagesPerHost, tt.want)
		}
	}
}

// A job is named to servers as its message says.
func TestUserAgentOfJob(t *testing.T) {
	compiled := &topic.Compiled{File: &topic.File{Name: "t", Seeds: []string{"http://127.0.0.1/"}, Words: []topic.Word{{Text: "a"}}, Scope: topic.Scope{Scope: limits.Scope{Mode: "domain"}}}}
	params, err := plan.Of(&job.Job{ID: "c", UserAgent: "lab-bot/2.0"}, compiled)
	if err != nil {
		t.Fatal(err)
	}
	_, visitor, err := params.Begin(plan.Manners{Version: "1", Contact: "a@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	defer visitor.Close()
	if want := "lab-bot/2.0 sluice/1 (+a@example.com)"; visitor.UserAgent != want {
		t.Errorf("User-Agent %q, want %q", visitor.UserAgent, want)
	}
}

// A job goes on by the strategy that it was begun with, one of an old stack by the
// only one that there was.
func TestStrategyOfJob(t *testing.T) {
	file, err := topic.Parse("t.yaml", []byte("name: t\nwords: [央行]\nseeds: ['http://127.0.0.1/']\n"))
	if err != nil {
		t.Fatal(err)
	}
	compiled := file.Compiled()
	for strategy, judgesText := range map[string]bool{"": false, "semantic": false, "best-first": true, "hybrid": true} {
		j := &job.Job{ID: "c", Strategy: strategy, Archive: "relevant"}
		params, err := plan.Of(j, compiled)
		if err != nil {
			t.Fatal(err)
		}
		p, err := params.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Order(j, compiled); err != nil {
			t.Fatal(err)
		}
		_, learns := p.Strategy.(rank.Learner)
		if p.Archive != "relevant" {
			t.Errorf("archive %q", p.Archive)
		}
		if p.JudgeText != judgesText || (p.BodyThreshold > 0) != judgesText || learns != (strategy == "hybrid") || (j.Order != nil) != judgesText {
			t.Errorf("%q: %T, order %+v, texts %v above %v", strategy, p.Strategy, j.Order, p.JudgeText, p.BodyThreshold)
		}
	}
}

package clean_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/demo"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
	compiled "sluice/topics"
)

// handler asks a handler in place of a server, so that no time passes.
type handler struct{ http.Handler }

// Fetch implements fetch.Client.
func (h handler) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil))
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", rec.Code, http.StatusText(rec.Code))
	if err := rec.Header().Write(&head); err != nil {
		return nil, err
	}
	head.WriteString("\r\n")
	raw := rec.Body.Bytes()
	body, err := fetch.Decode(rec.Header(), raw, 16<<20)
	return &fetch.Response{
		URL: r.URL, Status: rec.Code, Proto: "HTTP/1.1", Header: rec.Header(), Location: rec.Header().Get("Location"),
		Raw: raw, Body: body, RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: head.Bytes(),
		Start: time.Now(), End: time.Now(),
	}, err
}

// taken is a corpus.Store that keeps what the step gives it.
type taken struct {
	exchanges []*corpus.Exchange
	documents map[string]corpus.Document
}

func (s *taken) Put(_ context.Context, x *corpus.Exchange, d *corpus.Document) (corpus.Location, error) {
	s.exchanges = append(s.exchanges, x)
	s.documents[x.URL] = *d
	return corpus.Location{File: segment}, corpus.Check(x, d)
}

func (s *taken) Reject(context.Context, *corpus.Reject) error { return nil }
func (s *taken) Sync(context.Context) error                   { return nil }

// newDemoStack returns a stack and what the step kept of the demo web.
func newDemoStack(t *testing.T) (*stack, *taken) {
	t.Helper()
	s := newStack(t)
	var err error
	if s.topic, err = topic.Decode(compiled.FinanceCompiled); err != nil {
		t.Fatal(err)
	}
	kept := &taken{documents: map[string]corpus.Document{}}
	s.crawlDemo(t, kept)
	return s, kept
}

// Every page of the demo web that the step keeps becomes, from its bytes and
// its trace alone, the document that the step made of it.
func TestSameAsStep(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		s, kept := newDemoStack(t)
		if len(kept.documents) < 50 {
			t.Fatalf("the step kept %d pages: too few to tell", len(kept.documents))
		}
		s.put(t, kept.exchanges)
		for url := range kept.documents {
			s.ends[url] = &ledger.Entry{Segment: segment, Verdict: ledger.Kept}
		}
		if err := s.clean(t, false); err != nil {
			t.Fatal(err)
		}
		want := map[string]corpus.Document{}
		for url, d := range kept.documents {
			want[url] = stored(t, d)
		}
		got := s.documents(t)
		for url, d := range got {
			d.WARC = corpus.Location{}
			got[url] = d
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("documents (-step +clean):\n%s", diff)
		}
	})
}

// stored returns a document as its line is read again.
func stored(t *testing.T, d corpus.Document) corpus.Document {
	t.Helper()
	line, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	var back corpus.Document
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	back.WARC = corpus.Location{}
	return back
}

// crawlDemo takes a step's tasks through the demo web until nothing waits.
func (s *stack) crawlDemo(t *testing.T, store corpus.Store) {
	t.Helper()
	web := demo.New()
	st, err := sqlitestore.Open(filepath.Join(t.TempDir(), "state.db"), sqlitestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	guard, err := fetch.NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	params, err := plan.Of(&job.Job{ID: "one", Seeds: web.Seeds(), Contact: "mailto:a@b.test"}, s.topic)
	if err != nil {
		t.Fatal(err)
	}
	params.Scope = &limits.Scope{Mode: urlnorm.ModeAny}
	drawn, err := params.Plan()
	if err != nil {
		t.Fatal(err)
	}
	client := handler{web}
	runner := step.New(drawn, step.Ports{
		Fetch: client, Guard: guard, Robots: &hosts.Robots{Client: client, Cache: st.Robots()},
		Leases: st.Leases(), Ledger: st.Ledger(), History: st.Ledger(), Decisions: st.Ledger(),
		Backlog: st.Backlog(), Dead: st.Queue(), Corpus: store,
	}, step.Options{TaskTime: time.Hour, LeaseTime: 2 * time.Hour, Patience: time.Minute})
	for _, u := range web.Seeds() {
		if err := st.Backlog().Add(t.Context(), "one", []frontier.Link{{URL: u, Seed: u, IsSeed: true, Priority: frontier.SeedPriority}}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; ; n++ {
		waiting, err := st.Backlog().Waiting(t.Context(), "one", 0, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(waiting) == 0 {
			return
		}
		s.runTask(t, st, runner, fmt.Sprint(n), waiting[0].Host)
	}
}

// runTask takes a task of a host out of the backlog and through the step.
func (s *stack) runTask(t *testing.T, st *sqlitestore.Store, runner *step.Step, id, host string) {
	t.Helper()
	links, err := st.Backlog().Best(t.Context(), "one", host, 0, frontier.MaxLinks)
	if err != nil {
		t.Fatal(err)
	}
	urls := make([]string, len(links))
	for i, l := range links {
		urls[i] = l.URL
	}
	if err := st.Backlog().Remove(t.Context(), "one", host, urls); err != nil {
		t.Fatal(err)
	}
	task := &frontier.Task{ID: id, Crawl: "one", Host: host, Links: links}
	if _, err := runner.Run(t.Context(), task, step.Grant{Owner: id}); err != nil {
		t.Fatal(err)
	}
}

package operator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/learning"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// met is a page that a crawl fetched into the segment raw/c/1.warc.gz.
type met struct {
	link    frontier.Link
	verdict ledger.Verdict
	target  string // of a redirect
	place   corpus.Location
}

func (p *met) trace(t *testing.T) []byte {
	t.Helper()
	b, err := json.Marshal(&step.Trace{Link: p.link, Target: p.target, Title: "secret title of " + p.link.URL})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	secretSegment = "raw/c/1.warc.gz"
	secretRecords = "records/c/a.test/detail/00001.jsonl"
)

// secretPages: short and next redirect to gone, on which child was found.
func secretPages() []*met {
	kept := func(l frontier.Link) *met { return &met{link: l, verdict: ledger.Kept} }
	return []*met{
		kept(frontier.Link{URL: "http://a.test/stays", Seed: "http://a.test/"}),
		{link: frontier.Link{URL: "http://b.test/short", Seed: "http://a.test/"}, verdict: ledger.Redirected, target: "/next"},
		{link: frontier.Link{URL: "http://b.test/next", Seed: "http://a.test/", Origin: "http://b.test/short", Hops: 1}, verdict: ledger.Redirected, target: "http://a.test/gone"},
		kept(frontier.Link{URL: "http://a.test/gone", Seed: "http://a.test/", Origin: "http://b.test/short", Hops: 2}),
		kept(frontier.Link{URL: "http://a.test/child", Seed: "http://a.test/", Parent: "http://a.test/gone", Anchor: "secret anchor"}),
		{link: frontier.Link{URL: "http://c.test/refused", Seed: "http://a.test/", Parent: "http://a.test/gone", Anchor: "secret anchor"}, verdict: ledger.Rejected},
	}
}

// newSecrets creates a stack with a paused, cleaned crawl of these pages and
// some waiting links.
func newSecrets(t *testing.T) *testStack {
	t.Helper()
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	enc := new(corpus.Encoder)
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	data := corpus.AppendInfo(nil, &corpus.Info{Filename: "1.warc.gz", Date: at}, enc)
	var documents, rejects []byte
	var ends []ledger.End
	for _, p := range secretPages() {
		e := &ledger.Entry{Verdict: p.verdict, Fetched: true, Trace: p.trace(t), At: at}
		switch p.verdict {
		case ledger.Kept:
			var span corpus.Span
			before := int64(len(data))
			data, span = corpus.AppendExchange(data, &corpus.Exchange{
				URL: p.link.URL, Date: at, RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: []byte("HTTP/1.1 200 OK\r\n\r\n"),
				Body: []byte("secret text of " + p.link.URL), Metadata: p.trace(t),
			}, enc)
			p.place = corpus.Location{File: secretSegment, Offset: before + span.Offset, Length: span.Length}
			e.Relevant, e.Segment, e.Offset, e.Length = true, secretSegment, p.place.Offset, p.place.Length
			d := &corpus.Document{
				URL: p.link.First(), FinalURL: p.link.URL, Text: "secret text of " + p.link.URL, WARC: p.place,
				Path: corpus.Path{Seed: p.link.Seed, Parent: p.link.Parent, Anchor: p.link.Anchor},
			}
			var err error
			if documents, err = d.AppendJSON(documents); err != nil {
				t.Fatal(err)
			}
		case ledger.Rejected:
			r := &corpus.Reject{URL: p.link.First(), FinalURL: p.link.URL, Rule: reading.RuleNoText, Parent: p.link.Parent, Anchor: p.link.Anchor, Date: corpus.Date{Time: at}}
			var err error
			if data, _, err = corpus.AppendReject(data, r, enc); err != nil {
				t.Fatal(err)
			}
			if rejects, err = r.AppendJSON(rejects); err != nil {
				t.Fatal(err)
			}
			e.Segment, e.Rule = secretSegment, reading.RuleNoText
		}
		ends = append(ends, ledger.End{URL: p.link.URL, Entry: e})
	}
	line, err := json.Marshal(&ledger.Decision{Link: frontier.Link{URL: "http://d.test/let-go", Parent: "http://a.test/gone", Anchor: "secret anchor"}, Rule: "priority"})
	if err != nil {
		t.Fatal(err)
	}
	data, _ = corpus.AppendDecisions(data, [][]byte{line}, at, enc)
	s.End(t, "c", ends...)
	s.PutObject(t, secretSegment, string(data))
	s.PutObject(t, "corpus/c/1.jsonl", string(documents))
	s.PutObject(t, "rejects/c/1.jsonl", string(rejects))
	s.PutObject(t, secretRecords, recordLine(t, "http://a.test/stays", secretSegment)+recordLine(t, "http://a.test/gone", secretSegment))
	err = s.parts.Store.Backlog().Add(t.Context(), "c", []frontier.Link{
		{URL: "http://w.test/1", Priority: 1}, {URL: "http://w.test/2", Priority: 2}, {URL: "http://a.test/waits", Priority: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pause(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	s.noteRecords(t, job.Records{"a.test": {Made: true, Counts: map[string]int{"a.test/detail": 2}}})
	return s
}

func (s *testStack) forget(t *testing.T, opts forget.Options, texts ...string) ForgottenCrawl {
	t.Helper()
	targets, err := forget.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Forget(t.Context(), nil, targets, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Crawls) != 1 {
		t.Fatalf("forgotten in %d crawls", len(out.Crawls))
	}
	return out.Crawls[0]
}

// objects reads the bucket.
func (s *testStack) objects(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for obj, err := range s.parts.Objects.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.parts.Objects.Get(t.Context(), obj.Key, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		all[obj.Key] = string(data)
	}
	return all
}

// checkSecrets checks that no object and no entry names forgotten pages, and
// that the documents still lead to their exchanges.
func (s *testStack) checkSecrets(t *testing.T, secrets ...string) {
	t.Helper()
	places := map[corpus.Location]string{}
	objects := s.objects(t)
	for rec, err := range corpus.ReadWARC(strings.NewReader(objects[secretSegment])) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == "response" {
			places[corpus.Location{File: secretSegment, Offset: rec.Offset, Length: rec.Length}] = rec.TargetURI
		}
		for _, secret := range secrets {
			if bytes.Contains(rec.Block, []byte(secret)) || strings.Contains(rec.TargetURI, secret) {
				t.Errorf("record at byte %d, a %s of %s, holds %q", rec.Offset, rec.Type, rec.TargetURI, secret)
			}
		}
	}
	for key, data := range objects {
		for _, secret := range secrets {
			if strings.Contains(data, secret) && !strings.HasPrefix(key, forgottenFolder) {
				t.Errorf("%s holds %q", key, secret)
			}
		}
	}
	for line := range strings.Lines(objects["corpus/c/1.jsonl"]) {
		var d corpus.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if places[d.WARC] != d.FinalURL {
			t.Errorf("%s leads to the exchange of %q", d.FinalURL, places[d.WARC])
		}
	}
	for _, p := range secretPages() {
		e, err := s.parts.Store.Ledger().Entry(t.Context(), "c", p.link.URL)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if e != nil && bytes.Contains(e.Trace, []byte(secret)) {
				t.Errorf("the entry of %s holds %q", p.link.URL, secret)
			}
		}
	}
}

func TestForgetURL(t *testing.T) {
	for _, target := range []string{"https://a.test/x/../gone#top", "http://b.test/short"} {
		t.Run(target, func(t *testing.T) {
			s := newSecrets(t)
			before := s.objects(t)
			dry := s.forget(t, forget.Options{DryRun: true}, target)
			if diff := cmp.Diff(before, s.objects(t)); diff != "" {
				t.Errorf("a dry run changes objects: %s", diff)
			}
			s.explain(t, "http://a.test/gone", "kept")
			done := s.forget(t, forget.Options{}, target)
			if !strings.HasPrefix(done.Log, "forgotten/c/") {
				t.Errorf("the log is %q", done.Log)
			}
			dry.Log = done.Log
			if diff := cmp.Diff(dry, done); diff != "" {
				t.Errorf("what would go, and what went (-want +got):\n%s", diff)
			}
			want := forget.Tally{Documents: 1, Records: 3, Entries: 3, Bytes: done.Targets[0].Bytes}
			if diff := cmp.Diff(want, done.Targets[0].Tally); diff != "" {
				t.Errorf("tally (-want +got):\n%s", diff)
			}
			s.checkSecrets(t, "/gone", "/short", "/next", "secret anchor")
			if st, err := s.Look(t.Context(), "c"); err != nil || st.Records["a.test/detail"] != 1 {
				t.Errorf("of 2 records 1 was of the page, and %v are left, error %v", st.Records, err)
			}
			for _, at := range []string{"http://a.test/gone", "http://b.test/short", "http://b.test/next"} {
				s.explain(t, at, "forgotten")
			}
			if x := s.explain(t, "http://a.test/child", "kept"); x.Link.Parent != "" || x.Link.Anchor != "" {
				t.Errorf("what was found there is explained as %+v", x.Link)
			}
			st, err := s.parts.Store.Ledger().Totals(t.Context(), "c")
			if err != nil || st.Verdicts[ledger.Kept] != 2 || st.Verdicts[ledger.Forgotten] != 3 || st.Fetched != 3 || st.Relevant != 2 || st.Verdicts[ledger.Redirected] != 0 {
				t.Errorf("totals %+v, error %v", st, err)
			}
			history, err := s.parts.Store.Ledger().Sample(t.Context(), "c", 0, 10, rand.New(rand.NewPCG(1, 2)))
			if err != nil || strings.Contains(fmt.Sprint(history), "gone") || len(history) != 2 {
				t.Errorf("history %v, error %v", history, err)
			}
			j, err := s.parts.Jobs.Get(t.Context(), "c")
			if err != nil || j.Forgotten.Len() != 3 || j.State != job.Paused {
				t.Errorf("the crawl refuses %d URLs, want 3, error %v", j.Forgotten.Len(), err)
			}
			again := s.forget(t, forget.Options{}, target)
			if !again.Targets[0].Empty() || len(again.Files) > 0 {
				t.Errorf("done again, more went: %+v", again)
			}
		})
	}
}

// An export that is updated loses the forgotten pages.
func TestForgetAndExport(t *testing.T) {
	s := newSecrets(t)
	dir := t.TempDir()
	s.export(t, dir, ExportOptions{})
	time.Sleep(time.Second) // exports compare object times by the second
	s.forget(t, forget.Options{}, "http://a.test/gone")
	if out := s.export(t, dir, ExportOptions{}); out.Copied != 3 || out.Documents != 2 || out.Missing != 0 {
		t.Errorf("exported %+v, want 3 files of 2 documents", out)
	}
	for name, data := range exported(t, dir) {
		for rec, err := range corpus.ReadWARC(strings.NewReader(data)) {
			if strings.HasPrefix(name, "warc/") && (err != nil || bytes.Contains(rec.Block, []byte("/gone"))) {
				t.Errorf("%s at byte %d holds what is forgotten, error %v", name, rec.Offset, err)
			}
		}
		if strings.Contains(data, "/gone") {
			t.Errorf("%s holds what is forgotten", name)
		}
	}
}

func TestForgetHost(t *testing.T) {
	s := newSecrets(t)
	done := s.forget(t, forget.Options{}, "nobody.test", "a.test", "*.w.test")
	if got := done.Targets[1].Tally; got.Documents != 3 || got.Records != 9 || got.Links != 1 || got.Entries != 5 {
		t.Errorf("of a.test went %+v", got)
	}
	if got := done.Targets[2].Tally; got.Links != 2 || !done.Targets[0].Empty() {
		t.Errorf("of *.w.test went %+v, of nobody.test %+v", got, done.Targets[0])
	}
	s.checkSecrets(t, "/gone", "/stays", "/child", "secret anchor", "/next")
	s.explain(t, "http://a.test/never-seen", "forgotten")
	s.explain(t, "http://w.test/1", "forgotten")
	hosts, err := s.parts.Store.Gauge().Standings(t.Context(), "c")
	if err != nil || len(hosts) != 0 {
		t.Errorf("hosts %v are left, error %v", hosts, err)
	}
	states, err := s.parts.Store.Ledger().States(t.Context(), "c", []string{"http://w.test/1"})
	if err != nil || states[0] != ledger.Absent {
		t.Errorf("a link that waited is %v, error %v", states, err)
	}
}

func TestForgetRefuses(t *testing.T) {
	s := newSecrets(t)
	targets, err := forget.ParseAll([]string{"a.test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), []string{"other"}, targets, forget.Options{}); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("in an unknown crawl: %v, want ErrUnknown", err)
	}
	if _, err := s.parts.Jobs.Update(t.Context(), "c", (*job.Job).Resume); err != nil {
		t.Fatal(err)
	}
	before := s.objects(t)
	if _, err := s.Forget(t.Context(), []string{"c"}, targets, forget.Options{}); !errors.Is(err, ErrRequest) {
		t.Errorf("in a crawl that is running: %v, want ErrRequest", err)
	}
	if diff := cmp.Diff(before, s.objects(t)); diff != "" {
		t.Errorf("objects have changed: %s", diff)
	}
	// A worker may still be at a task of a crawl that was just paused.
	task := frontier.NewTask("c", "a.test", []frontier.Link{{URL: "http://a.test/late"}}, time.Now())
	if err := s.parts.Queue.Send(t.Context(), []frontier.Outgoing{{Task: task}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), nil, targets, forget.Options{DryRun: true}); err != nil { // leaves its mark
		t.Errorf("a dry run in a crawl that is running: %v", err)
	}
	if _, err := s.Pause(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), nil, targets, forget.Options{}); !errors.Is(err, ErrRequest) {
		t.Errorf("with tasks under way: %v, want ErrRequest", err)
	}
	s.now = func() time.Time { return time.Now().Add(drain) }
	if _, err := s.Forget(t.Context(), nil, targets, forget.Options{}); err != nil {
		t.Errorf("later: %v", err)
	}
}

// The words that a crawl has learned go with its pages.
func TestForgetWords(t *testing.T) {
	s := newSecrets(t)
	s.PutObject(t, "topics/t.topic", topicYAML)
	key := learning.Prefix("c") + "1.topic"
	s.PutObject(t, key, "secret word of /gone")
	if _, err := s.parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error {
		j.Thresholds, j.Tuning = &job.Thresholds{Priority: .4}, job.NewTuning(.4, .01)
		j.Adapt(&job.Adjustment{Fetched: 200}, &job.Words{Key: key, Thresholds: job.Thresholds{Priority: .5, Body: .9}, Learned: []job.Learned{{Word: "/gone"}}})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.forget(t, forget.Options{}, "https://a.test/gone")
	s.checkSecrets(t, "/gone", "secret word")
	j, err := s.parts.Jobs.Get(t.Context(), "c")
	if err != nil || j.Tuning.Topic != "" || len(j.Tuning.Log) != 1 || j.Tuning.Log[0].Words != nil {
		t.Errorf("after forget: %+v, %v", j.Tuning, err)
	}
	own, err := s.parts.Topics.Get(t.Context(), j.Topic)
	if err != nil {
		t.Fatal(err)
	}
	if at := own.As(j.Strategy).File.Thresholds; j.Thresholds.Priority != .5 || j.Thresholds.Body != at.Body || j.Thresholds.Description != at.Description {
		t.Errorf("after forget the thresholds are %+v, those of the topic %+v", j.Thresholds, at)
	}
}

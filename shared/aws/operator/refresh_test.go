package operator

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

// ended is the end of a page that was found by a link.
func ended(t *testing.T, url string, e ledger.Entry) ledger.End {
	t.Helper()
	var err error
	e.Trace, err = json.Marshal(&step.Trace{Link: frontier.Link{URL: url, Parent: "http://a.test/", Depth: 2, Priority: 3, Hops: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return ledger.End{URL: url, Entry: &e}
}

// A refresh starts with the pages that earlier crawls kept and that are not
// gone, with the links that led to them. Repeating it adds nothing.
func TestRefresh(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.PutObject(t, moneyTopic, topicYAML)
	s.Create(t, job.Message{Crawl: "one", Topic: moneyTopic})
	s.Create(t, job.Message{Crawl: "two", Topic: moneyTopic, RefreshOf: "one"})
	kept := ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true}
	s.End(t, "one", ended(t, "http://a.test/old", kept), ended(t, "http://a.test/both", kept), ended(t, "http://a.test/gone", kept))
	s.End(t, "two",
		ended(t, "http://a.test/both", kept), ended(t, "http://a.test/new", kept),
		ended(t, "http://a.test/gone", ledger.Entry{Verdict: ledger.Rejected, Rule: step.RuleGone, Fetched: true, Change: ledger.Gone}),
	)
	order := Order{Message: job.Message{Crawl: "three", RefreshOf: "two"}}
	for _, planted := range []int{3, 0} {
		out := s.seed(t, order)
		if out.Planted != planted || !out.Started || out.Topic != moneyTopic {
			t.Errorf("sent %+v, want %d pages planted", out, planted)
		}
		m, err := job.ParseMessage(out.Message)
		if err != nil || m.RefreshOf != "two" || m.Topic != moneyTopic {
			t.Errorf("message is %+v, error %v", m, err)
		}
	}
	for id, revisits := range map[string]job.Message{"four": {Revisit: limits.RevisitSources}, "five": {OlderThan: time.Hour}} {
		revisits.Crawl, revisits.RefreshOf = id, "two"
		want := map[string]int{"four": 0, "five": 3}[id] // all were fetched long ago
		if out := s.seed(t, Order{Message: revisits}); out.Planted != want {
			t.Errorf("%s: %d pages planted, want %d", id, out.Planted, want)
		}
	}
	links, err := s.parts.Store.Backlog().Best(t.Context(), "three", "a.test", 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	var want []frontier.Link
	for _, url := range []string{"http://a.test/both", "http://a.test/new", "http://a.test/old"} {
		want = append(want, frontier.Link{URL: url, Parent: "http://a.test/", Depth: 2, Priority: 3})
	}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("waiting links (-want +got):\n%s", diff)
	}

	for name, order := range map[string]Order{
		"of nothing":          {Message: job.Message{Crawl: "four", RefreshOf: "nobody"}},
		"of what is there":    {Message: job.Message{Crawl: "two", RefreshOf: "one"}},
		"of itself, which is": {Message: job.Message{Crawl: "one", RefreshOf: "one"}},
	} {
		if _, err := s.Prepare(t.Context(), order); !errors.Is(err, ErrRequest) && !errors.Is(err, job.ErrUnknown) {
			t.Errorf("refresh %s: error %v", name, err)
		}
	}
}

// A refresh by a topic without seeds has those of the crawl before, which the
// topic may name.
func TestRefreshByTopicWithoutSeeds(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.PutObject(t, moneyTopic, topicYAML)
	s.PutObject(t, "topics/bare.topic", "name: bare\nlanguage: en\nwords: [bank]\n")
	s.Create(t, job.Message{Crawl: "one", Topic: moneyTopic})
	s.Create(t, job.Message{Crawl: "two", Topic: "topics/bare.topic", Seeds: []string{"http://b.test/"}})
	for _, of := range []string{"one", "two"} {
		order := Order{Message: job.Message{Crawl: "new-" + of, Topic: "topics/bare.topic", RefreshOf: of, MaxCost: 1}}
		if out := s.seed(t, order); !out.Started || out.Forecast.Hosts != 1 {
			t.Errorf("refresh of %s: sent %+v", of, out)
		}
	}
	if _, err := s.Prepare(t.Context(), Order{Message: job.Message{Crawl: "three", Topic: "topics/bare.topic"}}); !errors.Is(err, ErrRequest) {
		t.Errorf("a start without seeds: error %v", err)
	}
}

// The export of a refresh includes current pages of the earlier crawls, and
// leaves out those found changed or gone at any time.
func TestExportOfRefresh(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	const seed = "http://a.test/"
	s.Create(t, job.Message{Crawl: "one"})
	s.Create(t, job.Message{Crawl: "c", RefreshOf: "one"})
	old, fresh := "raw/one/1.warc.gz", "raw/c/2.warc.gz"
	s.End(t, "one", kept("http://a.test/same", old), kept("http://a.test/changed", old), kept("http://a.test/gone", old), kept("http://a.test/left", old))
	s.PutObject(t, old, "first")
	s.PutObject(t, fresh, "second")
	s.PutObject(t, "corpus/one/1.jsonl", documentLine(t, "http://a.test/same", seed, old)+documentLine(t, "http://a.test/changed", seed, old)+
		documentLine(t, "http://a.test/gone", seed, old)+documentLine(t, "http://a.test/left", seed, old))
	s.PutObject(t, "corpus/c/2.jsonl", documentLine(t, "http://a.test/changed", seed, fresh))
	unchanged := kept("http://a.test/same", old)
	unchanged.Entry.Change = ledger.Unchanged
	s.End(t, "c", unchanged, kept("http://a.test/changed", fresh))

	dir := t.TempDir()
	line := func(url, segment string) string {
		return documentLine(t, "http://a.test/"+url, seed, localWARC(segment))
	}
	s.export(t, dir, ExportOptions{})
	if got, want := exported(t, dir)["corpus/1.jsonl"], line("same", old)+line("gone", old)+line("left", old); got != want {
		t.Errorf("while it runs: %s", cmp.Diff(want, got))
	}
	for url, fate := range map[string]string{"http://a.test/left": "kept", "http://a.test/changed": "kept"} {
		if x, err := s.Explain(t.Context(), "c", url); err != nil || x.Fate != fate {
			t.Errorf("%s is %+v, error %v, want %s", url, x, err, fate)
		}
	}
	gone := rejected("http://a.test/gone", fresh)
	gone.Entry.Change = ledger.Gone
	s.End(t, "c", gone)
	s.PutObject(t, "rejects/c/2.jsonl", rejectBy(t, "http://a.test/gone", "p", step.RuleGone))
	out := s.export(t, dir, ExportOptions{})
	want := map[string]string{
		"export.json":    `{"stack":"` + s.Name + `","bucket":"` + s.Name + `","crawl":"c"}` + "\n",
		"warc/1.warc.gz": "first", "warc/2.warc.gz": "second",
		"corpus/1.jsonl": line("same", old) + line("left", old), "corpus/2.jsonl": line("changed", fresh),
		"rejects/2.jsonl": rejectBy(t, "http://a.test/gone", "p", step.RuleGone),
	}
	got := exported(t, dir)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if out.Documents != 3 || out.Missing != 0 {
		t.Errorf("exported %+v", out)
	}

	s.PutObject(t, "raw/c/1.warc.gz", "mine")
	if _, err := s.Export(t.Context(), "c", t.TempDir(), ExportOptions{}); !errors.Is(err, ErrRequest) {
		t.Errorf("two files of one name: error %v", err)
	}
}

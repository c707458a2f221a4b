package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator/operatortest"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/topics"
)

// sluice runs the program on a stack and returns what it prints; it must end
// with that code.
func sluice(t *testing.T, code int, in string, args ...string) (out, said string) {
	t.Helper()
	watched(t)
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string {
		if name == "SLUICE_CONTACT" {
			return "env@example.com"
		}
		return ""
	}
	if got := run(args, cli.Streams{In: strings.NewReader(in), Out: &stdout, Err: &stderr}, getenv); got != code {
		t.Errorf("sluice %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String()
}

// document reads the one JSON document on stdout.
func document(t *testing.T, out string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%q is no JSON document: %v", out, err)
	}
	return doc
}

func wantSaid(t *testing.T, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not in\n%s", part, said)
		}
	}
}

func TestStackSeed(t *testing.T) {
	s := operatortest.New(t)
	topic := filepath.Join(t.TempDir(), "finance.yaml")
	if err := os.WriteFile(topic, topics.Finance, 0o600); err != nil {
		t.Fatal(err)
	}
	seed := func(code int, more ...string) (out, said string) {
		t.Helper()
		return sluice(t, code, "http://b.demo.test/\n", append([]string{"seed", "--stack", s.Name, "c"}, more...)...)
	}
	out, said := seed(cli.ExitDone, "--topic", topic, "--from", "-", "--max-pages", "50", "--max-pages-per-host", "9", "--max-depth", "4",
		"--max-duration", "1h", "--max-cost", "3", "--delay", "0s", "--random-seed", "5", "--archive", "relevant", "--user-agent", "lab-bot", "--scope-mode", "host", "--allow", "c.demo.test", "--allow", "*.d.demo.test",
		"--deny", "http://a.demo.test/login/", "--override", "/forum/* delay=5s", "--override", "c.demo.test max_depth=2", "--json", "http://a.demo.test")
	doc := document(t, out)
	want := map[string]any{
		"v": 1., "crawl": "c", "topic": "topics/finance.topic", "seeds": []any{"http://a.demo.test/", "http://b.demo.test/"},
		"scope":     map[string]any{"mode": "host", "allow": []any{"c.demo.test", "*.d.demo.test"}, "deny": []any{"http://a.demo.test/login/"}},
		"max_pages": 50., "max_pages_per_host": 9., "max_depth": 4., "max_duration": "1h0m0s", "overrides": []any{"/forum/* delay=5s", "c.demo.test max_depth=2"}, "max_cost": 3., "delay": "0s", "contact": "env@example.com", "random_seed": 5., "archive": "relevant", "user_agent": "lab-bot",
	}
	if diff := cmp.Diff(want, doc["message"]); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	wantSaid(t, said, "forecast: $", "50 pages on 2 hosts")

	// The forecast holds up a crawl that would be dearer than it may.
	_, said = seed(cli.ExitUsage, "--topic", topic, "--max-pages", "1000000", "--max-cost", "0.01", "http://a.demo.test/")
	wantSaid(t, said, "exceeds --max-cost $0.0100", "--yes")
	if n := len(s.Messages(t, s.Outputs["SeedsQueue"])); n != 1 {
		t.Errorf("%d messages were sent, want the first", n)
	}
	out, _ = seed(cli.ExitDone, "--topic", "topics/finance.topic", "--contact", "c@example.com", "--max-pages", "1000000", "--max-cost", "0.01", "--yes", "http://a.demo.test/")
	wantSaid(t, out, "crawl c is on its way to stack "+s.Name+", with 1 seed", "it was there", "sluice status --stack "+s.Name+" c --watch")
	if sent := s.Messages(t, s.Outputs["SeedsQueue"]); len(sent) != 1 || !strings.Contains(sent[0], "c@example.com") {
		t.Errorf("sent %q", sent)
	}

	_, said = seed(cli.ExitUsage, "--site", "http://shop.demo.test/")
	wantSaid(t, said, "--template is missing")
	_, said = seed(cli.ExitUsage, "--site", "http://shop.demo.test/", "--template", "shop", "--topic", topic)
	wantSaid(t, said, "--site and --topic exclude each other")
	_, said = seed(cli.ExitUsage, "http://a.demo.test/")
	wantSaid(t, said, "no such crawl: c; name a topic")
	_, said = seed(cli.ExitUsage, "--topic", "topics/none.topic")
	wantSaid(t, said, "the bucket has no topic topics/none.topic")
	_, said = seed(cli.ExitUsage, "--topic", topic, "--scope-mode", "world")
	wantSaid(t, said, "world")
	s.Create(t, job.Message{Crawl: "c", Topic: "topics/finance.topic"})
	out, _ = seed(cli.ExitDone, "http://a.demo.test/")
	wantSaid(t, out, "1 seed on the way to crawl c")
	out, _ = sluice(t, cli.ExitDone, "", "seed", "--stack", s.Name, "again", "--refresh-of", "c")
	wantSaid(t, out, "with the seeds of c\n")
}

// A site is rendered where the stack has a function for it, as on a machine with a browser.
func TestStackSeedSite(t *testing.T) {
	const key, none = "topics/shop-demo-test-shop.topic", "no page is rendered: the stack has no render function"
	for _, tt := range []struct {
		name    string
		without []string
		topic   string // its end
		said    bool
	}{
		{name: "browser", topic: "template: shop\nrender: auto\n"},
		{name: "no browser", without: []string{"RenderQueue"}, topic: "template: shop\n", said: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := operatortest.New(t, tt.without...)
			_, said := sluice(t, cli.ExitDone, "", "seed", "--stack", s.Name, "--crawl", "c", "--site", "http://shop.demo.test/", "--template", "shop")
			if got := strings.Contains(said, none); got != tt.said {
				t.Errorf("it said %q", said)
			}
			if data, err := s.Parts.Objects.Get(t.Context(), key, 1<<20); err != nil || !strings.HasSuffix(string(data), tt.topic) {
				t.Errorf("topic %q, error %v, want the end %q", data, err, tt.topic)
			}
		})
	}
}

func TestStackStatus(t *testing.T) {
	s := operatortest.New(t)
	out, _ := sluice(t, cli.ExitDone, "", "status", "--stack", s.Name)
	wantSaid(t, out, "has no crawls", "clean_dead")
	s.Create(t, job.Message{Crawl: "c", MaxCost: 2, Limits: limits.Limits{MaxDuration: time.Hour}})
	s.End(t, "c", ledger.End{URL: "http://a.test/", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true}})

	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name)
	wantSaid(t, out, "crawl", "1/1000", "100.0 %")
	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "--json")
	if doc := document(t, out); len(doc["crawls"].([]any)) != 1 || doc["stack"] != s.Name { //nolint:errcheck // panics
		t.Errorf("overview %s", out)
	}
	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "c")
	wantSaid(t, out, "c of stack "+s.Name+": running\n", "harvest rate 100.0 %", "$0.00 so far, of $2.00 at most", "s3://"+s.Name+"/corpus/c/*.jsonl")
	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "c", "--json")
	doc := document(t, out)
	for key, want := range map[string]any{"crawl": "c", "state": "running", "reason": "", "stop_reason": "", "fetched": 1., "kept": 1., "cost_dollars": 0., "max_cost": 2.} {
		if doc[key] != want {
			t.Errorf("%s is %v, want %v", key, doc[key], want)
		}
	}

	s.Create(t, job.Message{Crawl: "r", RefreshOf: "c"})
	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "r")
	wantSaid(t, out, "refresh 1 of the crawl found\n")
	for _, tt := range []struct {
		of   *job.HostRecords
		want string
	}{
		{&job.HostRecords{Made: true, Counts: map[string]int{"a.test/list": 7}}, "a.test/list  7"},
		{&job.HostRecords{Made: true, Left: "12 pages take too long"}, "records are made by sluice export: a.test: 12 pages take too long"},
	} {
		_, err := s.Parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error {
			j.Records = job.Records{"a.test": tt.of}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "c")
		wantSaid(t, out, tt.want)
	}

	_, said := sluice(t, cli.ExitUsage, "", "status", "--stack", s.Name, "none")
	wantSaid(t, said, "no such crawl")
	_, said = sluice(t, cli.ExitUsage, "", "status", "--stack", s.Name, "none", "--watch")
	wantSaid(t, said, "no such crawl")
	_, said = sluice(t, cli.ExitUsage, "", "status", "--stack", "no-such-stack")
	wantSaid(t, said, "read stack no-such-stack: no such stack in this account and region")

	ended := time.AfterFunc(1500*time.Millisecond, func() {
		_, err := s.Parts.Jobs.Update(context.WithoutCancel(t.Context()), "c", func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) })
		if err != nil {
			t.Error(err)
		}
	})
	defer ended.Stop()
	out, said = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "c", "--watch", "--interval", "1s", "--json")
	if doc := document(t, out); doc["state"] != "done" || doc["stop_reason"] != "frontier_empty" {
		t.Errorf("status at the end: %s", out)
	}
	if lines := strings.Count(said, "\n"); lines < 2 {
		t.Errorf("watched on %d lines:\n%s", lines, said)
	}
	wantSaid(t, said, "1/1000 pages  harvest 100.0 %", "\ndone  1/1000 pages")
	out, _ = sluice(t, cli.ExitDone, "", "status", "--stack", s.Name, "c", "--watch")
	wantSaid(t, out, "done: the frontier is empty: nothing is left to fetch")
}

func TestStackControl(t *testing.T) {
	s := operatortest.New(t)
	s.Create(t, job.Message{Crawl: "c"})
	out, _ := sluice(t, cli.ExitDone, "", "pause", "--stack", s.Name, "c")
	wantSaid(t, out, "c of stack "+s.Name+": paused; continue with sluice resume")
	_, said := sluice(t, cli.ExitFailed, "", "pause", "--stack", s.Name, "c")
	wantSaid(t, said, "pause crawl c: it is paused")
	out, _ = sluice(t, cli.ExitDone, "", "resume", "--stack", s.Name, "c", "--max-pages", "7", "--max-duration", "1h", "--max-cost", "1.5", "--json")
	if doc := document(t, out); doc["state"] != "running" || doc["max_pages"] != 7. || doc["max_cost"] != 1.5 || doc["deadline"] == nil {
		t.Errorf("resumed: %s", out)
	}
	if rule, mapping := s.On(t); !rule || !mapping {
		t.Errorf("the rule is %v, the mapping %v", rule, mapping)
	}
	s.PutObject(t, "topics/t.topic", string(topics.Finance))
	sluice(t, cli.ExitDone, "", "resume", "--stack", s.Name, "c", "--allow", "a.test", "--deny", "b.test")
	sluice(t, cli.ExitDone, "", "resume", "--stack", s.Name, "c", "--deny", "")
	if j, err := s.Parts.Jobs.Get(t.Context(), "c"); err != nil || cmp.Diff(&limits.Scope{Mode: "domain", Allow: []string{"a.test"}}, j.Scope) != "" {
		t.Errorf("scope is %+v, %v", j.Scope, err)
	}
	out, _ = sluice(t, cli.ExitDone, "", "stop", "--stack", s.Name, "c", "--reason", "enough of it", "--json")
	if doc := document(t, out); doc["state"] != "stopped" || doc["reason"] != "enough of it" {
		t.Errorf("stopped: %s", out)
	}
	for _, verb := range []string{"pause", "resume", "stop"} {
		_, said := sluice(t, cli.ExitUsage, "", verb, "--stack", s.Name, "none")
		wantSaid(t, said, "no such crawl")
	}
}

func TestStackExplain(t *testing.T) {
	s := operatortest.New(t)
	s.PutObject(t, "topics/finance.topic", string(topics.Finance))
	s.Create(t, job.Message{Crawl: "c", Topic: "topics/finance.topic"})
	s.End(t, "c", ledger.End{URL: "http://a.test/", Entry: &ledger.Entry{
		Verdict: ledger.Kept, Fetched: true, Segment: "raw/c/1.warc.gz", Trace: json.RawMessage(`{"link":{"url":"http://a.test/","is_seed":true},"status":200}`),
	}})
	out, _ := sluice(t, cli.ExitDone, "", "explain", "--stack", s.Name, "c", "http://A.test")
	wantSaid(t, out, "fetched and kept: it is in the corpus", "it is a seed", "raw/c/1.warc.gz")
	out, _ = sluice(t, cli.ExitDone, "", "explain", "--stack", s.Name, "c", "http://a.test/", "--json")
	doc := document(t, out)
	if doc["fate"] != "kept" || doc["kept"] != true || doc["constants"] == nil || doc["trace"] == nil || doc["link"] == nil || doc["entry"] == nil {
		t.Errorf("explanation: %s", out)
	}
	_, said := sluice(t, cli.ExitUsage, "", "explain", "--stack", s.Name, "c", "nonsense")
	wantSaid(t, said, "bad URL")
}

func TestStackRedrive(t *testing.T) {
	s := operatortest.New(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.Bury(t, "SeedsDeadQueue",
		sqsqueue.Letter{Body: `{"v":1,"crawl":"c","seeds":["http://a.test/"]}`, Reason: "no such crawl \x1b[2J"},
		sqsqueue.Letter{Body: "file:///etc/passwd", Reason: "bad"},
	)
	out, _ := sluice(t, cli.ExitDone, "", "redrive", "--stack", s.Name, "--queue", "seeds", "--dry-run")
	wantSaid(t, out, "would go back", "link          http://a.test/", "stays: letter", "stays since")
	if strings.Contains(out, "\x1b") {
		t.Error("a letter drives the terminal")
	}
	out, _ = sluice(t, cli.ExitDone, "", "redrive", "--stack", s.Name, "c", "--json")
	if doc := document(t, out); len(doc["queues"].([]any)) != 4 || len(doc["letters"].([]any)) != 1 || doc["dry_run"] != false { //nolint:errcheck // panics
		t.Errorf("redriven: %s", out)
	}
	if n := len(s.Messages(t, s.Outputs["SeedsQueue"])); n != 1 {
		t.Errorf("%d messages sent back", n)
	}

	out, _ = sluice(t, cli.ExitDone, "", "redrive", "--stack", s.Name, "--discard", "--dry-run")
	wantSaid(t, out, "would be discarded", "discarded: letter", "not valid")
	out, _ = sluice(t, cli.ExitDone, "", "redrive", "--stack", s.Name, "--discard", "--yes", "--json")
	doc := document(t, out)
	letter := doc["letters"].([]any)[0].(map[string]any)                                                                                                  //nolint:errcheck // panics
	if doc["discard"] != true || letter["discarded"] != true || letter["back"] != false || doc["queues"].([]any)[1].(map[string]any)["discarded"] != 1. { //nolint:errcheck // panics
		t.Errorf("discarded: %s", out)
	}
	id := letter["id"].(string) //nolint:errcheck // panics
	out, said := sluice(t, cli.ExitUsage, "", "redrive", "--stack", s.Name, "--discard", "--yes", "--letter", id)
	wantSaid(t, out, "discarded  stay  not chosen")
	wantSaid(t, said, "has the id "+id)
}

// A stack knows sites as a folder does.
func TestStackSite(t *testing.T) {
	s := operatortest.New(t)
	pages := filepath.Join(t.TempDir(), "1.html")
	if err := os.WriteFile(pages, []byte(`<body><h1>Red pear</h1><p>价格：<b>￥12.50</b></p>`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said := sluice(t, cli.ExitDone, "", "site", "analyze", "--stack", s.Name, "--host", "www.example.com", "--template", "shop", pages)
	wantSaid(t, said, "kept in sites/www.example.com.yaml of stack "+s.Name+", version 1")
	out, _ := sluice(t, cli.ExitDone, "", "site", "extract", "--stack", s.Name, "www.example.com", pages)
	wantSaid(t, out, "Red pear", "12.50")
	_, said = sluice(t, cli.ExitFailed, "", "site", "show", "--stack", s.Name, "www.example.org")
	wantSaid(t, said, "the site was not analysed")
	_, said = sluice(t, cli.ExitUsage, "", "site", "show", "--stack", s.Name, "--sites", "x", "www.example.com")
	wantSaid(t, said, "--sites and --stack exclude each other")

	// A structured crawl is started by its site.
	out, _ = sluice(t, cli.ExitDone, "", "seed", "--stack", s.Name, "--crawl", "c", "--site", "http://www.example.com/", "--template", "shop")
	wantSaid(t, out, "topics/www-example-com-shop.topic", "uploaded")
}

func TestStackExport(t *testing.T) {
	s := operatortest.New(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.PutObject(t, "raw/c/1.warc.gz", "x")
	dir := filepath.Join(t.TempDir(), "o")
	out, _ := sluice(t, cli.ExitDone, "", "export", "--stack", s.Name, "c", "--out", dir, "--no-warc", "--json")
	if doc := document(t, out); doc["files"] != 0. || doc["missing"] != 0. {
		t.Errorf("exported: %s", out)
	}
	s.End(t, "c", ledger.End{URL: "http://a.test/", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Segment: "raw/c/1.warc.gz"}})
	out, said := sluice(t, cli.ExitStopped, "", "export", "--stack", s.Name, "c", "--out", dir)
	wantSaid(t, out, "0 documents in "+dir, "1 file, 1 of them copied now", "raw/c/1.warc.gz")
	wantSaid(t, said, "1 document of 1 not in the corpus: not cleaned yet; continue with the same command")
	s.Create(t, job.Message{Crawl: "d"})
	_, said = sluice(t, cli.ExitUsage, "", "export", "--stack", s.Name, "d", "--out", dir)
	wantSaid(t, said, "holds the export of crawl c")
}

func TestStackCost(t *testing.T) {
	s := operatortest.New(t)
	s.Create(t, job.Message{Crawl: "c", MaxCost: 9})
	s.End(t, "c", ledger.End{URL: "http://a.test/", Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true}})
	if err := s.Parts.Spend.Add(t.Context(), "c", map[string]float64{"sqs.requests": 5e6}); err != nil {
		t.Fatal(err)
	}
	out, _ := sluice(t, cli.ExitDone, "", "cost", "--stack", s.Name, "c")
	wantSaid(t, out, "$2.00 so far for 1 page, $2000000.00 a million; it ends at $9.00", "sqs.requests  5e+06  $2.00")
	out, _ = sluice(t, cli.ExitDone, "", "cost", "--stack", s.Name, "c", "--json")
	if doc := document(t, out); doc["dollars"] != 2. || doc["dollars_per_million_pages"] != 2e6 || doc["pages"] != 1. {
		t.Errorf("cost: %s", out)
	}
}

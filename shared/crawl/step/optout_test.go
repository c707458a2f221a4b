package step_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// page is an answer with a header and a head of its own, whose links lead on.
func answer(header, head string) string {
	return "200\n" + header + "\n\n<title>股市</title>" + head + "$TEXT<a href=/next>银行</a>\n"
}

// What a page or its response says about the use of its text is honoured; its
// links are followed all the same.
func TestPageOptOut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page   string
		rule, detail string // "" where it stays
		robots, tdm  string // of a document
	}{
		{"says nothing", answer("X-Other: 1", ""), "", "", "allowed", ""},
		{"harmless", answer("X-Robots-Tag: noimageai, nosnippet", "<meta name=robots content=noimageindex>"), "", "", "allowed,noimageindex,noimageai,nosnippet", ""},
		{"not reserved", answer("tdm-reservation: 0", ""), "", "", "allowed", "0"},
		{"meta noindex", answer("X-Other: 1", "<meta name=ROBOTS content='NOINDEX'>"), "noindex", "meta robots: noindex", "", ""},
		{"header noindex", answer("X-Robots-Tag: noindex", ""), "noindex", "X-Robots-Tag: noindex", "", ""},
		{"meta noarchive", answer("X-Other: 1", "<meta name=sluice content=noarchive>"), "noarchive", "meta robots: noarchive", "", ""},
		{"header noai", answer("X-Robots-Tag: sluice: noai, noimageai", ""), "noai", "X-Robots-Tag: noai,noimageai", "", ""},
		{"header for others", answer("X-Robots-Tag: otherbot: noai", ""), "", "", "allowed", ""},
		{"TDM header", answer("tdm-reservation: 1\ntdm-policy: https://a.test/p", ""), "tdm_reserved", "tdm-reservation: 1 (header), policy https://a.test/p", "", ""},
		{"TDM meta", answer("tdm-reservation: 0", "<meta name=tdm-reservation content=1>"), "tdm_reserved", "tdm-reservation: 1 (meta)", "", ""},
		{"usage", answer("Content-Usage: train-ai=n", ""), "no_ai_training", "header: Content-Usage: train-ai=n", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "-- http://a.test/1 --\n"+tt.page)
			w.plan.Archive = corpus.ArchiveAll
			w.run(t, link("http://a.test/1"))
			if got := w.fate(t, "http://a.test/next"); got != "waiting" {
				t.Errorf("the link of the page is %s, want waiting", got)
			}
			d, kept := w.documents(t)["http://a.test/1"]
			if kept != (tt.rule == "") {
				t.Fatalf("kept: %v", kept)
			}
			if kept {
				if d.Robots != tt.robots || d.TDM != tt.tdm {
					t.Errorf("robots %q, tdm %q; want %q, %q", d.Robots, d.TDM, tt.robots, tt.tdm)
				}
				return
			}
			if got, want := w.fate(t, "http://a.test/1"), "rejected "+tt.rule; got != want {
				t.Errorf("the page is %s, want %s", got, want)
			}
			if r := w.rejects(t)["http://a.test/1"]; r.Rule != tt.rule || r.Detail != tt.detail || r.Text != "" {
				t.Errorf("reject is %s, %q, with text %q; want %s, %q", r.Rule, r.Detail, r.Text, tt.rule, tt.detail)
			}
			if got := w.responses(t); len(got) != 0 {
				t.Errorf("responses %q are in the archive", got)
			}
		})
	}
}

// An X-Robots-Tag may ask not to follow links, as a page may.
func TestHeaderNoFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- http://a.test/1 --\n"+answer("X-Robots-Tag: nofollow", ""))
	w.run(t, link("http://a.test/1"))
	want := map[string]string{"http://a.test/1": "kept", "http://a.test/next": "absent"}
	w.wantFates(t, want)
}

// What the files of a site say is asked for once, before the first page, and
// kept with the page.
func TestSiteOptOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/robots.txt --
200

User-agent: *
DisallowAITraining: /closed/
-- http://a.test/.well-known/tdmrep.json --
200

[{"location": "/tdm/", "tdm-reservation": 1, "tdm-policy": "https://a.test/p"}, {"location": "/", "tdm-reservation": 0}]
-- http://a.test/ai.txt --
200

User-Agent: *
Disallow: /ai/
-- http://a.test/tdm/1 --
<title>股市</title>$TEXT
-- http://a.test/tdm/2 --
200
TDM-Reservation: 0

<title>股市</title>$TEXT
-- http://a.test/ai/1 --
<title>股市</title>$TEXT
-- http://a.test/closed/1 --
<title>股市</title>$TEXT
-- http://a.test/open --
<title>股市</title>$TEXT
`)
	want := map[string]string{
		"http://a.test/tdm/1": "rejected tdm_reserved", "http://a.test/tdm/2": "kept", "http://a.test/ai/1": "rejected ai_txt",
		"http://a.test/closed/1": "rejected no_ai_training", "http://a.test/open": "kept",
	}
	var links []frontier.Link
	for url := range want {
		links = append(links, link(url))
	}
	w.run(t, links...)
	w.wantFates(t, want)
	details := map[string]string{}
	for url, r := range w.rejects(t) {
		details[url] = r.Detail
	}
	wantDetails := map[string]string{
		"http://a.test/tdm/1":    "tdm-reservation: 1 (tdmrep.json, location /tdm/), policy https://a.test/p",
		"http://a.test/ai/1":     "ai.txt: Disallow: /ai/",
		"http://a.test/closed/1": "robots.txt: DisallowAITraining: /closed/",
	}
	if diff := cmp.Diff(wantDetails, details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
	if got := w.documents(t)["http://a.test/open"].TDM; got != "0" {
		t.Errorf("tdm is %q, want 0", got)
	}
	first := []string{"http://a.test/robots.txt", "http://a.test/.well-known/tdmrep.json", "http://a.test/ai.txt"}
	if got := w.web.asked[:3]; !slices.Equal(got, first) {
		t.Errorf("asked first for %q, want %q", got, first)
	}
	for _, url := range first {
		n := 0
		for _, asked := range w.web.asked {
			if asked == url {
				n++
			}
		}
		if n != 1 {
			t.Errorf("asked %d times for %s", n, url)
		}
	}
}

// The files are requests like any other: the delay is between them, and a task
// that cannot wait goes back whole and continues later.
func TestSiteFilesAreInTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain)
	w.plan.Delay = 3 * time.Second
	task := w.task(t, threeLinks()...)
	var asked []int
	for range 3 {
		out, err := w.try(t, task)
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, len(w.web.asked))
		if len(out.Rest) != 1 || out.Rest[0].Delay != 3*time.Second {
			t.Fatalf("rest is %s, want the task in 3 s", describe(out))
		}
		task = out.Rest[0].Task
		w.clock.advance(out.Rest[0].Delay)
	}
	if want := []int{2, 3, 4}; !slices.Equal(asked, want) || len(task.Links) != 2 {
		t.Errorf("%v requests after each run, want %v; %d links left, want 2", asked, want, len(task.Links))
	}
}

// Without an answer nothing is reserved: the crawl continues, as late as the
// server asks, and asks again after an hour.
func TestSiteFilesOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/.well-known/tdmrep.json --
503
Retry-After: 20
-- http://a.test/ai.txt --
fail retryable timeout
`)
	out := w.run(t, threeLinks()...)
	if len(w.web.asked) != 2 || len(out.Rest) != 1 || out.Rest[0].Delay != 20*time.Second {
		t.Fatalf("asked for %q, rest is %s; want the rest in 20 s", w.web.asked, describe(out))
	}
	if out.Why != step.RuleRetryAfter {
		t.Errorf("the host has a pause by %q, want %s", out.Why, step.RuleRetryAfter)
	}
	w.clock.advance(20 * time.Second)
	w.run(t, threeLinks()[:2]...)
	want := map[string]string{"http://a.test/1": "kept", "http://a.test/2": "kept"}
	w.wantFates(t, want)
	before := len(w.web.asked)
	w.clock.advance(time.Hour)
	w.run(t, threeLinks()[2])
	if got := w.web.asked[before:]; !slices.Contains(got, "http://a.test/.well-known/tdmrep.json") {
		t.Errorf("asked for %q an hour later", got)
	}
}

// What robots.txt forbids is not asked for, and no page that it allows suffers.
func TestSiteFilesForbidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/robots.txt --
200

User-agent: *
Disallow: /.well-known/
Disallow: /ai.txt
`)
	w.run(t, threeLinks()...)
	if len(w.documents(t)) != 3 || len(w.web.asked) != 4 {
		t.Errorf("%d documents, asked for %q", len(w.documents(t)), w.web.asked)
	}
}

// The trace holds what the site said, so that a segment can be read again
// without it.
func TestTraceHoldsSite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, plain+`
-- http://a.test/.well-known/tdmrep.json --
200

[{"location": "/", "tdm-reservation": 0}]
`)
	w.run(t, link("http://a.test/1"))
	trail := w.trail(t, "http://a.test/1")
	if trail.Entry == nil || trail.Entry.Verdict != ledger.Kept || !bytes.Contains(trail.Entry.Trace, []byte(`"site":{"tdm":{"value":"0"`)) {
		t.Errorf("trail is %+v", trail)
	}
}

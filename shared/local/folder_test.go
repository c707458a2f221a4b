package local_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/console"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/state/job"
)

// money is a site with an end of each kind.
func money(t testing.TB) *site {
	t.Helper()
	return serve(t, map[string]string{
		"/":            `<title>股市</title>$TEXT<a href=/on>银行</a><a href=/off>股市</a><a href=/gone>银行</a><a href=/moved>银行</a><a href=/denied>股市</a><a href=/map.xml>银行</a><a href=/weather>天气预报</a><a href=http://other.cn/>银行</a>`,
		"/on":          `<title>银行</title>$TEXT<a href=/weather>天气预报</a>`,
		"/off":         `<title>晴朗的天气预报</title>$TEXT`,
		"/moved":       "301 /there",
		"/there":       `<title>股市</title>$TEXT`,
		"/map.xml":     `<?xml version="1.0"?><urlset><url><loc>/on</loc></url></urlset>`,
		"/robots.txt":  "User-agent: *\nDisallow: /denied\n",
		"/not-visited": `<title>股市</title>$TEXT`,
	})
}

// lines counts the records of a kind.
func lines(t testing.TB, dir, kind string) int64 {
	t.Helper()
	n := 0
	for _, data := range fixture.Files(t, dir, kind, "*.jsonl") {
		n += bytes.Count(data, []byte("\n"))
	}
	return int64(n)
}

func sum(m map[string]int64) int64 {
	n := int64(0)
	for _, v := range m {
		n += v
	}
	return n
}

// The summary's numbers agree with each other and with what is on the disk.
func TestSummaryAddsUp(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := specOf(t, semanticYAML, web.URL+"/")
	got := run(t, s)
	want := &local.Summary{
		Crawl: "money", Topic: "money", Generation: 1, State: job.Done, Reason: "frontier_empty", MaxPages: s.Topic.File.Budgets.MaxPages, Deadline: got.Deadline,
		Fetched: 6, Kept: 3, Rejected: 2, Passed: 1, Skipped: 1, Redirected: 1, Sources: 1,
		DroppedLinks: 3, Enqueued: 7, HarvestRate: 3.0 / 6, StopReason: "frontier_empty", DurationS: got.DurationS,
		Out: s.Dir, Corpus: filepath.Join(s.Dir, "corpus"), Rejects: filepath.Join(s.Dir, "rejects"), WARC: filepath.Join(s.Dir, "warc"),
		Rules: map[string]int64{"description_threshold": 1, "http_404": 1, "robots": 1}, Drops: map[string]int64{"priority": 2, "scope": 1},
		ClosedHosts: []console.ClosedHost{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if n := got.Kept + got.Rejected + got.Redirected; n != got.Fetched {
		t.Errorf("the ends of pages add up to %d, %d were fetched", n, got.Fetched)
	}
	if sum(got.Rules) != got.Rejected+got.Skipped+got.DeadLetters || sum(got.Drops) != got.DroppedLinks {
		t.Errorf("rules %v and drops %v do not add up", got.Rules, got.Drops)
	}
	if lines(t, s.Dir, "corpus") != got.Kept || lines(t, s.Dir, "rejects") != got.Rejected {
		t.Errorf("%d documents and %d rejects on disk", lines(t, s.Dir, "corpus"), lines(t, s.Dir, "rejects"))
	}
	st, err := folder(t, s.Dir).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got.DurationS = 0
	if diff := cmp.Diff(*got, st.Summary); diff != "" {
		t.Errorf("status afterwards (-summary +status):\n%s", diff)
	}
}

// Explain knows how every page ended, by any spelling of its URL.
func TestExplain(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := specOf(t, semanticYAML, web.URL+"/")
	run(t, s)
	f := folder(t, s.Dir)
	for path, want := range map[string]string{
		"/": "kept", "/on?utm_source=x#top": "kept", "/off": "passed description_threshold", "/gone": "rejected http_404", "/moved": "redirected",
		"/denied": "skipped robots", "/map.xml": "source", "/weather": "dropped priority", "/not-visited": "unknown",
	} {
		x := explain(t, f, web.URL+path)
		got := x.Fate
		if x.Rule != "" {
			got += " " + x.Rule
		}
		if got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
		if x.Kept != (x.Fate == "kept") || x.Dropped != (x.Fate == "dropped") || x.Fetched && x.At == nil || (x.Link == nil) != (x.Fate == "unknown") {
			t.Errorf("%s: explanation does not agree with itself: %+v", path, x)
		}
	}
	x := explain(t, f, web.URL+"/on")
	if x.Trace == nil || x.Trace.Relevance == nil || x.Trace.Relevance.Value != 1 || x.Link.Parent != web.URL+"/" || x.Link.Priority != 1.1 || x.Entry.Segment == "" {
		t.Errorf("kept page lacks parts of why: %+v", x)
	}
	for _, raw := range []string{"no url", "www.example.com"} {
		if _, err := f.Explain(t.Context(), raw); !errors.Is(err, local.ErrBadURL) || !strings.Contains(err.Error(), ": write ") {
			t.Errorf("%s: error is %v, want %v and what to write", raw, err, local.ErrBadURL)
		}
	}
}

// A link that waits on a closed host says which rule closed it.
func TestExplainClosedHost(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	s.Topic.File.Budgets.MaxPagesPerHost = 2
	sum := run(t, s)
	if len(sum.ClosedHosts) != 1 || sum.ClosedHosts[0].Rule != "host_budget" || sum.ClosedHosts[0].Links == 0 || sum.StopReason != "frontier_empty" {
		t.Errorf("closed hosts %+v, stop reason %s", sum.ClosedHosts, sum.StopReason)
	}
	f := folder(t, s.Dir)
	waiting := 0
	for _, path := range []string{"/on", "/off", "/gone", "/moved", "/map.xml"} {
		if x := explain(t, f, web.URL+path); x.Fate == "waiting" {
			waiting++
			if x.Rule != "host_budget" || x.Link == nil {
				t.Errorf("%s: %+v, want the rule that closed its host", path, x)
			}
		}
	}
	if waiting == 0 {
		t.Error("nothing waits")
	}
}

// A link says that its host cannot be reached, before the host is closed for it.
func TestExplainFailingHost(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{"/robots.txt": "503 60"})
	stop, end := context.WithCancel(t.Context())
	defer end()
	web.on = func(string) { end() }
	s := spec(t, web.URL+"/")
	if _, err := open(t, s).Run(t.Context(), stop); err != nil {
		t.Fatal(err)
	}
	if x := explain(t, folder(t, s.Dir), web.URL+"/"); x.Fate != "queued" && x.Fate != "waiting" || x.Failures != 1 || !strings.Contains(x.Cause, "503") {
		t.Errorf("%+v, want a link that waits, and one failure of its host with its cause", x)
	}
}

// A folder can be read while its crawl is running.
func TestReadWhileRunning(t *testing.T) {
	t.Parallel()
	web := money(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	web.on = func(path string) {
		if path == "/on" {
			close(arrived)
			<-goOn
		}
	}
	s := spec(t, web.URL+"/")
	c := open(t, s)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Run(t.Context(), t.Context())
		ended <- err
	}()
	waitFor(t, arrived)
	f := folder(t, s.Dir)
	st, err := f.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Fetched < 1 || st.Kept < 1 || st.StopReason != "" || len(st.Hosts) != 1 {
		t.Errorf("status is %+v, want one host, of which a page is there", st)
	}
	if p := c.Progress(t.Context()); p.Hosts != 1 || p.MaxPages != 100 {
		t.Errorf("progress is %+v, want one host and a budget of 100 pages", p)
	}
	if x := explain(t, f, web.URL+"/on"); x.Fate != "leased" {
		t.Errorf("the page in progress is %s, want leased", x.Fate)
	}
	if x := explain(t, f, web.URL+"/"); x.Fate != "kept" {
		t.Errorf("the seed is %s, want kept", x.Fate)
	}
	close(goOn)
	if err := waitFor(t, ended); err != nil {
		t.Fatal(err)
	}
	if x := explain(t, f, web.URL+"/on"); x.Fate != "kept" {
		t.Errorf("in the end the page is %s, want kept", x.Fate)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// What is not a crawl's folder is said to be none.
func TestOpenFolderErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := local.OpenFolder(t.Context(), dir); !errors.Is(err, local.ErrNoCrawl) {
		t.Errorf("empty folder: %v, want %v", err, local.ErrNoCrawl)
	}
	if _, err := local.OpenFolder(t.Context(), filepath.Join(dir, "absent")); !errors.Is(err, local.ErrNoCrawl) {
		t.Errorf("no folder: %v, want %v", err, local.ErrNoCrawl)
	}
	if err := os.WriteFile(filepath.Join(dir, local.StateFile), []byte("not a database, but long enough to be looked at by one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := local.OpenFolder(t.Context(), dir); err == nil {
		t.Errorf("an invalid state was opened: %v", f.Close())
	}
}

// Remove takes what sluice has put into a folder, and nothing else.
func TestRemove(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	mine := []string{"notes.txt", filepath.Join("corpus", "notes.txt"), filepath.Join("data", "00001.jsonl")}
	for _, name := range mine {
		path := filepath.Join(s.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is no crawl
		if err := local.Remove(s.Dir); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	err := filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name()[0] != '.' {
			name, _ := filepath.Rel(s.Dir, path)
			left = append(left, name)
		}
		return err
	})
	slices.Sort(mine)
	slices.Sort(left)
	if diff := cmp.Diff(mine, left); diff != "" || err != nil {
		t.Errorf("left (-want +got) %v:\n%s", err, diff)
	}
	run(t, s) // and the folder is free for another
	if err := local.Remove(t.TempDir()); err != nil {
		t.Errorf("a folder without a crawl: %v", err)
	}
	if err := local.Remove(filepath.Join(t.TempDir(), "absent")); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

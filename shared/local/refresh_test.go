package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/console"
	"sluice/shared/crawl/step"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/local/engine"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// livingSite is a web server whose pages change. It names their versions by ETags
// and answers conditional requests; the pages under /plain/ have none.
type livingSite struct {
	*httptest.Server

	mu     sync.Mutex
	pages  map[string]string
	status map[string]int // answers since the last change
	on     func(path string)
}

func serveLiving(t testing.TB, pages map[string]string) *livingSite {
	t.Helper()
	s := &livingSite{pages: pages, status: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// change replaces pages; "" removes one.
func (s *livingSite) change(pages map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.pages, pages)
	clear(s.status)
}

// answers returns the status of the answers since the last change, by path.
func (s *livingSite) answers() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.status)
}

// ServeHTTP implements http.Handler.
func (s *livingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	s.mu.Lock()
	page, on := s.pages[path], s.on
	s.mu.Unlock()
	if on != nil {
		on(path)
	}
	rec := httptest.NewRecorder()
	switch {
	case page == "":
		http.NotFound(rec, r)
	case strings.HasPrefix(page, "500"):
		rec.WriteHeader(http.StatusInternalServerError)
	default:
		rec.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasSuffix(path, ".xml") {
			rec.Header().Set("Content-Type", "application/rss+xml; charset=utf-8")
		}
		if !strings.HasPrefix(path, "/plain/") {
			rec.Header().Set("ETag", fmt.Sprintf("\"%x\"", crc32.ChecksumIEEE([]byte(page))))
		}
		http.ServeContent(rec, r, "", time.Time{}, strings.NewReader(page))
	}
	if path != "/robots.txt" && !strings.HasPrefix(path, "/.well-known/") && path != "/ai.txt" {
		s.mu.Lock()
		s.status[path] = rec.Code
		s.mu.Unlock()
	}
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes()) // the client may be gone
}

// article is a page on the topic with links.
func article(name string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>股市 银行</title><h1>股市 银行</h1>%s", text(name))
	for _, l := range links {
		fmt.Fprintf(&b, "<a href=%s>银行</a>", l)
	}
	return b.String()
}

// index is a page off topic whose links are followed.
func index(links ...string) string {
	var b strings.Builder
	b.WriteString("<title>晴朗的天气预报</title>")
	for _, l := range links {
		fmt.Fprintf(&b, "<p><a href=%s>股市 银行</a></p>", l)
	}
	return b.String()
}

// recordsIn reads the JSON lines of a folder of the crawl.
func recordsIn[T any](t testing.TB, dir, kind string) []T {
	t.Helper()
	return fixture.Lines[T](t, dir, kind, "*.jsonl")
}

// current are the documents that the ledger points at, as "path version", sorted.
func current(t testing.TB, dir string) []string {
	t.Helper()
	f := folder(t, dir)
	docs := recordsIn[corpus.Document](t, dir, "corpus")
	urls := make([]string, len(docs))
	for i := range docs {
		urls[i] = docs[i].FinalURL
	}
	entries, err := f.Entries(t.Context(), urls)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, d := range docs {
		if e := entries[i]; e != nil && e.Verdict == "kept" && e.Segment == d.WARC.File && e.Offset == d.WARC.Offset {
			_, path, _ := strings.Cut(strings.TrimPrefix(d.FinalURL, "http://"), "/")
			all = append(all, fmt.Sprintf("/%s %d", path, d.Version))
		}
	}
	slices.Sort(all)
	return all
}

// refreshSpec goes over the folder of a crawl again, as it was started.
func refreshSpec(dir string) local.Spec {
	return local.Spec{Dir: dir, Refresh: true, Version: "1.0", Workers: 4, Delay: -1}
}

func TestRefreshFolder(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{
		"/":        index("/same", "/changed", "/removed", "/plain/same", "/down"),
		"/same":    article("same", "/deep"),
		"/changed": article("changed"), "/removed": article("removed"), "/plain/same": article("plain"),
		"/deep": article("deep"), "/down": article("down"),
	})
	s := spec(t, web.URL+"/")
	s.Delay = 0
	first := run(t, s)
	if first.Kept != 6 || first.Generation != 1 || first.Refresh != (console.Refreshed{}) || first.Crawl != "money" {
		t.Fatalf("first crawl: kept %d, generation %d, refresh %+v, crawl %s", first.Kept, first.Generation, first.Refresh, first.Crawl)
	}
	before := current(t, s.Dir)
	if want := []string{"/changed 1", "/deep 1", "/down 1", "/plain/same 1", "/removed 1", "/same 1"}; !slices.Equal(before, want) {
		t.Fatalf("documents %v, want %v", before, want)
	}

	web.change(map[string]string{
		"/": index("/same", "/changed", "/plain/same", "/new"), "/changed": article("changed for good"), "/removed": "",
		"/new": article("new"), "/plain/same": article("plain", "/newer"), "/newer": article("newer"),
	})
	sum := run(t, refreshSpec(s.Dir))
	if want := (console.Refreshed{Fetched: 9, Unchanged: 4, Changed: 1, Gone: 1, New: 2}); sum.Refresh != want {
		t.Errorf("refresh is %+v, want %+v", sum.Refresh, want)
	}
	if sum.Generation != 2 || sum.Crawl != "money" || sum.Kept != 7 || sum.Fetched != first.Fetched+9 || sum.Rules["gone"] != 1 {
		t.Errorf("generation %d of %s kept %d, rules %v", sum.Generation, sum.Crawl, sum.Kept, sum.Rules)
	}
	answers := map[string]int{
		"/": 200, "/same": 304, "/deep": 304, "/down": 304, "/changed": 200, "/removed": 404, "/plain/same": 200, "/new": 200, "/newer": 200,
	}
	if diff := cmp.Diff(answers, web.answers()); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	want := []string{"/changed 2", "/deep 1", "/down 1", "/new 1", "/newer 1", "/plain/same 1", "/same 1"}
	if diff := cmp.Diff(want, current(t, s.Dir)); diff != "" {
		t.Errorf("current documents (-want +got):\n%s", diff)
	}
	checkVersions(t, s.Dir, web.URL)
	checkExplained(t, s.Dir, web.URL)

	// Nothing has changed since; /down is.
	web.change(map[string]string{"/down": "500"})
	r := refreshSpec(s.Dir)
	r.MaxDuration = 30 * time.Second // its attempts would take minutes, the other pages less on any machine
	sum = run(t, r)
	if sum.Refresh.Unchanged != 6 || sum.Refresh.Changed+sum.Refresh.Gone+sum.Refresh.New != 0 || sum.Generation != 3 || sum.Kept != 7 {
		t.Errorf("second refresh is %+v, generation %d, %d documents", sum.Refresh, sum.Generation, sum.Kept)
	}
	if diff := cmp.Diff(want, current(t, s.Dir)); diff != "" {
		t.Errorf("current documents after another refresh (-want +got):\n%s", diff)
	}
	if got := web.answers()["/removed"]; got != 0 {
		t.Errorf("a page that is gone was asked for again: %d", got)
	}

	// What is gone comes back.
	web.change(map[string]string{"/": index("/same", "/changed", "/plain/same", "/new", "/removed"), "/removed": article("removed"), "/down": article("down")})
	r = refreshSpec(s.Dir)
	r.MaxDuration = 10 * time.Minute // else as before
	sum = run(t, r)
	if want := (console.Refreshed{Fetched: 9, Unchanged: 7, New: 1}); sum.Refresh != want || sum.Kept != 8 || len(current(t, s.Dir)) != 8 {
		t.Errorf("third refresh is %+v, documents %v, counted %d", sum.Refresh, current(t, s.Dir), sum.Kept)
	}
}

// checkVersions looks at what is in the files: the old version beside the
// new one, and the mark of what is gone.
func checkVersions(t *testing.T, dir, site string) {
	t.Helper()
	var versions []string
	for _, d := range recordsIn[corpus.Document](t, dir, "corpus") {
		if d.FinalURL == site+"/changed" {
			versions = append(versions, fmt.Sprintf("%d %s after %q", d.Version, d.ID, d.Previous))
		}
	}
	first, second := corpus.DocumentID(site+"/changed", 1), corpus.DocumentID(site+"/changed", 2)
	want := []string{fmt.Sprintf("1 %s after %q", first, ""), fmt.Sprintf("2 %s after %q", second, first)}
	if diff := cmp.Diff(want, versions); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	var gone []string
	for _, r := range recordsIn[corpus.Reject](t, dir, "rejects") {
		if r.Previous != "" {
			gone = append(gone, r.FinalURL+" "+r.Rule+" "+r.Previous)
		}
	}
	if diff := cmp.Diff([]string{site + "/removed gone " + corpus.DocumentID(site+"/removed", 1)}, gone); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func checkExplained(t *testing.T, dir, site string) {
	t.Helper()
	f := folder(t, dir)
	for _, tt := range []struct {
		path, fate, rule string
		past             []console.Finding
	}{
		{"/removed", "rejected", "gone", []console.Finding{
			{Generation: 2, Verdict: ledger.Rejected, Rule: "gone", Change: ledger.Gone}, {Generation: 1, Verdict: ledger.Kept, Version: 1},
		}},
		{"/changed", "kept", "", []console.Finding{
			{Generation: 2, Verdict: ledger.Kept, Change: ledger.Changed, Version: 2}, {Generation: 1, Verdict: ledger.Kept, Version: 1},
		}},
		{"/newer", "kept", "", []console.Finding{{Generation: 2, Verdict: ledger.Kept, Change: ledger.New, Version: 1}}},
		{"/nowhere", "unknown", "", nil},
	} {
		if x := explain(t, f, site+tt.path); x.Fate != tt.fate || x.Rule != tt.rule {
			t.Errorf("%s is %s by %q, want %s by %q", tt.path, x.Fate, x.Rule, tt.fate, tt.rule)
		}
		past, err := f.Past(t.Context(), site+tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.past, past, cmpopts.IgnoreFields(console.Finding{}, "At")); diff != "" {
			t.Errorf("past of %s (-want +got):\n%s", tt.path, diff)
		}
	}
}

// Links that a stopped crawl did not reach are left to its refresh, and those
// of a stopped refresh to the run that continues it.
func TestRefreshOfStoppedCrawl(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	var links []string
	for i := range 12 {
		path := fmt.Sprintf("/%d", i)
		links = append(links, path)
		pages[path] = article(path)
	}
	pages["/"] = index(links...)
	web := serveLiving(t, pages)
	s := spec(t, web.URL+"/")
	s.Delay, s.MaxPages = 0, 4
	if sum := run(t, s); sum.Kept != 3 || sum.StopReason != string(engine.MaxPages) {
		t.Fatalf("first crawl kept %d, %s", sum.Kept, sum.StopReason)
	}
	r := refreshSpec(s.Dir)
	r.MaxPages = 6
	sum := run(t, r)
	if sum.Refresh.Fetched != 6 || sum.Fetched != 10 || sum.StopReason != string(engine.MaxPages) || sum.Generation != 2 {
		t.Fatalf("refresh fetched %d, %s, generation %d", sum.Fetched, sum.StopReason, sum.Generation)
	}
	resumed := refreshSpec(s.Dir)
	resumed.Refresh, resumed.Resume, resumed.MaxPages = false, true, 100
	sum = run(t, resumed)
	if want := (console.Refreshed{Fetched: 13, Unchanged: 3, New: 9}); sum.Refresh != want || sum.Generation != 2 || sum.Fetched != 17 {
		t.Errorf("after the refresh was gone on with: %+v, generation %d, fetched %d", sum.Refresh, sum.Generation, sum.Fetched)
	}
	if n := len(current(t, s.Dir)); n != 12 {
		t.Errorf("%d documents, want 12", n)
	}
}

// fuse is a context that ends after it was looked at a number of times: its
// crawl breaks off between any two effects.
type fuse struct {
	context.Context
	left atomic.Int64
}

// Err implements context.Context.
func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Each refresh fetches robots.txt and its like once again: a page that the site
// forbids by now is not requested, and its document is removed.
func TestRefreshAsksSitesAnew(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{
		"/": index("/open", "/closed", "/late"), "/open": article("open"), "/closed": article("closed"), "/late": article("late"),
	})
	asked := map[string]int{}
	var mu sync.Mutex
	web.on = func(path string) {
		mu.Lock()
		defer mu.Unlock()
		asked[path]++
	}
	wantAsked := func(n int) {
		t.Helper()
		for _, path := range []string{"/robots.txt", "/.well-known/tdmrep.json", "/ai.txt"} {
			if asked[path] != n {
				t.Errorf("%s was asked for %d times by now, want %d", path, asked[path], n)
			}
		}
	}
	s := spec(t, web.URL+"/")
	s.Delay = 0
	run(t, s)
	wantAsked(1)

	web.change(map[string]string{"/robots.txt": "User-agent: *\nDisallow: /closed\n"})
	r := refreshSpec(s.Dir)
	r.MaxPages = 2
	run(t, r)
	r.Refresh, r.Resume, r.MaxPages = false, true, 100
	sum := run(t, r)
	wantAsked(2) // the run that continues the refresh does not ask again
	if want := (console.Refreshed{Fetched: 3, Unchanged: 2, Gone: 1}); sum.Refresh != want || sum.Rules["robots"] != 1 {
		t.Errorf("refresh is %+v, rules %v", sum.Refresh, sum.Rules)
	}
	if code := web.answers()["/closed"]; code != 0 {
		t.Errorf("the forbidden page was asked for: %d", code)
	}
	if got := current(t, s.Dir); !slices.Equal(got, []string{"/late 1", "/open 1"}) {
		t.Errorf("documents %v", got)
	}
}

// A crawl of an older sluice has noted no digests of its texts, or those of other
// texts than are read now: what the site sent then tells what has changed.
func TestRefreshOfOlderSluice(t *testing.T) {
	t.Parallel()
	for name, digest := range map[string]string{"no digests": "", "others": "0123456789abcdef0123456789abcdef"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			web := serveLiving(t, map[string]string{
				"/": index("/plain/same", "/plain/changed"), "/plain/same": article("same"), "/plain/changed": article("changed"),
			})
			s := spec(t, web.URL+"/")
			s.Delay = 0
			run(t, s)
			refreshWithDigest(t, s.Dir, digest, web.URL+"/plain/same", web.URL+"/plain/changed")
			web.change(map[string]string{
				"/plain/same": article("same", "/plain/new"), "/plain/new": article("new"), "/plain/changed": article("changed for good"),
			})
			if sum, want := run(t, refreshSpec(s.Dir)), (console.Refreshed{Fetched: 4, Unchanged: 1, Changed: 1, New: 1}); sum.Refresh != want {
				t.Errorf("refresh is %+v, want %+v", sum.Refresh, want)
			}
			x := explain(t, folder(t, s.Dir), web.URL+"/plain/same")
			if x.Trace == nil || len(x.Trace.TextDigest) != 32 || x.Trace.TextDigest == digest {
				t.Errorf("the digest is not known now: %+v", x.Trace)
			}
		})
	}
}

// refreshWithDigest makes a second generation of a crawl, which has found its
// documents unchanged, with a digest of their texts.
func refreshWithDigest(t testing.TB, dir, digest string, urls ...string) {
	t.Helper()
	withStore(t, dir, func(st *sqlitestore.Store) {
		ctx := t.Context()
		entries, err := st.Ledger().Entries(ctx, "money", urls)
		if err != nil {
			t.Fatal(err)
		}
		var ends []ledger.End
		for i, e := range entries {
			var trace step.Trace
			if err := json.Unmarshal(e.Trace, &trace); err != nil {
				t.Fatal(err)
			}
			trace.TextDigest = digest
			if e.Trace, err = json.Marshal(trace); err != nil {
				t.Fatal(err)
			}
			e.Change = ledger.Unchanged
			ends = append(ends, ledger.End{URL: urls[i], Entry: e})
		}
		if _, err := st.Ledger().Complete(ctx, "money@2", ends); err != nil {
			t.Fatal(err)
		}
		raw, _, err := st.Meta(ctx, "settings")
		if err != nil {
			t.Fatal(err)
		}
		second := strings.Replace(raw, "{", `{"generation":2,"inherited":true,`, 1)
		if err := st.SetMeta(ctx, "settings", second); err != nil {
			t.Fatal(err)
		}
	})
}

// A refresh that is interrupted anywhere while it takes over the last crawl does so
// again when it is resumed, or the next refresh does, with the same result.
func TestRefreshBrokenOff(t *testing.T) {
	t.Parallel()
	t.Run("resumed", func(t *testing.T) { t.Parallel(); testBrokenOff(t, false) })
	t.Run("refreshed", func(t *testing.T) { t.Parallel(); testBrokenOff(t, true) })
}

func testBrokenOff(t *testing.T, next bool) {
	// The first page does not change, so that its links are not read again.
	web := serveLiving(t, map[string]string{"/": article("home", "/a", "/b", "/c"), "/a": article("a"), "/b": article("b"), "/c": article("c")})
	s := spec(t, web.URL+"/")
	s.Delay, s.MaxPages = 0, 3
	run(t, s)
	queueWaiting(t, s.Dir)
	web.change(map[string]string{"/a": article("another")})
	begun := false
	every := int64(short.Every(t, 5))
	for effects := int64(0); ; effects += every {
		dir := filepath.Join(t.TempDir(), "out")
		if err := os.CopyFS(dir, os.DirFS(s.Dir)); err != nil {
			t.Fatal(err)
		}
		r := refreshSpec(dir)
		r.MaxPages = 100
		ctx := &fuse{Context: t.Context()}
		ctx.left.Store(effects)
		c, err := local.Open(ctx, r)
		if err == nil {
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			break
		}
		generation := 2
		switch f := folder(t, dir); {
		case f.Generation() == 1:
		case next:
			begun, generation = true, 3
		default:
			begun = true
			r.Refresh, r.Resume = false, true
		}
		sum := run(t, r)
		if want := (console.Refreshed{Fetched: 4, Unchanged: 2, Changed: 1, New: 1}); sum.Refresh != want || sum.Generation != generation {
			t.Errorf("broken off after %d effects: refresh is %+v, generation %d", effects, sum.Refresh, sum.Generation)
		}
		if docs := current(t, dir); !slices.Equal(docs, []string{"/ 1", "/a 2", "/b 1", "/c 1"}) || sum.Kept != 4 {
			t.Errorf("broken off after %d effects: documents %v, counted %d", effects, docs, sum.Kept)
		}
		wantLeft(t, dir)
	}
	if !begun {
		t.Error("no refresh had begun when it was broken off")
	}
}

// queueWaiting puts the link that waits in a crawl's backlog into its queue, as a
// kill may leave it.
func queueWaiting(t testing.TB, dir string) {
	t.Helper()
	withStore(t, dir, func(st *sqlitestore.Store) {
		var waiting []frontier.Link
		for links, err := range st.EachWaiting(t.Context(), "money") {
			if err != nil {
				t.Fatal(err)
			}
			waiting = append(waiting, links...)
		}
		if len(waiting) != 1 {
			t.Fatalf("%d links wait, want 1", len(waiting))
		}
		task := &frontier.Task{Crawl: "money", Host: "127.0.0.1", Links: waiting, Sent: time.Now()}
		err := st.Queue().Send(t.Context(), []frontier.Outgoing{{Task: task}})
		if err == nil {
			err = st.Backlog().Remove(t.Context(), "money", "127.0.0.1", frontier.URLs(waiting))
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// wantLeft looks whether the first crawl in a folder was left as it was, without
// its tasks.
func wantLeft(t testing.TB, dir string) {
	t.Helper()
	withStore(t, dir, func(st *sqlitestore.Store) {
		queued, err := st.Queue().Queued(t.Context(), "money", "")
		if err != nil {
			t.Fatal(err)
		}
		totals, err := st.Ledger().Totals(t.Context(), "money")
		if err != nil {
			t.Fatal(err)
		}
		if queued != 0 || totals.Fetched != 3 {
			t.Errorf("the first crawl has %d links queued and has fetched %d, want 0 and 3", queued, totals.Fetched)
		}
	})
}

func withStore(t testing.TB, dir string, do func(*sqlitestore.Store)) {
	t.Helper()
	st, err := sqlitestore.Open(filepath.Join(dir, local.StateFile), sqlitestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(st)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

// A reproducible crawl has reproducible refreshes.
func TestRefreshInRounds(t *testing.T) {
	t.Parallel()
	web := serveLiving(t, map[string]string{"/": index("/a", "/b"), "/a": article("a", "/c"), "/b": article("b"), "/c": article("c")})
	s := spec(t, web.URL+"/")
	s.Delay, s.RandomSeed = 0, 7
	run(t, s)
	web.change(map[string]string{"/": index("/a", "/b", "/d"), "/b": "", "/d": article("d")})
	if sum, want := run(t, refreshSpec(s.Dir)), (console.Refreshed{Fetched: 5, Unchanged: 2, Gone: 1, New: 1}); sum.Refresh != want {
		t.Errorf("refresh is %+v, want %+v", sum.Refresh, want)
	}
}

// Generations learn the lines of a site together: a refresh takes none back that
// the crawl has removed, and a page that has nothing else stays out.
func TestRefreshKeepsBoilerplateOut(t *testing.T) {
	t.Parallel()
	web := bulletin(t)
	s := spec(t, web.URL+"/")
	s.Delay = 0
	first := run(t, s)
	for range 2 {
		sum := run(t, refreshSpec(s.Dir))
		wantBulletin(t, documents(t, s.Dir))
		if sum.Kept != first.Kept || sum.Refresh.Unchanged != first.Kept || sum.Refresh.Changed+sum.Refresh.Gone != 0 {
			t.Errorf("generation %d kept %d, want %d; it found %+v", sum.Generation, sum.Kept, first.Kept, sum.Refresh)
		}
		if got := current(t, s.Dir); len(got) != int(first.Kept) {
			t.Errorf("current are %v", got)
		}
	}
}

func TestRefreshNeedsACrawl(t *testing.T) {
	t.Parallel()
	s := spec(t, "http://127.0.0.1:1/")
	s.Refresh = true
	if _, err := local.Open(t.Context(), s); !errors.Is(err, local.ErrNoCrawl) {
		t.Errorf("error is %v, want ErrNoCrawl", err)
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}

package step_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/fault"
	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/topic"
)

// browser stands for one: it shows the pages it has, and others as they were sent.
type browser struct {
	pages    map[string]string // by URL
	grown    map[string]string // the lists that they have when they are asked for more
	fails    map[string]error
	requests int            // of each page, to its host
	others   map[string]int // of each page, by host
	busy     bool           // with other pages, for too long

	mu    sync.Mutex
	shown map[string]int // by URL
	asked []string       // for more
}

// Show implements step.Browser.
func (b *browser) Show(_ context.Context, a *step.Answer) (*step.Shown, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown == nil {
		b.shown = map[string]int{}
	}
	if b.busy {
		return nil, fmt.Errorf("wait: %w", context.DeadlineExceeded)
	}
	b.shown[a.URL]++
	s := &step.Shown{Requests: map[string]int{"a.test": b.requests}}
	maps.Copy(s.Requests, b.others)
	if err := b.fails[a.URL]; err != nil {
		return s, err
	}
	s.HTML = a.Body
	if page, ok := b.pages[a.URL]; ok {
		s.HTML = []byte(page)
	}
	if a.More != nil && a.More(s.HTML) != "" {
		b.asked = append(b.asked, a.URL)
		if more, ok := b.grown[a.URL]; ok {
			s.More = []byte(more)
		}
	}
	return s, nil
}

const emptyApp = "<title>app</title><div id=app>Loading</div>"

func shownPage(n int) string {
	return fmt.Sprintf("<html><head><title>股市银行 %d</title></head><body><div id=app><h1>股市银行</h1><p>%s</p><p><a href=/more/%[1]d>股市银行</a></p></div></body></html>",
		n, strings.Repeat(fmt.Sprintf("今天银行的股市第%d次上涨，投资者纷纷买入。", n), 20))
}

// appWorld is a site of six pages of three layers: sent, built by scripts, and one page
// that is alone.
func appWorld(t *testing.T, mode string) (*world, *browser) {
	t.Helper()
	var archive strings.Builder
	b := &browser{pages: map[string]string{}, fails: map[string]error{}}
	for i := range 6 {
		fmt.Fprintf(&archive, "-- http://a.test/sent/%d.html --\n%s\n", i, shownPage(i))
		fmt.Fprintf(&archive, "-- http://a.test/app/%d.html --\n%s\n", i, emptyApp)
		fmt.Fprintf(&archive, "-- http://a.test/more/%d --\n%s\n", i, shownPage(100+i))
		b.pages[fmt.Sprintf("http://a.test/app/%d.html", i)] = shownPage(10 + i)
	}
	w := newWorld(t, archive.String())
	w.plan.Render, w.ports.Browser = mode, b
	return w, b
}

// rendering is how a page was rendered.
func (w *world) rendering(t *testing.T, url string) *step.Rendering {
	t.Helper()
	var trace step.Trace
	if e := w.trail(t, url).Entry; e == nil {
		t.Fatalf("%s has not ended", url)
	} else if err := json.Unmarshal(e.Trace, &trace); err != nil {
		t.Fatal(err)
	}
	return trace.Rendering
}

// archivedAsShown counts the pages in the archive that a browser has shown.
func (w *world) archivedAsShown(t *testing.T) int {
	t.Helper()
	n := 0
	for _, rec := range corpustest.Archived(t, w.dir, "warc", "*.warc.gz") {
		if rec.Shows() != "" {
			n++
		}
	}
	return n
}

// The first pages of a layer are compared; later ones are shown if it is dynamic.
func TestRenderAuto(t *testing.T) {
	w, b := appWorld(t, topic.RenderAuto)
	for i := range 6 {
		w.crawl(t, link(fmt.Sprintf("http://a.test/sent/%d.html", i)), link(fmt.Sprintf("http://a.test/app/%d.html", i)))
	}
	want := map[string]int{"http://a.test/sent/0.html": 1, "http://a.test/sent/1.html": 1}
	for i := range 6 {
		want[fmt.Sprintf("http://a.test/app/%d.html", i)] = 1
	}
	// The links of the pages shown are followed; their layer is compared, too.
	got := maps.Clone(b.shown)
	more := 0
	maps.DeleteFunc(got, func(url string, _ int) bool {
		is := strings.HasPrefix(url, "http://a.test/more/")
		if is {
			more++
		}
		return is
	})
	if diff := cmp.Diff(want, got); diff != "" || more != 2 {
		t.Errorf("shown, and %d of /more/ (-want +got):\n%s", more, diff)
	}
	documents := w.documents(t)
	for i := range 6 {
		url := fmt.Sprintf("http://a.test/app/%d.html", i)
		if d := documents[url]; d.Title != fmt.Sprintf("股市银行 %d", 10+i) {
			t.Errorf("document of %s is %+v", url, d)
		}
		if r := w.rendering(t, url); !r.Shown || r.Layer != "/app/#.html" {
			t.Errorf("rendering of %s is %+v", url, r)
		}
	}
	for url, want := range map[string]string{
		"http://a.test/app/1.html": step.Unknown, "http://a.test/app/2.html": step.Dynamic,
		"http://a.test/sent/1.html": step.Unknown, "http://a.test/sent/2.html": step.Static,
	} {
		r := w.rendering(t, url)
		if compared := want == step.Unknown; r.Kind != want || (r.Similarity != nil) != compared {
			t.Errorf("rendering of %s is %+v, want kind %s", url, r, want)
		}
	}
	if n := w.archivedAsShown(t); n != 6 {
		t.Errorf("%d pages are archived as shown, want 6", n)
	}
}

// What is known of the layers is kept with the host: another process goes on with it.
func TestRenderByAnother(t *testing.T) {
	w, b := appWorld(t, topic.RenderAuto)
	w.run(t, link("http://a.test/sent/0.html"), link("http://a.test/sent/1.html"), link("http://a.test/app/0.html"))
	w.step = nil
	w.run(t, link("http://a.test/sent/2.html"), link("http://a.test/app/1.html"))
	want := map[string][2]int{"/sent/#.html": {2, 0}, "/app/#.html": {0, 2}}
	if totals, err := w.store.Ledger().Totals(t.Context(), crawlID); err != nil || totals.Rendered != 4 {
		t.Errorf("totals %+v, error %v, want 4 rendered pages", totals, err)
	}
	if diff := cmp.Diff(want, w.lease(t).State.Layers); diff != "" || b.shown["http://a.test/sent/2.html"] != 0 {
		t.Errorf("shown %v; layers (-want +got):\n%s", b.shown, diff)
	}
}

func TestRenderAlways(t *testing.T) {
	w, b := appWorld(t, topic.RenderAlways)
	w.run(t, link("http://a.test/sent/0.html"), link("http://a.test/app/0.html"))
	if len(b.shown) != 2 || w.archivedAsShown(t) != 2 {
		t.Errorf("shown %v, archived %d, want 2 and 2", b.shown, w.archivedAsShown(t))
	}
	if r := w.rendering(t, "http://a.test/sent/0.html"); !r.Shown || r.Layer != "" || r.Similarity != nil {
		t.Errorf("rendering is %+v", r)
	}
}

// The requests of a page put off the next fetch, up to a limit; a failure does not
// forgive them.
func TestRenderIsPolite(t *testing.T) {
	for _, tt := range []struct {
		requests int
		fail     error
		want     time.Duration
	}{
		{0, nil, 2 * time.Second},
		{4, nil, 10 * time.Second},
		{4, fault.New(fault.Permanent, "crashed", nil), 10 * time.Second},
		{200, nil, time.Minute},
	} {
		w, b := appWorld(t, topic.RenderAlways)
		w.plan.Delay, b.requests, b.fails = 2*time.Second, tt.requests, map[string]error{"http://a.test/app/0.html": tt.fail}
		w.askSite(t)
		w.run(t, link("http://a.test/app/0.html"))
		if got := w.next(t); got != tt.want {
			t.Errorf("%d requests, %v: next fetch after %v, want %v", tt.requests, tt.fail, got, tt.want)
		}
	}
}

// Requests to another host of the crawl put off its next fetch, too, unless somebody
// fetches from it.
func TestRenderIsPoliteToOthers(t *testing.T) {
	w, b := appWorld(t, topic.RenderAlways)
	w.plan.Delay, b.others = 2*time.Second, map[string]int{"b.test": 3, "busy.test": 3}
	busy, err := w.store.Leases().Acquire(t.Context(), crawlID, "busy.test", "other", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	w.askSite(t)
	w.run(t, link("http://a.test/app/0.html"))
	l, err := w.store.Leases().Acquire(t.Context(), crawlID, "b.test", "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Next.Sub(w.clock.now()); got != 6*time.Second || l.State.Pages != 0 {
		t.Errorf("next fetch from the other host after %v, want 6 s", got)
	}
	if err := w.store.Leases().Release(t.Context(), crawlID, busy); err != nil {
		t.Error(err)
	}
	if r := w.rendering(t, "http://a.test/app/0.html"); r.Requests != 6 {
		t.Errorf("%d requests, want 6", r.Requests)
	}
}

// A browser that fails is asked again; a page that it cannot show is read as it was
// fetched, and no link is lost.
func TestRenderFails(t *testing.T) {
	const url = "http://a.test/app/0.html"
	for _, tt := range []struct {
		name  string
		err   error
		shown int
		fate  string
	}{
		{"passes", fault.New(fault.Retryable, "timeout", errors.New("no document")), 3, "passed description_threshold"},
		{"lost", fault.New(fault.Retryable, "browser", errors.New("lost")), 3, "passed description_threshold"},
		{"page breaks it", fault.New(fault.Permanent, "crashed", errors.New("the process ended")), 1, "passed description_threshold"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, b := appWorld(t, topic.RenderAuto)
			w.opts.MaxAttempts = 3
			b.fails[url] = tt.err
			w.crawl(t, link(url))
			if got := w.fate(t, url); got != tt.fate || b.shown[url] != tt.shown {
				t.Errorf("fate %q after %d attempts, want %q after %d", got, b.shown[url], tt.fate, tt.shown)
			}
			if r := w.rendering(t, url); r.Shown || r.Error != tt.err.Error() {
				t.Errorf("rendering is %+v, want the error %v", r, tt.err)
			}
		})
	}
	w, b := appWorld(t, topic.RenderAuto)
	b.fails[url] = fault.New(fault.Broken, "browser", errors.New("cannot be started"))
	if _, err := w.try(t, w.task(t, link(url))); fault.Of(err).Class != fault.Broken {
		t.Errorf("error %v, want that of the browser", err)
	}
	b.fails, b.busy = nil, true
	if out := w.run(t, link(url)); len(out.Rest) != 1 || out.Rest[0].Task.Links[0].Attempts != 0 {
		t.Errorf("rest is %+v, want the link without a failed attempt", out.Rest)
	}
}

// Without a browser a page that needs one is rejected as such; its links are followed.
func TestNoBrowser(t *testing.T) {
	w, _ := appWorld(t, topic.RenderAuto)
	w.ports.Browser = nil
	w.run(t, link("http://a.test/sent/0.html"))
	w.wantFates(t, map[string]string{"http://a.test/sent/0.html": "rejected " + step.RuleNeedsBrowser, "http://a.test/more/0": "waiting"})
}

// A refresh asks for pages that were shown without conditions: their data may have
// changed where the mark-up has not.
func TestRefreshShown(t *testing.T) {
	const url = "http://a.test/app/0.html"
	w, _ := appWorld(t, topic.RenderAlways)
	w.web.pages[url] = "200\nETag: \"a\"\n\n" + emptyApp
	w.crawl(t, link(url))
	w.refresh(t, nil)
	w.crawl(t, link(url))
	if h := w.web.headers[url]; h.Get("If-None-Match") != "" {
		t.Errorf("asked with %v", h)
	}
	if got := w.trail(t, url).Entry; got == nil || got.Change != "unchanged" {
		t.Errorf("entry is %+v, want an unchanged document", got)
	}
}

// A worker without a browser hands links over to one that has one, before they are fetched,
// and keeps those of static layers.
func TestHandOver(t *testing.T) {
	w, b := appWorld(t, topic.RenderAuto)
	w.run(t, link("http://a.test/sent/0.html"), link("http://a.test/sent/1.html"), link("http://a.test/app/0.html"))
	w.step, w.ports.Browser, w.opts.HandOver = nil, nil, true
	task := w.task(t, link("http://a.test/sent/2.html"), link("http://a.test/app/1.html"), link("http://a.test/other/1"))
	out, err := w.try(t, task)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Rest) != 1 || !out.Rest[0].Task.Render || out.Rest[0].Task.ID != task.ID || out.Rest[0].Task.Part != task.Part || len(out.Rest[0].Task.Links) != 2 {
		t.Fatalf("rest is %+v, want one task of two links to be rendered, as the task goes on", out.Rest)
	}
	w.wantFates(t, map[string]string{"http://a.test/sent/2.html": "kept", "http://a.test/app/1.html": "absent"})
	if n := w.web.requests()["http://a.test/app/1.html"]; n != 0 {
		t.Errorf("%d fetches of a page that needs a browser", n)
	}
	w.step, w.ports.Browser = nil, b
	if _, err := w.try(t, out.Rest[0].Task); err != nil {
		t.Fatal(err)
	}
	w.wantFates(t, map[string]string{"http://a.test/app/1.html": "kept", "http://a.test/other/1": "rejected http_404"})
}

// What a page says to robots holds even if its scripts take it back: it is not shown if it
// must not be kept.
func TestScriptsDoNotUndoOptOuts(t *testing.T) {
	w, b := appWorld(t, topic.RenderAlways)
	w.web.pages["http://a.test/app/0.html"] = `<meta name=robots content=noindex>` + emptyApp
	w.web.pages["http://a.test/app/1.html"] = `<meta name=robots content=nofollow>` + emptyApp
	w.run(t, link("http://a.test/app/0.html"), link("http://a.test/app/1.html"))
	w.wantFates(t, map[string]string{
		"http://a.test/app/0.html": "passed description_threshold", "http://a.test/more/10": "absent",
		"http://a.test/app/1.html": "kept", "http://a.test/more/11": "absent",
	})
	if b.shown["http://a.test/app/0.html"] != 0 {
		t.Error("a page was shown that opts out")
	}
}

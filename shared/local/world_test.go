package local_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sluice/shared/console"
	"sluice/shared/local"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
)

const topicYAML = `
name: money
words: [股市, 银行]
seeds: ["http://127.0.0.1:1/"]
scope: {mode: SCOPE}
thresholds: {description: 0.3, priority: 0.45, body: 0}
weights: {alpha: 0.1, beta: 1, lambda: 0.01}
budgets: {max_pages: 100, max_pages_per_host: 20, max_depth: 3}
`

// semanticYAML is the topic with the strategy that drops weak links.
var semanticYAML = strings.Replace(topicYAML, "SCOPE", "domain", 1) + "strategy: semantic\n"

// spec is a crawl of a topic about 股市 and 银行 into a new folder, without a
// contact.
func spec(t testing.TB, seeds ...string) local.Spec {
	t.Helper()
	return specOf(t, strings.Replace(topicYAML, "SCOPE", "domain", 1), seeds...)
}

func specOf(t testing.TB, yaml string, seeds ...string) local.Spec {
	t.Helper()
	compiled, err := topic.Read("topic.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return local.Spec{
		Dir: filepath.Join(t.TempDir(), "out"), Topic: compiled, Source: []byte(yaml),
		Seeds: seeds, Version: "1.0", Workers: 4,
	}
}

// run crawls to the end.
func run(t testing.TB, s local.Spec) *local.Summary {
	t.Helper()
	c := open(t, s)
	sum, err := c.Run(t.Context(), t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return sum
}

func open(t testing.TB, s local.Spec) *local.Crawl {
	t.Helper()
	c, err := local.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// folder opens the folder of a crawl for reading.
func folder(t testing.TB, dir string) *local.Folder {
	t.Helper()
	f, err := local.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func explain(t testing.TB, f *local.Folder, url string) *console.Explanation {
	t.Helper()
	x, err := f.Explain(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// site is a web server on loopback; as a proxy it is every http host.
type site struct {
	*httptest.Server
	pages map[string]string // by path, or by URL to a proxy; "301 URL" redirects, "503 SECONDS" asks to wait

	mu    sync.Mutex
	asked map[string]int
	on    func(path string) // called on every request
}

func serve(t testing.TB, pages map[string]string) *site {
	t.Helper()
	s := &site{pages: pages, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	at := r.URL.String()
	s.mu.Lock()
	s.asked[at]++
	s.mu.Unlock()
	if s.on != nil {
		s.on(at)
	}
	page, ok := s.pages[at]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if after, ok := strings.CutPrefix(page, "503 "); ok {
		w.Header().Set("Retry-After", after)
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if to, ok := strings.CutPrefix(page, "301 "); ok {
		http.Redirect(w, r, to, http.StatusMovedPermanently)
		return
	}
	kind := "text/html; charset=utf-8"
	if strings.HasPrefix(page, "<?xml") {
		kind = "text/xml"
	}
	w.Header().Set("Content-Type", kind)
	fmt.Fprint(w, strings.ReplaceAll(page, "$TEXT", text(at)))
}

// requests returns how often something was asked for.
func (s *site) requests(at string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[at]
}

// total returns how many requests there were.
func (s *site) total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, k := range s.asked {
		n += k
	}
	return n
}

// proxy is the site as a proxy.
func (s *site) proxy(t testing.TB) fetch.Proxies {
	t.Helper()
	proxies, err := fetch.ParseProxies(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return proxies
}

// text is prose enough to be extracted, different for every page.
func text(at string) string {
	return fmt.Sprintf("<p>这是 %s 的正文，讲述当天各地发生的事情，内容与别的页面都不相同。</p>"+
		"<p>记者在现场看到，几十位居民一早就来到河边，把前一夜被风吹倒的小树重新扶正。</p>"+
		"<p>关于下一步的安排，负责人说还要再等一个星期，届时会在网上公布。</p>", at)
}

// errRefused is the error of a host that cannot be reached.
var errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// answer answers a request with a page.
func answer(r *http.Request, status int, html string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Request: r, Body: io.NopCloser(strings.NewReader(html)),
	}
}

// waitFor returns what arrives, and fails the test if nothing does.
func waitFor[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case v := <-c:
		return v
	case <-ctx.Done():
		t.Fatal("nothing happens")
		panic("unreachable")
	}
}

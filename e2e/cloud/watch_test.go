//go:build linux

package cloud_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/evaldata"
	"sluice/shared/web/urlnorm"
)

// hit is a request to a web, except for robots.txt.
type hit struct {
	URL        string  `json:"url"`
	Host       string  `json:"host"`
	Start, End float64 // seconds on the web's clock
}

// watched is a web in this process that keeps a log.
type watched struct {
	*httptest.Server
	web     http.Handler
	latency time.Duration // before each page
	begun   time.Time

	mu   sync.Mutex
	hits []hit
}

// watch serves a web as a proxy does.
func watch(t *testing.T, web http.Handler, latency time.Duration) *watched {
	t.Helper()
	w := &watched{web: web, latency: latency, begun: time.Now()}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

// ServeHTTP passes a request on and logs it. A client that was killed ends its
// request.
func (w *watched) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		w.web.ServeHTTP(rw, r)
		return
	}
	h := hit{URL: r.URL.String(), Host: r.URL.Hostname(), Start: time.Since(w.begun).Seconds()}
	select {
	case <-time.After(w.latency):
	case <-r.Context().Done():
	}
	rec := httptest.NewRecorder()
	w.web.ServeHTTP(rec, r)
	// Before the answer is sent: the next request may follow at once.
	h.End = time.Since(w.begun).Seconds()
	w.mu.Lock()
	w.hits = append(w.hits, h)
	w.mu.Unlock()
	for name, values := range rec.Header() {
		rw.Header()[name] = values
	}
	rw.WriteHeader(rec.Code)
	_, _ = rw.Write(rec.Body.Bytes()) // the client may have gone away
}

func (w *watched) log(*testing.T) []hit {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.hits)
}

// replayed is a frozen web in a process of its own.
type replayed struct{ URL string }

// replayNews replays the frozen news web, with flags of webreplay.
func replayNews(t *testing.T, flags ...string) *replayed {
	t.Helper()
	args := append([]string{"-listen", "127.0.0.1:0", "-web", evaldata.Path(t, newsFile)}, flags...)
	cmd := exec.CommandContext(t.Context(), filepath.Join(functions, "webreplay"), args...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("start webreplay: %v", err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // killed by the end of the test
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), " on ")
	if err != nil || !ok {
		t.Fatalf("webreplay says %q: %v", line, err)
	}
	return &replayed{url}
}

func (r *replayed) log(t *testing.T) []hit {
	t.Helper()
	var all []hit
	r.get(t, "/log", &all)
	return slices.DeleteFunc(all, func(h hit) bool { return strings.HasSuffix(h.URL, "/robots.txt") })
}

func (r *replayed) get(t *testing.T, path string, v any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("ask webreplay: %v", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		t.Fatalf("read %s of webreplay: %v", path, err)
	}
}

// isSiteFile reports whether a URL is a site's own description: requested once
// per host, in turn like its pages.
func isSiteFile(url string) bool {
	return strings.HasSuffix(url, "/.well-known/tdmrep.json") || strings.HasSuffix(url, "/ai.txt")
}

// onlyPages returns the requests for pages.
func onlyPages(hits []hit) []hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return isSiteFile(h.URL) })
}

// wantAlone fails the test if a host, and so a URL, had two requests at a time,
// or one sooner than delay after the end of the last.
func wantAlone(t *testing.T, hits []hit, delay time.Duration) {
	t.Helper()
	byHost := map[string][]hit{}
	for _, h := range hits {
		byHost[h.Host] = append(byHost[h.Host], h)
	}
	for host, of := range byHost {
		slices.SortFunc(of, func(a, b hit) int {
			if a.Start < b.Start {
				return -1
			}
			return 1
		})
		least := -1.0
		for i := range of[1:] {
			gap := of[i+1].Start - of[i].End
			if least < 0 || gap < least {
				least = gap
			}
			if gap < 0 {
				t.Errorf("%s was asked for %s while it served %s", host, of[i+1].URL, of[i].URL)
			} else if gap < delay.Seconds() {
				t.Errorf("%s was asked for %s %.3f s after %s, want %v", host, of[i+1].URL, gap, of[i].URL, delay)
			}
		}
		t.Logf("%s: %d requests, %.3f s apart at least", host, len(of), least)
	}
}

// canonical returns the distinct URLs of hits, those of pages.
func canonical(t *testing.T, hits []hit) []string {
	t.Helper()
	var urls []string
	for _, h := range onlyPages(hits) {
		u, err := urlnorm.Parse(h.URL)
		if err != nil {
			t.Fatalf("the web was asked for %q: %v", h.URL, err)
		}
		urls = append(urls, u.String())
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

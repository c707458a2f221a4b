package local_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"sluice/shared/local"
	"sluice/shared/web/fetch"
)

// The user's name for the crawler is in front of product and contact in every request,
// also of a crawl that goes on.
func TestUserAgent(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	agents := map[string]int{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		agents[r.UserAgent()]++
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<title>股市</title>" + text(r.URL.String()) + "<a href=/2>银行</a>"))
	}))
	defer web.Close()
	proxy, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := spec(t, "http://a.demo.test/")
	s.Proxies, s.MaxPages, s.Contact, s.UserAgent, s.Version = fetch.Proxies{proxy}, 1, "a@example.com", "lab-bot/2.0", "1"
	run(t, s)
	before := len(agents)
	next := local.Spec{Dir: s.Dir, Resume: true, Delay: -1, Log: s.Log, Version: "1"}
	next.MaxPages = 100
	if sum := run(t, next); sum.Fetched != 2 || before != 1 {
		t.Fatalf("fetched %d, want 2 pages", sum.Fetched)
	}
	if n := agents["lab-bot/2.0 sluice/1 (+a@example.com)"]; len(agents) != 1 || n < 3 {
		t.Errorf("servers saw %v", agents)
	}
}

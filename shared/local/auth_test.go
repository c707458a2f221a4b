package local_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sluice/shared/local"
	"sluice/shared/web/fetch"
)

// Credentials go to their host alone, with every request, and are in no file of the
// folder, nor are the cookies by which the host knows the user. A continued crawl reads
// the file again.
func TestAuth(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	strangers := map[string]bool{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		switch {
		case r.URL.Host != "locked.demo.test":
			mu.Lock()
			defer mu.Unlock()
			strangers[r.URL.Host] = strangers[r.URL.Host] || strings.Contains(fmt.Sprint(r.Header), "SECRET") || password != ""
		case password != "SECRET1" || r.Header.Get("X-Key") != "SECRET2":
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		default:
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "SECRET3"})
		}
		switch r.URL.Path {
		case "/", "/2":
		case "/out":
			http.Redirect(w, r, "http://open.demo.test/", http.StatusFound)
			return
		default:
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>股市</title>%s<a href=http://locked.demo.test/2>银行</a><a href=http://locked.demo.test/out>银行</a>`, text(r.URL.String()))
	}))
	defer web.Close()
	proxy, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := spec(t, "http://locked.demo.test/")
	s.Proxies, s.MaxPages = fetch.Proxies{proxy}, 1
	s.Auth = filepath.Join(t.TempDir(), "auth.yaml")
	var log strings.Builder
	s.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(s.Auth, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("http://locked.demo.test: {user: me, password: }")
	if _, err := local.Open(t.Context(), s); !errors.Is(err, local.ErrAuth) {
		t.Fatalf("a file without a password: %v", err)
	}
	write("http://locked.demo.test: {user: me, password: SECRET1, headers: {X-Key: SECRET2}}")
	if sum := run(t, s); sum.Kept != 1 {
		t.Errorf("the first run kept %d", sum.Kept)
	}
	next := local.Spec{Dir: s.Dir, Resume: true, Proxies: s.Proxies, Delay: -1, Log: s.Log, Version: "1"}
	next.MaxPages = 100
	if sum := run(t, next); sum.Kept != 3 || sum.Rejected != 0 {
		t.Errorf("kept %d, rules %v; want three pages, of both hosts", sum.Kept, sum.Rules)
	}
	if asked, ok := strangers["open.demo.test"]; asked || !ok {
		t.Errorf("another host got credentials: %v", strangers)
	}
	if strings.Contains(log.String(), "SECRET") {
		t.Errorf("the log has credentials: %s", log.String())
	}
	for name, data := range files(t, s.Dir) {
		if strings.HasSuffix(name, ".gz") {
			data = unpacked(t, data)
			if !strings.Contains(data, "GET http://locked.demo.test/ HTTP/1.1") {
				t.Errorf("%s has not the request", name)
			}
		}
		for _, secret := range []string{"SECRET", "bWU6U0VDUkVUM", "Authorization", "X-Key"} {
			if strings.Contains(data, secret) {
				t.Errorf("%s has %s", name, secret)
			}
		}
	}
}

func unpacked(t *testing.T, data string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

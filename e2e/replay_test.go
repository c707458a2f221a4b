package e2e_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// newsWeb is the frozen web of Chinese news sites.
const newsWeb = "zh-news.web.jsonl.zst"

// replay is a server of frozen webs: an HTTP proxy that counts its requests.
type replay struct{ url string }

// serve replays the news web on a free port until the test ends.
func serve(t testing.TB, flags ...string) *replay {
	t.Helper()
	args := append([]string{"-listen", "127.0.0.1:0", "-web", filepath.Join(sharedDir(t), "webs", newsWeb)}, flags...)
	cmd := exec.CommandContext(t.Context(), "webreplay", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatalf("start webreplay: %v", err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start webreplay: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // killed by the end of the test
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), " on ")
	if err != nil || !ok {
		t.Fatalf("webreplay says %q: %v", line, err)
	}
	return &replay{url: url}
}

// account has the server's counts. No count includes robots.txt, and only those
// of politeness towards a host include other site files.
type account struct {
	Requests int                    `json:"requests"`
	Repeated int                    `json:"repeated_requests"`
	Denied   int                    `json:"robots_denied_requests"`
	Status   map[string]int         `json:"status"`
	Hosts    map[string]hostAccount `json:"hosts"`
}

type hostAccount struct {
	Requests int     `json:"requests"`
	Peak     int     `json:"peak_concurrency"`
	MinGap   float64 `json:"min_gap_s"` // between two starts, -1 for one request
}

// hit is one request in the server's log.
type hit struct {
	URL    string  `json:"url"`
	Host   string  `json:"host"`
	Status int     `json:"status"`
	Start  float64 `json:"start"` // seconds on the server's clock
	Agent  string  `json:"agent"`
}

func (r *replay) account(t testing.TB) account {
	t.Helper()
	var a account
	r.get(t, "/stats", &a)
	asked := map[string]bool{}
	for _, h := range r.log(t) {
		if !isSiteFile(h.URL) {
			continue
		}
		a.Requests--
		if asked[h.URL] {
			a.Repeated--
		}
		asked[h.URL] = true
	}
	return a
}

// pages returns the requests for pages, in their order.
func (r *replay) pages(t testing.TB) []hit {
	t.Helper()
	var pages []hit
	for _, h := range r.log(t) {
		if !strings.HasSuffix(h.URL, "/robots.txt") && !isSiteFile(h.URL) {
			pages = append(pages, h)
		}
	}
	return pages
}

func (r *replay) log(t testing.TB) []hit {
	t.Helper()
	var all []hit
	r.get(t, "/log", &all)
	return all
}

// isSiteFile reports whether a URL is that of a file, beside robots.txt, that
// describes its site.
func isSiteFile(url string) bool {
	return strings.HasSuffix(url, "/.well-known/tdmrep.json") || strings.HasSuffix(url, "/ai.txt")
}

// reset forgets all requests.
func (r *replay) reset(t testing.TB) {
	t.Helper()
	r.get(t, "/reset", nil)
}

func (r *replay) get(t testing.TB, path string, v any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("ask webreplay: %v", err)
	}
	defer resp.Body.Close()
	if v == nil {
		return
	}
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		t.Fatalf("read %s of webreplay: %v", path, err)
	}
}

// frozen is one page of a frozen web.
type frozen struct {
	URL  string `json:"url"`
	Type string `json:"type"` // Content-Type
	B64  []byte `json:"b64"`
	Text string `json:"text"`
	Kind string `json:"kind"` // article, list, media, home
}

func (f frozen) body() []byte {
	if len(f.B64) > 0 {
		return f.B64
	}
	return []byte(f.Text)
}

// newsPages reads the pages of the news web, by URL, that pick picks.
func newsPages(t testing.TB, pick func(frozen) bool) map[string]frozen {
	t.Helper()
	pages := map[string]frozen{}
	eachLine(t, func(dec *json.Decoder) error {
		var f frozen
		err := dec.Decode(&f)
		if err == nil && f.URL != "" && pick(f) {
			pages[f.URL] = f
		}
		return err
	})
	return pages
}

// newsSeeds reads the seeds that the news web names.
func newsSeeds(t testing.TB) []string {
	t.Helper()
	var head struct{ Seeds []string }
	eachLine(t, func(dec *json.Decoder) error {
		if err := dec.Decode(&head); err != nil {
			return err
		}
		return io.EOF
	})
	if len(head.Seeds) == 0 {
		t.Fatalf("%s names no seeds", newsWeb)
	}
	return head.Seeds
}

// eachLine calls f until it returns an error, io.EOF at the end.
func eachLine(t testing.TB, f func(*json.Decoder) error) {
	t.Helper()
	file, err := os.Open(filepath.Join(sharedDir(t), "webs", newsWeb))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	z, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for dec := json.NewDecoder(z); err == nil; {
		err = f(dec)
	}
	if err != io.EOF { //nolint:errorlint // f returns the decoder's own
		t.Fatalf("read %s: %v", newsWeb, err)
	}
}

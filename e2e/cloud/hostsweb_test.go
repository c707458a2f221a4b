//go:build linux

package cloud_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sluice/shared/evaldata"

	"github.com/zeebo/xxh3"
)

// hostsWeb is a proxy before the frozen web of Chinese news sites. It counts
// the pages it serves, and can spread them over many hosts: a page's host is
// then a hash of its address, which becomes its path, and all links follow.
type hostsWeb struct {
	client *http.Client // of the frozen web
	spread int          // hosts; 0: those of the web

	mu    sync.Mutex
	pages map[string]int // answers by host, without robots.txt and the like
	links int            // in these pages
}

// newHostsWeb serves the web until the test ends, and returns its address.
func newHostsWeb(t *testing.T, spread int) (web *hostsWeb, proxy string) {
	t.Helper()
	web = &hostsWeb{
		client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(newsWeb(t)), MaxIdleConnsPerHost: 64}},
		spread: spread, pages: map[string]int{},
	}
	srv := httptest.NewServer(web)
	t.Cleanup(srv.Close)
	return web, srv.URL
}

const newsFile = "webs/zh-news.web.jsonl.zst"

// newsWeb replays the web until the test ends.
func newsWeb(t *testing.T) *url.URL {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(functions, "webreplay"), "-listen", "127.0.0.1:0", "-web", evaldata.Path(t, newsFile))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // killed by the end of the test
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, ok := strings.Cut(strings.TrimSpace(line), " on ")
	u, perr := url.Parse(address)
	if err != nil || perr != nil || !ok {
		t.Fatalf("webreplay says %q: %v", line, err)
	}
	return u
}

// seeds are those that the web names.
func (w *hostsWeb) seeds(t *testing.T) []string {
	t.Helper()
	var head struct{ Seeds []string }
	if err := json.NewDecoder(evaldata.Open(t, newsFile)).Decode(&head); err != nil {
		t.Fatal(err)
	}
	for i, s := range head.Seeds {
		head.Seeds[i] = w.address(s)
	}
	return head.Seeds
}

// address returns the place of a frozen address.
func (w *hostsWeb) address(frozen string) string {
	rest, ok := strings.CutPrefix(frozen, "http://")
	if w.spread == 0 || !ok {
		return frozen
	}
	return fmt.Sprintf("http://h%03d.hosts.test/%s", xxh3.HashString(rest)%uint64(w.spread), rest)
}

// frozen undoes address.
func (w *hostsWeb) frozen(r *http.Request) string {
	if w.spread == 0 {
		return r.URL.String()
	}
	return "http:/" + r.URL.RequestURI()
}

var href = regexp.MustCompile(`href="([^"#]+)"`)

// ServeHTTP implements http.Handler.
func (w *hostsWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		_, _ = io.WriteString(rw, "User-agent: *\nDisallow:\n")
		return
	}
	if isSiteFile(r.URL.Path) {
		http.NotFound(rw, r)
		return
	}
	page := w.frozen(r)
	status, contentType, body, err := w.get(r, page)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadGateway)
		return
	}
	base, err := url.Parse(page)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	links := 0
	body = href.ReplaceAllFunc(body, func(attribute []byte) []byte {
		links++
		link, err := base.Parse(string(href.FindSubmatch(attribute)[1]))
		if err != nil || w.spread == 0 {
			return attribute
		}
		return fmt.Appendf(nil, "href=%q", w.address(link.String()))
	})
	w.mu.Lock()
	w.pages[r.URL.Host]++
	w.links += links
	w.mu.Unlock()
	rw.Header().Set("Content-Type", contentType)
	rw.WriteHeader(status)
	_, _ = rw.Write(body)
}

func (w *hostsWeb) get(r *http.Request, page string) (status int, contentType string, body []byte, err error) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, page, nil)
	if err != nil {
		return 0, "", nil, err
	}
	res, err := w.client.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, res.Header.Get("Content-Type"), body, err
}

// served returns the number of pages and hosts requested, and the links per
// page.
func (w *hostsWeb) served() (pages, hosts int, links float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.pages {
		pages += n
	}
	return pages, len(w.pages), float64(w.links) / float64(max(pages, 1))
}

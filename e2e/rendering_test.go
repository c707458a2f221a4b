package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// madeSite is a site of layers whose pages are made in different places. Every page has
// the browser ask for /data/LAYER/N, a list for /data/LAYER/list, so that the server
// knows which pages a browser has shown.
type madeSite struct {
	*httptest.Server
	articles int           // of each layer
	slow     time.Duration // of what scripts ask for

	mu    sync.Mutex
	asked []string
	at    []time.Time
}

func serveMade(t *testing.T, articles int, slow time.Duration) *madeSite {
	t.Helper()
	s := &madeSite{articles: articles, slow: slow}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// layersMade has for each layer how much of a page the server sends: all, the frame
// with a part of the text, or nothing.
var layersMade = map[string]string{"static": "all", "server": "all", "client": "nothing", "half": "frame"}

func (s *madeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked, s.at = append(s.asked, r.URL.Path), append(s.at, time.Now())
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/":
		fmt.Fprint(w, "<title>股市银行</title><ul>")
		for _, layer := range slices.Sorted(maps.Keys(layersMade)) {
			fmt.Fprintf(w, `<li><a href="/%s/list.html">股市银行 %[1]s</a>`, layer)
		}
		fmt.Fprint(w, "</ul>")
	case len(parts) == 3 && parts[0] == "data":
		time.Sleep(s.slow)
		fmt.Fprint(w, s.content(parts[1], parts[2]))
	case len(parts) == 2 && layersMade[parts[0]] != "":
		fmt.Fprint(w, s.page(parts[0], strings.TrimSuffix(parts[1], ".html")))
	default:
		http.NotFound(w, r)
	}
}

// content is the text of an article, or the links of a list.
func (s *madeSite) content(layer, name string) string {
	if name == "list" {
		var b strings.Builder
		for i := range s.articles {
			fmt.Fprintf(&b, `<li><a href="/%s/%d.html">股市银行第%[2]d号消息</a></li>`, layer, i)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	return fmt.Sprintf("<h1>股市银行 %s %s</h1><p>今天银行的%[1]s股市第%[2]s次上涨，几十位投资者一早就来到交易大厅，把前一夜写好的单子交给柜台。</p>"+
		"<p>记者%[2]s在%[1]s现场看到，银行的股票比昨天高出许多，股市的成交也更多了。</p><p>关于下一步的安排，负责人说还要再等%[2]s个星期，届时会在网上公布%[1]s。</p>", layer, name)
}

func (s *madeSite) page(layer, name string) string {
	head := fmt.Sprintf("<!doctype html><html><head><title>股市银行 %s %s</title></head><body>", layer, name)
	ask := fmt.Sprintf("fetch('/data/%s/%s').then(r => r.text())", layer, name)
	into := ask + ".then(t => { document.getElementById('app').innerHTML = t })"
	menu := "<nav><ul>" + strings.Repeat("<li><a href=/>关于我们</a></li>", 20) + "</ul></nav>"
	switch layer {
	case "static":
		return head + s.content(layer, name) + "<script>" + ask + "</script></body></html>"
	case "server":
		return head + menu + s.content(layer, name) + "<p id=clock></p><script>" + ask + "; document.getElementById('clock').textContent = 'now'</script></body></html>"
	case "half":
		return head + menu + "<div id=app></div><script>setTimeout(() => " + into + ", 500)</script></body></html>"
	}
	return "<!doctype html><html><head><title>股市银行</title></head><body><div id=app>Loading</div><script>" + into + "</script></body></html>"
}

// shown returns which pages a browser has shown, and how often, of each layer.
func (s *madeSite) shown() map[string]map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := map[string]map[string]int{}
	for _, path := range s.asked {
		if rest, ok := strings.CutPrefix(path, "/data/"); ok {
			layer, name, _ := strings.Cut(rest, "/")
			if shown[layer] == nil {
				shown[layer] = map[string]int{}
			}
			shown[layer][name]++
		}
	}
	return shown
}

func (s *madeSite) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// renderedTopic is a topic that has pages rendered.
func renderedTopic(t testing.TB, mode string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.yaml")
	text := "name: made\nwords: [股市, 银行]\nrender: " + mode + "\nthresholds: {description: 0.3, priority: 0.45, body: 0}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// browserFlags name the browser of the tests.
func browserFlags(t *testing.T) []string {
	t.Helper()
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	return []string{"--browser", path}
}

// A crawl renders the pages of the layers that scripts build, of the others those that
// were compared, and finds what only a browser sees.
func TestRenderedCrawl(t *testing.T) {
	browser := browserFlags(t)
	site, out := serveMade(t, 6, 0), t.TempDir()
	args := append([]string{"crawl", "--json", "--topic", renderedTopic(t, "auto"), "--seed", site.URL + "/", "--out", out, "--delay", "0"}, browser...)
	sluice(t, args...).summary(t, exitDone)

	shown := site.shown()
	for layer, sent := range layersMade {
		articles := maps.Clone(shown[layer])
		delete(articles, "list")
		want := site.articles
		if sent == "all" {
			want = 2 // compared
		}
		if len(articles) != want || shown[layer]["list"] != 1 {
			t.Errorf("of layer %s a browser has shown %v, want %d articles and the list", layer, shown[layer], want)
		}
		for name, n := range shown[layer] {
			if n != 1 {
				t.Errorf("%s of layer %s was shown %d times", name, layer, n)
			}
		}
	}
	documents := corpus(t, out)
	for layer := range layersMade {
		for i := range site.articles {
			url := fmt.Sprintf("%s/%s/%d.html", site.URL, layer, i)
			d := documents[url]
			if !strings.Contains(d.Text, fmt.Sprintf("股市第%d次上涨", i)) {
				t.Errorf("document of %s: %q", url, d.Text)
			}
		}
	}
	for url, want := range map[string]string{
		"/client/0.html": "as a browser showed it", "/server/list.html": "similarity", "/half/5.html": "/half/#.html is dynamic", "/static/5.html": "/static/#.html is static",
	} {
		if r := sluice(t, "explain", out, site.URL+url); r.code != exitDone || !strings.Contains(r.stdout, want) {
			t.Errorf("explain %s: %s", url, r.stdout)
		}
	}
	t.Run("foreign reader", func(t *testing.T) { checkByOthers(t, out) })

	// Other programs read the archive as the browser showed it.
	if r := sluice(t, "export", "--check", out); r.code != exitDone {
		t.Errorf("export --check: %s%s", r.stdout, r.stderr)
	}
	sifted := filepath.Join(t.TempDir(), "sifted")
	r := sluice(t, "sift", "--topic", args[3], "--out", sifted, filepath.Join(out, "warc", "00001.warc.gz"))
	again := corpus(t, sifted)
	for url, d := range documents {
		if again[url].Text != d.Text {
			t.Errorf("%s reads %q after sift, want %q; exit code %d, %s", url, again[url].Text, d.Text, r.code, r.stderr)
		}
	}
}

// The next page is fetched later where scripts of the one before have sent requests: as if
// each had been a page.
func TestRenderedCrawlIsPolite(t *testing.T) {
	const delay = 400 * time.Millisecond
	browser := browserFlags(t)
	site := serveMade(t, 2, 0)
	args := append([]string{
		"crawl", "--json", "--topic", renderedTopic(t, "always"), "--seed", site.URL + "/client/list.html", "--out", t.TempDir(), "--delay", delay.String(),
	}, browser...)
	sluice(t, args...).summary(t, exitDone)
	pages := 0
	for i, path := range site.asked {
		if !strings.HasSuffix(path, ".html") || i == 0 || !strings.HasPrefix(site.asked[i-1], "/data/") {
			continue
		}
		pages++
		if gap := site.at[i].Sub(site.at[i-1]); gap < 2*delay {
			t.Errorf("%s was fetched %v after %s, want %v: the page before it and its script", path, gap, site.asked[i-1], 2*delay)
		}
	}
	if pages < 2 {
		t.Errorf("%d pages behind others: %q", pages, site.asked)
	}
}

// A crawl that is killed while the browser shows pages leaves no process behind, and goes
// on to the same documents.
func TestRenderedCrawlIsKilled(t *testing.T) {
	browser := browserFlags(t)
	whole, site := serveMade(t, 2, 0), serveMade(t, 2, 200*time.Millisecond)
	temp, err := os.MkdirTemp("", "s") // short, for a socket of the browser
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	crawl := func(s *madeSite, out string) []string {
		return append([]string{"crawl", "--json", "--topic", renderedTopic(t, "always"), "--seed", s.URL + "/", "--out", out, "--delay", "0", "--resume"}, browser...)
	}
	want, killed := t.TempDir(), t.TempDir()
	sluice(t, crawl(whole, want)...).summary(t, exitDone)

	t.Setenv("TMPDIR", temp)
	for n := range 2 {
		before := site.requests()
		p := start(t, crawl(site, killed)...)
		for site.requests() < before+4 || len(browsersOf(t, temp)) == 0 {
			select {
			case <-p.ended:
				t.Fatalf("crawl ended before kill %d: %+v", n+1, p.wait(t))
			case <-time.After(10 * time.Millisecond):
			}
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.wait(t)
		until := time.Now().Add(time.Minute)
		for len(browsersOf(t, temp)) > 0 && time.Now().Before(until) {
			time.Sleep(20 * time.Millisecond)
		}
		if left := browsersOf(t, temp); len(left) > 0 {
			t.Errorf("left running after kill %d: %q", n+1, left)
		}
	}
	sluice(t, crawl(site, killed)...).summary(t, exitDone)
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("browsers have left %v, error %v", left, err)
	}
	texts := func(s *madeSite, out string) map[string]string {
		all := map[string]string{}
		for url, d := range corpus(t, out) {
			all[strings.TrimPrefix(url, s.URL)] = d.Title + "\n" + d.Text
		}
		return all
	}
	if diff := cmp.Diff(texts(whole, want), texts(site, killed)); diff != "" {
		t.Errorf("documents of an undisturbed run (-) and of one that was killed (+):\n%s", diff)
	}
	t.Run("foreign reader", func(t *testing.T) { checkByOthers(t, killed) })
}

// browsersOf returns the command lines of the processes that have a folder for temporary
// files, but for this one's.
func browsersOf(t *testing.T, temp string) []string {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, p := range processes {
		environ, err := os.ReadFile(filepath.Join(p, "environ"))
		if err != nil || !strings.Contains(string(environ), "TMPDIR="+temp) {
			continue
		}
		line, err := os.ReadFile(filepath.Join(p, "cmdline"))
		if err == nil && strings.Contains(string(line), "--headless") {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// A crawl whose topic has pages rendered does not begin without a browser, unless that is
// asked for.
func TestNoBrowserNoCrawl(t *testing.T) {
	site, out := serveMade(t, 2, 0), filepath.Join(t.TempDir(), "out")
	args := []string{"crawl", "--json", "--topic", renderedTopic(t, "auto"), "--seed", site.URL + "/", "--out", out, "--delay", "0", "--browser"}
	missing := filepath.Join(t.TempDir(), "chromium")
	if r := sluice(t, append(args, missing)...); r.code != exitUsage || !strings.Contains(r.stderr, "render: auto") || !strings.Contains(r.stderr, missing) {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	if n := site.requests(); n != 0 {
		t.Errorf("%d requests without a browser", n)
	}
	r := sluice(t, append(args, "none")...)
	r.summary(t, exitDone)
	if !strings.Contains(r.stderr, "not rendered") || len(site.shown()) != 0 {
		t.Errorf("shown %v, messages %s", site.shown(), r.stderr)
	}
}

package render

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/fetch/sockstest"
)

// open starts a browser that may load pages of the named servers. Its tests need one:
// make test-browser installs it.
func open(t *testing.T, o Options, allowed ...string) *Browser {
	t.Helper()
	o.Path = os.Getenv("SLUICE_BROWSER")
	if o.Path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	var err error
	if o.Guard, err = fetch.NewGuard(allowed...); err != nil {
		t.Fatal(err)
	}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// site serves pages by path, and notes which were asked for.
func site(t *testing.T, pages map[string]string) (s *httptest.Server, asked *sync.Map) {
	t.Helper()
	asked = new(sync.Map)
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Path, true)
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "/cookie", http.StatusFound)
			return
		}
		p, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".json") {
			w.Header().Set("Content-Type", "application/json")
		} else {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		fmt.Fprint(w, p)
	}))
	t.Cleanup(s.Close)
	return s, asked
}

// inside counts the connections to an address that pages must not reach.
func inside(t *testing.T) (address string, connections *atomic.Int32) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	connections = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			_ = c.Close()
		}
	}()
	return l.Addr().String(), connections
}

func TestRender(t *testing.T) {
	s, asked := site(t, map[string]string{
		"/": `<title>t</title><div id=a></div><img src="/a.png"><video src="/a.mp4" autoplay></video><style>@font-face { font-family: f; src: url(/a.woff2) } div { font-family: f }</style><link rel=stylesheet href="/a.css"><script>
setTimeout(() => fetch('/a.json').then(r => r.json()).then(d => { document.getElementById('a').textContent = d.text }), 1500)
alert('hello'); window.open('/other'); document.cookie = 'a=1'</script>`,
		"/a.json": `{"text": "博览会推迟一年"}`,
		"/cookie": `<p id=c></p><script>document.getElementById('c').textContent = 'cookies: ' + document.cookie</script>`,
		"/moved":  `<p>I stay</p><script>location.href = '/private'; setTimeout(() => location.reload(), 100)</script><meta http-equiv=refresh content="0; url=/private">`,
	})
	b := open(t, Options{}, s.URL)
	start := time.Now()
	p, err := b.Render(t.Context(), s.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("loaded in %v: requests %v, refused %d", time.Since(start), p.Requests, p.Refused)
	if !strings.Contains(string(p.HTML), "博览会推迟一年") || !p.Settled || p.Status != http.StatusOK || p.URL != s.URL+"/" {
		t.Errorf("status %d, settled %t, URL %s, mark-up %s", p.Status, p.Settled, p.URL, p.HTML)
	}
	if got := p.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	var sent []string
	asked.Range(func(path, _ any) bool { sent = append(sent, fmt.Sprint(path)); return true })
	slices.Sort(sent)
	if want := []string{"/", "/a.css", "/a.json"}; !slices.Equal(sent, want) || p.Requests["127.0.0.1"] < len(want) || p.Refused == 0 {
		t.Errorf("asked for %q, want %q; counted %v, refused %d", sent, want, p.Requests, p.Refused)
	}
	for path, want := range map[string]string{"/cookie": "cookies: <", "/redirect": "cookies: <", "/moved": "I stay"} {
		p, err := b.Render(t.Context(), s.URL+path)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Replace(path, "/redirect", "/cookie", 1)
		if !strings.Contains(string(p.HTML), want) || p.URL != s.URL+at || !p.Settled {
			t.Errorf("%s: URL %s, settled %t, mark-up %s, want %q", path, p.URL, p.Settled, p.HTML, want)
		}
	}
	if _, sent := asked.Load("/private"); sent {
		t.Error("a script has led the browser to another page")
	}
}

// A document that was fetched before is not asked for again; what it asks for is, if
// that is allowed.
func TestShow(t *testing.T) {
	s, asked := site(t, map[string]string{
		"/":        "from the server",
		"/a.json":  "博览会",
		"/no.json": "secret",
		"/frame":   "<p>frame</p>",
	})
	b := open(t, Options{}, s.URL)
	body, err := simplifiedchinese.GBK.NewEncoder().String(`<p id=a>上海</p><p id=b>no answer</p><script>
fetch('/a.json').then(r => r.text()).then(t => { document.getElementById('a').textContent += t })
fetch('/no.json').then(r => r.text()).then(t => { document.getElementById('b').textContent = t }).catch(() => 0)</script><iframe src=/frame></iframe>`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Show(t.Context(), &Document{
		URL:    s.URL + "/",
		Header: http.Header{"Content-Type": {"text/html; charset=gbk"}, "Content-Encoding": {"gzip"}, "Content-Length": {"7"}, "Content-Disposition": {"attachment"}, "X-Odd": {"a\x01\xff"}},
		Body:   []byte(body),
		Allow:  func(address string) bool { return address != s.URL+"/no.json" },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(p.HTML), "上海博览会") || !strings.Contains(string(p.HTML), "no answer") || p.URL != s.URL+"/" || p.Status != http.StatusOK || !p.Settled {
		t.Errorf("status %d, settled %t, URL %s, mark-up %s", p.Status, p.Settled, p.URL, p.HTML)
	}
	var sent []string
	asked.Range(func(path, _ any) bool { sent = append(sent, fmt.Sprint(path)); return true })
	slices.Sort(sent)
	if want := []string{"/a.json", "/frame"}; !slices.Equal(sent, want) || p.Requests["127.0.0.1"] != len(want) || p.Refused == 0 {
		t.Errorf("asked for %q, want %q; counted %v, refused %d", sent, want, p.Requests, p.Refused)
	}
}

// A page that is asked for more shows all of its list, whether a button or its end adds to it;
// one without more is as it was.
func TestMore(t *testing.T) {
	t.Parallel()
	const add = `async function add() { n++; const r = await fetch('/part' + n + '.json'); if (r.ok) for (const i of await r.json()) list.insertAdjacentHTML('beforeend', '<li>item ' + i) }`
	list := func(rest string) string {
		return "<!doctype html><body><ul id=list><li>item 1<li>item 2</ul><p style='height:3000px'></p><script>let n = 1;" + add + "</script>" + rest
	}
	pages := map[string]string{
		"/part2.json": "[3, 4]", "/part3.json": "[5]",
		"/button": list("<div class=more><a href='#' onclick='add(); return false'>Load more</a></div><a href='/gone'>Load more</a>"),
		"/gone":   list(`<button id=b>加载更多</button><script>b.onclick = async () => { await add(); if (n == 3) b.remove() }</script>`),
		"/end":    list(`<i id=end>…</i><script>let busy = 0; new IntersectionObserver(async e => { if (!e[0].isIntersecting || busy) return; busy = 1; await add(); busy = 0 }).observe(end)</script>`),
		"/other":  list("<button onclick='add()'>Load more</button> no list"),
		"/whole":  list("<button>Share</button><form action='/gone'><button>Load more</button></form>"),
	}
	web, _ := site(t, pages)
	b := open(t, Options{}, web.Listener.Addr().String())
	more := func(markup []byte) string {
		if strings.Contains(string(markup), "no list") {
			return ""
		}
		return "^(load more|加载更多)$"
	}
	for path, want := range map[string]int{"/other": 0, "/button": 5, "/gone": 5, "/end": 5, "/whole": 0} {
		t.Run(path[1:], func(t *testing.T) {
			p, err := b.Show(t.Context(), &Document{URL: web.URL + path, More: more})
			if err != nil {
				t.Fatal(err)
			}
			if n, m := strings.Count(string(p.HTML), "</li>"), strings.Count(string(p.More), "</li>"); n != 2 || m != want {
				t.Errorf("%d items, then %d; want 2, then %d", n, m, want)
			}
			if p.URL != web.URL+path {
				t.Errorf("the page is %s, want %s", p.URL, web.URL+path)
			}
		})
	}
}

func TestInsideIsNotReached(t *testing.T) {
	secret, connections := inside(t)
	_, port, _ := net.SplitHostPort(secret)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "http://"+secret+"/", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Link", "<http://"+secret+"/>; rel=preconnect")
		var ways strings.Builder
		for _, host := range []string{secret, "localhost:" + port, "[::1]:" + port, "0x7f000001:" + port, "2130706433:" + port, "inside.localhost:" + port} {
			fmt.Fprintf(&ways, `<iframe src="http://%[1]s/"></iframe><link rel=preload as=fetch href="http://%[1]s/">
<link rel=prefetch href="http://%[1]s/"><link rel=preconnect href="http://%[1]s/"><link rel=dns-prefetch href="http://%[1]s/">
<script>fetch('http://%[1]s/'); fetch('/redirect'); fetch('https://%[1]s/'); new WebSocket('ws://%[1]s/'); navigator.sendBeacon('http://%[1]s/'); new EventSource('http://%[1]s/');
new Worker(URL.createObjectURL(new Blob(["fetch('http://%[1]s/'); new WebSocket('ws://%[1]s/')"])));
try { new RTCPeerConnection({iceServers: [{urls: 'stun:%[1]s'}, {urls: 'turn:%[1]s?transport=tcp', username: 'a', credential: 'b'}]}).createDataChannel('a') } catch {}
</script><form method=post action="http://%[1]s/"></form>`, host)
		}
		fmt.Fprint(w, ways.String(), `<script>setTimeout(() => document.forms[0].submit(), 2000)</script>`)
	}))
	t.Cleanup(s.Close)
	b := open(t, Options{}, s.URL)
	p, err := b.Render(t.Context(), s.URL+"/")
	if err == nil {
		t.Logf("requests %v, refused %d", p.Requests, p.Refused)
	}
	for _, address := range []string{s.URL + "/redirect", "http://" + secret + "/", "file:///etc/hostname", "chrome://version"} {
		if p, err := b.Render(t.Context(), address); err == nil {
			t.Errorf("%s was shown: %s", address, p.HTML)
		} else if f, ok := errors.AsType[*fault.Error](err); !ok || f.Class != fault.Permanent {
			t.Errorf("%s: error %v, want a permanent one", address, err)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to an address inside", n)
	}
}

func TestHostilePages(t *testing.T) {
	polls := `<p>text</p><script>setInterval(() => fetch('/a.json?' + Math.random()), 10)</script>`
	s, _ := site(t, map[string]string{
		"/a.json":  "{}",
		"/polls":   polls,
		"/loop":    `<p>text</p><script>setTimeout(() => { for (;;); }, 100)</script>`,
		"/loops":   `<p>text</p><script>for (;;);</script>`,
		"/memory":  `<p>text</p><script>const a = []; for (;;) { const b = new Uint8Array(16 << 20); b.fill(1); a.push(b) }</script>`,
		"/nodes":   `<p>text</p><script>setInterval(() => { for (let i = 0; i < 1e5; i++) document.body.append(document.createElement('div')) }, 1)</script>`,
		"/windows": `<p>text</p><script>for (let i = 0; i < 100; i++) window.open('/plain?' + i)</script>`,
		"/reloads": `<p>text</p><script>location.href = '/reloads?' + Math.random()</script>`,
		"/dialogs": `<p>text</p><script>for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) }; onbeforeunload = () => 'stay'</script>`,
		"/large":   `<p>text</p><script>document.body.textContent = 'a'.repeat(3 << 20)</script>`,
		"/plain":   `<p>text</p>`,
	})
	b := open(t, Options{Timeout: 16 * time.Second, MaxRequests: 50, MaxHTML: 2 << 20, MaxMemory: 400 << 20}, s.URL)
	for _, path := range []string{"/polls", "/loop", "/loops", "/memory", "/nodes", "/windows", "/reloads", "/dialogs", "/large"} {
		start := time.Now()
		p, err := b.Render(t.Context(), s.URL+path)
		if err == nil {
			t.Logf("%s: %v, settled %t, requests %v, refused %d, %d bytes", path, time.Since(start), p.Settled, p.Requests, p.Refused, len(p.HTML))
			if !strings.Contains(string(p.HTML), "text") || p.Requests["127.0.0.1"] > 50 {
				t.Errorf("%s: requests %v, mark-up %.200s", path, p.Requests, p.HTML)
			}
		} else {
			t.Logf("%s: %v, %v", path, time.Since(start), err)
			if _, ok := errors.AsType[*fault.Error](err); !ok {
				t.Errorf("%s: error without a class: %v", path, err)
			}
		}
		if p, err := b.Render(t.Context(), s.URL+"/plain"); err != nil || !strings.Contains(string(p.HTML), "text") {
			t.Errorf("after %s a plain page fails: %v", path, err)
		}
	}
}

// The requests of workers, which the browser does not report, have the limit, too.
func TestWorkersAreLimited(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<p>text</p><script>new SharedWorker('/w.js')</script><script src="/hangs"></script>`)
		case "/w.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `(async () => { for (let i = 0; ; i++) await fetch('/a?' + i).catch(() => 0) })()`)
		case "/hangs":
			<-r.Context().Done()
		default:
			asked.Add(1)
		}
	}))
	t.Cleanup(s.CloseClientConnections)
	b := open(t, Options{Timeout: 4 * time.Second, MaxRequests: 30}, s.URL)
	if _, err := b.Render(t.Context(), s.URL+"/"); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n > 30 {
		t.Errorf("a worker sent %d requests, limit 30", n)
	}
}

// A document that its scripts empty is read as what is left.
func TestNoElement(t *testing.T) {
	s, _ := site(t, map[string]string{"/": "<p>text</p><script>document.documentElement.remove()</script>"})
	b := open(t, Options{Timeout: 6 * time.Second}, s.URL)
	if p, err := b.Render(t.Context(), s.URL+"/"); err != nil || len(p.HTML) > 0 {
		t.Errorf("page %v, error %v, want one without mark-up", p, err)
	}
}

// A frame that asks for a password does not keep the page from settling.
func TestPasswordIsNotWaitedFor(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.Header().Set("WWW-Authenticate", `Basic realm="a"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p>text</p><iframe src="/a"></iframe><script>fetch('/b')</script>`)
	}))
	defer s.Close()
	b := open(t, Options{Timeout: 8 * time.Second}, s.URL)
	if p, err := b.Render(t.Context(), s.URL+"/"); err != nil || !p.Settled {
		t.Errorf("page %v, error %v, want one that has settled", p, err)
	}
}

// A browser that is closed leaves no folder behind.
func TestCloseLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s, _ := site(t, map[string]string{"/": "<p>text</p>"})
	b := open(t, Options{}, s.URL)
	if _, err := b.Render(t.Context(), s.URL+"/"); err != nil {
		t.Fatal(err)
	}
	b.Close()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func TestRenderEnds(t *testing.T) {
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(hangs.CloseClientConnections)
	b := open(t, Options{}, hangs.URL)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := b.Render(ctx, hangs.URL); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the caller", err)
	}
	b.Close()
	if _, err := b.Render(t.Context(), hangs.URL); err == nil {
		t.Error("a closed browser loads a page")
	}
}

// A browser whose process ends is started again.
func TestRestart(t *testing.T) {
	s, _ := site(t, map[string]string{"/": "<p>text</p>"})
	b := open(t, Options{}, s.URL)
	for i := range 2 {
		p, err := b.Render(t.Context(), s.URL+"/")
		if err != nil || !strings.Contains(string(p.HTML), "text") {
			t.Fatalf("page %d: error %v", i, err)
		}
		process := chromedp.FromContext(b.ctx).Browser.Process()
		if err := process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-chromedp.FromContext(b.ctx).Browser.LostConnection
	}
}

// Pages that are loaded at the same time share nothing.
func TestConcurrentPages(t *testing.T) {
	pages := map[string]string{}
	for i := range 8 {
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf(`<p id=a></p><script>document.cookie = 'c%[1]d=%[1]d'; localStorage.setItem('k%[1]d', 'v');
setTimeout(() => { document.getElementById('a').textContent = document.cookie + ' ' + localStorage.length }, 200)</script>`, i)
	}
	s, _ := site(t, pages)
	b := open(t, Options{Pages: 4}, s.URL)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			p, err := b.Render(t.Context(), fmt.Sprintf("%s/%d", s.URL, i))
			if want := fmt.Sprintf(">c%d=%d 1</p>", i, i); err != nil || !strings.Contains(string(p.HTML), want) {
				t.Errorf("page %d: error %v, page %+v", i, err, p)
			}
		})
	}
	wg.Wait()
}

// A proxy that is named gets all requests, and decides about names.
func TestThroughProxy(t *testing.T) {
	const page = `<p id=a></p><script>fetch('https://www.example.test/').catch(() => { document.getElementById('a').textContent = 'no answer' })</script>`
	var mu sync.Mutex
	var seen []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Method+" "+r.Host)
		mu.Unlock()
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(proxy.Close)
	at, _ := url.Parse(proxy.URL)
	b := open(t, Options{Proxies: fetch.Proxies{at}})
	p, err := b.Render(t.Context(), "http://www.example.test/")
	if err != nil || !strings.Contains(string(p.HTML), "no answer") {
		t.Fatalf("error %v, page %+v", err, p)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"GET www.example.test", "CONNECT www.example.test:443"}; !slices.Equal(slices.Compact(seen), want) {
		t.Errorf("the proxy saw %q, want %q", seen, want)
	}
}

func TestNoProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := New(Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Show(t.Context(), &Document{URL: "http://www.example.test/"}); err == nil || fault.Of(err).Class != fault.Broken {
		t.Errorf("error %v, want one that the browser does not start", err)
	}
}

func TestFind(t *testing.T) {
	if _, err := Find("./no-browser"); err == nil || errors.Is(err, ErrNoBrowser) {
		t.Errorf("error %v, want one that names the missing file", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := New(Options{}); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("error %v, want ErrNoBrowser", err)
	}
}

// A SOCKS proxy carries the page and what its script asks for.
func TestThroughSOCKS(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Host+r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Path != "/" {
			fmt.Fprint(w, "answer")
			return
		}
		fmt.Fprint(w, `<p id=a></p><script>fetch('http://data.example.test/a').then(r => r.text()).then(a => { document.getElementById('a').textContent = a })</script>`)
	}))
	t.Cleanup(web.Close)
	b := open(t, Options{Proxies: fetch.Proxies{sockstest.New(t, web.Listener.Addr().String()).URL}})
	p, err := b.Render(t.Context(), "http://www.example.test/")
	if err != nil || !strings.Contains(string(p.HTML), ">answer</p>") {
		t.Fatalf("error %v, page %+v", err, p)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"www.example.test/", "data.example.test/a"}; !slices.Equal(slices.Compact(seen), want) {
		t.Errorf("the server saw %q, want %q", seen, want)
	}
}

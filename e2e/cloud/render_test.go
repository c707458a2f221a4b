//go:build linux

package cloud_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
)

// scriptedWeb has a host with a page of links to articles that the server sends and to
// articles that scripts build. It counts what scripts ask for.
type scriptedWeb struct {
	mu    sync.Mutex
	shown map[string]int // by layer
}

const articles = 5 // of each layer

func (w *scriptedWeb) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	layer, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	script := fmt.Sprintf("<script>fetch('/data/%s/%s').then(r => r.text())", layer, name)
	switch {
	case r.URL.Path == "/":
		fmt.Fprint(out, "<title>股市银行</title>")
		for _, layer := range []string{"sent", "app"} {
			for i := range articles {
				fmt.Fprintf(out, `<p><a href="/%s/%d.html">股市银行第%[2]d号消息</a>`, layer, i)
			}
		}
	case layer == "data":
		layer, name, _ := strings.Cut(name, "/")
		w.mu.Lock()
		w.shown[layer]++
		w.mu.Unlock()
		fmt.Fprint(out, article(layer, name))
	case layer == "sent":
		fmt.Fprintf(out, "<title>股市银行 %s</title>%s%s</script>", name, article(layer, name), script)
	case layer == "app":
		fmt.Fprintf(out, "<title>股市银行</title><div id=app></div>%s.then(t => { document.getElementById('app').innerHTML = t })</script>", script)
	default:
		http.NotFound(out, r)
	}
}

func article(layer, name string) string {
	return fmt.Sprintf("<h1>股市银行 %[1]s %[2]s</h1><p>今天银行的%[1]s股市在%[2]s上涨，几十位投资者一早就来到交易大厅，把前一夜写好的单子交给柜台。</p>"+
		"<p>记者%[2]s在%[1]s现场看到，银行的股票比昨天高出许多，股市的成交也更多了，分析的人认为原因是利率下降。</p>", layer, name)
}

// renderCrawl runs a crawl that has pages rendered to its end.
func renderCrawl(t *testing.T, o cloudOptions) (*cloud, *scriptedWeb) {
	t.Helper()
	web := &scriptedWeb{shown: map[string]int{}}
	srv := httptest.NewServer(web)
	t.Cleanup(srv.Close)
	o.proxy = srv.URL
	c := newCloud(t, o)
	path := filepath.Join(t.TempDir(), "made.yaml")
	if err := os.WriteFile(path, []byte("name: made\nwords: [股市, 银行]\nrender: auto\nstrategy: best-first\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	body, err := (&job.Message{Crawl: "made", Topic: c.putTopic(t, path), Seeds: []string{"http://www.demo.test/"}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
	for name, p := range c.run(t, o, c.ended(t, 5*time.Minute, "made")) {
		t.Logf("%s: %+v, %+v", name, p.Account(), c.fns[name].Usage())
	}
	return c, web
}

// Pages that may need a browser go to the function that has one, and no others once their
// layer is known. The image of that function finds what its binary finds.
func TestRender(t *testing.T) {
	t.Parallel()
	made := map[string]map[string]corpus.Document{}
	for name, o := range map[string]cloudOptions{
		"SLUICE_BROWSER":      {browser: os.Getenv("SLUICE_BROWSER")},
		"SLUICE_RENDER_IMAGE": {image: os.Getenv("SLUICE_RENDER_IMAGE")}, // infra/render/check sets it
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv(name) == "" {
				t.Skip(name + " is not set")
			}
			c, web := renderCrawl(t, o)
			documents := c.documents(t, "made")
			made[name] = documents
			for _, layer := range []string{"sent", "app"} {
				for i := range articles {
					url := fmt.Sprintf("http://www.demo.test/%s/%d.html", layer, i)
					if d := documents[url]; !strings.Contains(d.Text, fmt.Sprintf("在%d.html上涨", i)) {
						t.Errorf("document of %s: %q", url, d.Text)
					}
				}
			}
			if web.shown["app"] != articles || web.shown["sent"] != 2 {
				t.Errorf("a browser has shown %v, want %d of app, and 2 of sent to compare", web.shown, articles)
			}
		})
	}
	if binary, image := made["SLUICE_BROWSER"], made["SLUICE_RENDER_IMAGE"]; binary != nil && image != nil {
		wantSame(t, binary, image)
	}
}

// A stack without that function rejects them as such.
func TestNeedsBrowser(t *testing.T) {
	t.Parallel()
	c, web := renderCrawl(t, cloudOptions{})
	rejects := lines(t, c, "rejects/made/", func(r struct {
		URL, Rule string
	},
	) string {
		return r.Rule + " " + r.URL
	})
	for _, layer := range []string{"sent", "app"} {
		for i := range articles {
			if url := fmt.Sprintf("http://www.demo.test/%s/%d.html", layer, i); rejects["needs_browser "+url].URL == "" {
				t.Errorf("%s is no reject: %v", url, rejects)
			}
		}
	}
	if len(web.shown) != 0 {
		t.Errorf("shown %v", web.shown)
	}
}

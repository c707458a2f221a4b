package demo

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestSizeAndShare(t *testing.T) {
	w := New()
	if w.Pages() < 300 {
		t.Errorf("Pages() = %d, want at least 300", w.Pages())
	}
	if share := float64(w.OnTopic()) / float64(w.Pages()); share >= 0.25 || w.OnTopic() < 50 {
		t.Errorf("OnTopic() = %d of %d, want 50 or more and under a quarter", w.OnTopic(), w.Pages())
	}
	hosts := 0
	for _, s := range w.order {
		n := 0
		for _, a := range s.articles {
			if a.section.topic {
				n++
			}
		}
		if n > 0 {
			hosts++
		}
		if n > 25 {
			t.Errorf("%s has %d finance articles, want at most 25", s.host, n)
		}
		if !strings.HasSuffix(s.host, "."+Domain) {
			t.Errorf("host %s is not below %s", s.host, Domain)
		}
	}
	if hosts < 6 {
		t.Errorf("finance on %d hosts, want at least 6", hosts)
	}
}

func TestLinksResolve(t *testing.T) {
	w := New()
	status := map[string]int{}
	walk(t, w, func(url string, res answer) {
		status[url] = res.code
	})
	bad := map[string]int{}
	for url, code := range status {
		if code >= 400 {
			bad[url] = code
		}
	}
	want := map[string]int{
		"http://www.caijing.demo.test/a/20230101/9999.shtml": 404,
		"http://ribao.demo.test/2019-01/04/content_77.htm":   404,
		"http://zhuanti.demo.test/yangshi/2023.html":         404,
		"http://169.254.169.254/latest/meta-data/":           502,
	}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Errorf("dead links (-want +got):\n%s", diff)
	}
	pages := 0
	for _, s := range w.order {
		for path := range s.routes {
			code, ok := status[s.url(path)]
			switch {
			case !ok && path != "/img/focus.png" && path != "/rss.xml" && path != "/sitemap.xml" && path != tdmPath && path != aiPath:
				t.Errorf("no link leads to %s", s.url(path))
			case code == http.StatusOK:
				pages++
			}
		}
	}
	if pages < w.Pages() {
		t.Errorf("links lead to %d pages, want all %d", pages, w.Pages())
	}
}

func TestCharsets(t *testing.T) {
	w := New()
	tests := map[string]struct{ host, header, title string }{
		"utf-8":               {"www.chenbao", "text/html; charset=utf-8", "澜江晨报网 - 每天清晨与你见面"},
		"gb18030 by meta":     {"ribao", "text/html", "青岭日报 - 山城的记录者"},
		"big5":                {"www.haidao", "text/html; charset=big5", "海島新聞網 - 島上的每一天"},
		"utf-8 by meta alone": {"jiaoyu", "text/html", "学堂在线报 - 陪孩子慢慢长大"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := get(t, w, "http://"+tt.host+".demo.test/")
			if got := res.header.Get("Content-Type"); got != tt.header {
				t.Errorf("Content-Type = %q, want %q", got, tt.header)
			}
			var title string
			for n := range res.parse(t).Descendants() {
				if n.Type == html.ElementNode && n.Data == "title" {
					title = textOf(n)
				}
			}
			if title != tt.title {
				t.Errorf("title = %q, want %q", title, tt.title)
			}
		})
	}
	beyond := 0 // pages with a letter that GB2312 and GBK lack
	walk(t, w, func(url string, res answer) {
		if !res.isHTML() {
			return
		}
		text := res.text(t)
		if strings.ContainsAny(text, "\uFFFD\x1a") || strings.Contains(text, "&#") {
			t.Errorf("%s has characters that its charset lacks", url)
		}
		if strings.Contains(url, "//ribao.") && strings.Contains(text, "𠮷") {
			beyond++
		}
	})
	if beyond == 0 {
		t.Error("no page of ribao needs GB18030")
	}
}

func TestRedirects(t *testing.T) {
	w := New()
	tests := map[string]struct {
		url, location string
		status        int
	}{
		"same host":  {"http://ribao.demo.test/index.htm", "/", 301},
		"no slash":   {"http://www.chenbao.demo.test/caijing", "/caijing/", 301},
		"other host": {"http://zhuanti.demo.test/go/haidao", "http://www.haidao.demo.test/caijing/", 302},
		"circle":     {"http://zhuanti.demo.test/zhuan/a", "/zhuan/b", 302},
		"and back":   {"http://zhuanti.demo.test/zhuan/b", "/zhuan/a", 302},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := get(t, w, tt.url)
			if res.code != tt.status || res.header.Get("Location") != tt.location {
				t.Errorf("got %d to %q, want %d to %q", res.code, res.header.Get("Location"), tt.status, tt.location)
			}
		})
	}
}

func TestReserved(t *testing.T) {
	w := New()
	said := func(path string) answer { return get(t, w, "http://"+hazardHost+path) }
	for path, want := range map[string]string{
		tdmPath: `[{"location": "/baoliu/4.html", "tdm-reservation": 1, "tdm-policy": "http://zhuanti.demo.test/"}]`,
		aiPath:  "User-Agent: *\nDisallow: /baoliu/5.html",
	} {
		if got := strings.TrimSpace(string(said(path).body)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := said("/baoliu/1.html").header.Get("X-Robots-Tag"); got != "noai, noimageai" {
		t.Errorf("X-Robots-Tag %q", got)
	}
	if got := said("/baoliu/2.html").header.Get("tdm-reservation"); got != "1" {
		t.Errorf("tdm-reservation %q", got)
	}
	if !bytes.Contains(said("/baoliu/3.html").body, []byte(`<meta name="robots" content="noarchive">`)) {
		t.Error("no meta robots")
	}
}

func TestRequests(t *testing.T) {
	w := New()
	tests := map[string]struct {
		method, target, host string
		status               int
	}{
		"proxy":                  {"GET", "http://tiyu.demo.test/", "", 200},
		"proxy without slash":    {"GET", "http://tiyu.demo.test", "", 200},
		"origin":                 {"GET", "/", "tiyu.demo.test", 200},
		"upper case, port, root": {"GET", "/", "TIYU.demo.test.:80", 200},
		"head":                   {"HEAD", "http://tiyu.demo.test/", "", 200},
		"unused query":           {"GET", "http://tiyu.demo.test/?utm_source=x", "", 200},
		"post":                   {"POST", "http://tiyu.demo.test/", "", 405},
		"no such page":           {"GET", "http://tiyu.demo.test/%00/../x", "", 404},
		"no such article":        {"GET", "http://www.haidao.demo.test/news.php?id=1", "", 404},
		"other port":             {"GET", "http://tiyu.demo.test:8080/", "", 502},
		"unknown host, proxy":    {"GET", "http://nobody.demo.test/", "", 502},
		"unknown host, origin":   {"GET", "/", "nobody.demo.test", 404},
		"no host":                {"GET", "/", "", 404},
		"real host":              {"GET", "http://example.com/", "", 502},
		"inside address":         {"GET", "http://[::1]:80/", "", 502},
		"https":                  {"GET", "https://tiyu.demo.test/", "", 502},
		"options star":           {"OPTIONS", "*", "tiyu.demo.test", 405},
		"calendar far ahead":     {"GET", "http://zhuanti.demo.test/calendar/?year=9000&month=12", "", 200},
		"calendar without date":  {"GET", "http://zhuanti.demo.test/calendar/", "", 200},
		"calendar, bad month":    {"GET", "http://zhuanti.demo.test/calendar/?year=2024&month=13", "", 404},
		"calendar, huge year":    {"GET", "http://zhuanti.demo.test/calendar/?year=99999999999999999999&month=1", "", 404},
		"salon without session":  {"GET", "http://zhuanti.demo.test/huodong/1.html", "", 200},
		"salon with a tail":      {"GET", "http://zhuanti.demo.test/huodong/1.html.bak", "", 404},
		"salon beyond the last":  {"GET", "http://zhuanti.demo.test/huodong/7.html", "", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.target, nil)
			if r.URL.Host == "" {
				r.Host = tt.host
			}
			rec := httptest.NewRecorder()
			w.ServeHTTP(rec, r)
			if rec.Code != tt.status {
				t.Errorf("status = %d, want %d", rec.Code, tt.status)
			}
			if tt.method == http.MethodHead && rec.Body.Len() > 0 {
				t.Errorf("HEAD has a body of %d bytes", rec.Body.Len())
			}
		})
	}
}

func TestThroughRealProxy(t *testing.T) {
	srv := httptest.NewServer(New())
	defer srv.Close()
	proxy, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	defer client.CloseIdleConnections()
	ask := func(url string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return client.Do(r)
	}
	res, err := ask("http://www.chenbao.demo.test/caijing")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || res.Request.URL.Path != "/caijing/" {
		t.Errorf("got %d from %s, want the list behind the redirect", res.StatusCode, res.Request.URL)
	}
	if res, err := ask("https://www.chenbao.demo.test/"); err == nil {
		res.Body.Close()
		t.Error("a tunnel was opened, want it refused")
	}
}

func TestDeterministic(t *testing.T) {
	a, b := New(), New()
	urls := []string{
		"http://zhuanti.demo.test/calendar/?year=2031&month=5",
		"http://zhuanti.demo.test/huodong/2.html?PHPSESSID=0",
		"http://zhuanti.demo.test/nothing",
	}
	for _, s := range a.order {
		urls = append(urls, s.url("/robots.txt"))
		for path := range s.routes {
			urls = append(urls, s.url(path))
		}
	}
	for _, u := range urls {
		one, two := get(t, a, u), get(t, b, u)
		if !bytes.Equal(one.body, two.body) || one.code != two.code || !cmp.Equal(one.header, two.header) {
			t.Errorf("two webs differ about %s", u)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}

func BenchmarkArticle(b *testing.B) {
	w := New()
	s := w.sites["ribao."+Domain]
	url := s.url(s.articles[0].path())
	for b.Loop() {
		get(b, w, url)
	}
}

func TestShops(t *testing.T) {
	w := New()
	if len(w.Shops()) != 4 {
		t.Fatalf("%d shops, want 4", len(w.Shops()))
	}
	for _, s := range w.Shops() {
		p := s.Products[0]
		if res := get(t, w, s.ProductURL(p)); res.code != 200 || !strings.HasPrefix(res.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: status %d, %s", s.ProductURL(p), res.code, res.header.Get("Content-Type"))
		}
		if res := get(t, w, s.URL("/nothing")); res.code != 404 {
			t.Errorf("%s: status %d for no page", s.Host, res.code)
		}
		if res := get(t, w, s.URL("/robots.txt")); !strings.Contains(string(res.body), "Disallow: /cart/") {
			t.Errorf("%s: robots.txt is %s", s.Host, res.body)
		}
	}
}

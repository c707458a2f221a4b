package main

import (
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"sluice/shared/demo"
)

// slowHost is a host of the scripts' web whose pages never come. It lies in
// the demo's domain: no contact is needed for it.
const slowHost = "slow." + demo.Domain

// newsHost is a host of the scripts' web that has other pages after each turn;
// busyHost has the same, but answers 503 before the first.
const (
	newsHost = "news." + demo.Domain
	busyHost = "busy." + demo.Domain
)

// webKey is the key of a script's web among its values.
type webKey struct{}

// web is the demo web with a slow host, one that changes, and one that is busy
// until then.
type web struct {
	demo   *demo.Web
	server *httptest.Server
	pages  atomic.Int64 // asked for since the last signal
	turns  atomic.Int64 // that the script has taken
	over   chan struct{}
}

func newWeb() *web {
	w := &web{demo: demo.New(), over: make(chan struct{})}
	w.server = httptest.NewServer(w)
	return w
}

func (w *web) close() {
	close(w.over)
	w.server.Close()
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	robots := r.URL.Path == "/robots.txt"
	if !robots {
		w.pages.Add(1)
	}
	switch {
	case r.URL.Host == busyHost && !robots && w.turns.Load() == 0:
		rw.Header().Set("Retry-After", "1")
		http.Error(rw, "busy", http.StatusServiceUnavailable)
	case r.URL.Host == newsHost, r.URL.Host == busyHost:
		w.serveNews(rw, r)
	case r.URL.Host != slowHost:
		w.demo.ServeHTTP(rw, r)
	case robots:
		http.NotFound(rw, r)
	default:
		select {
		case <-w.over:
		case <-r.Context().Done():
		}
	}
}

// news are the pages of newsHost, by path, before and after a turn: a text and
// the links of the page. A page without text is not there.
var news = map[string][2]struct {
	text  string
	links []string
}{
	"/":        {{"首页", []string{"/same", "/changed", "/removed"}}, {"首页", []string{"/same", "/changed", "/new"}}},
	"/same":    {{"不变的消息", nil}, {"不变的消息", nil}},
	"/changed": {{"早上的消息", nil}, {"晚上的消息", nil}},
	"/removed": {{"撤下的消息", nil}, {}},
	"/new":     {{}, {"新来的消息", nil}},
}

// serveNews answers conditional requests by the page's ETag.
func (w *web) serveNews(rw http.ResponseWriter, r *http.Request) {
	page := news[r.URL.Path][min(w.turns.Load(), 1)]
	if page.text == "" {
		http.NotFound(rw, r)
		return
	}
	var b strings.Builder
	b.WriteString("<title>股市 银行</title><h1>股市 银行</h1>")
	fmt.Fprintf(&b, "<p>这是%s的正文，讲述当天各地发生的事情，内容与别的页面都不相同。</p>"+
		"<p>记者在现场看到，几十位居民一早就来到河边，把前一夜被风吹倒的小树重新扶正。</p>"+
		"<p>关于下一步的安排，负责人说还要再等一个星期，届时会在网上公布。</p>", page.text)
	for _, l := range page.links {
		fmt.Fprintf(&b, "<a href=%s>银行</a>", l)
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("ETag", fmt.Sprintf("\"%x\"", crc32.ChecksumIEEE([]byte(b.String()))))
	http.ServeContent(rw, r, "", time.Time{}, strings.NewReader(b.String()))
}

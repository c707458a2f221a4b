package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sluice/shared/web/fetch"
)

// A web small enough to crash a crawl of it after each of its effects. Pages
// whose number is not divisible by three are on topic; a link says in its
// anchor whether its target is.
const (
	webHosts = 3
	webPages = 6 // on each host
)

func pageURL(host, n int) string { return fmt.Sprintf("http://h%d.test/p%d", host, n) }

func onTopic(n int) bool { return n%3 != 0 }

// linksOf returns the targets of a page: two on its host, one elsewhere.
func linksOf(host, n int) [][2]int {
	return [][2]int{{host, (n + 1) % webPages}, {host, (n + 2) % webPages}, {(host + 1) % webHosts, (n*2 + 1) % webPages}}
}

// expected is the model: what a crawl of the web from page 1 of host 0 comes
// to, by the plain reading of METHOD A1: a link is followed where its anchor
// has a topic word, a page is kept where its title has some.
func expected() (fetched, kept map[string]bool) {
	fetched, kept = map[string]bool{}, map[string]bool{}
	todo := [][2]int{{0, 1}}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		url := pageURL(p[0], p[1])
		if fetched[url] {
			continue
		}
		fetched[url] = true
		if onTopic(p[1]) {
			kept[url] = true
		}
		for _, l := range linksOf(p[0], p[1]) {
			if onTopic(l[1]) || l[1] == 3 { // page 3 is off topic under a good anchor
				todo = append(todo, l)
			}
		}
	}
	return fetched, kept
}

// web serves the pages in process and counts what was asked of it.
type web struct {
	mu     sync.Mutex
	asked  map[string]int
	flying map[string]int
	worst  int // most requests in flight on one host
	fail   func(url string, asked int) bool
	slow   func() // called during fetches of every other page
}

func newWeb() *web { return &web{asked: map[string]int{}, flying: map[string]int{}} }

// Fetch implements fetch.Client.
func (w *web) Fetch(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	var host, n int
	if strings.HasSuffix(r.URL, "/robots.txt") {
		return respond(r.URL, 404, ""), nil
	}
	if _, err := fmt.Sscanf(r.URL, "http://h%d.test/p%d", &host, &n); err != nil {
		return respond(r.URL, 404, ""), nil
	}
	key := strconv.Itoa(host)
	w.mu.Lock()
	w.asked[r.URL]++
	w.flying[key]++
	w.worst = max(w.worst, w.flying[key])
	fails := w.fail != nil && w.fail(r.URL, w.asked[r.URL])
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.flying[key]--
		w.mu.Unlock()
	}()
	if w.slow != nil && n%2 == 0 {
		w.slow()
		time.Sleep(2 * time.Millisecond) // let others take over what ran out
	}
	if fails {
		return respond(r.URL, 503, ""), nil
	}
	return respond(r.URL, 200, html(host, n)), nil
}

func html(host, n int) string {
	var b bytes.Buffer
	title := fmt.Sprintf("天气晴朗第%d页", n)
	if onTopic(n) {
		title = fmt.Sprintf("股市上涨 银行走强 %d", n)
	}
	fmt.Fprintf(&b, "<html><head><meta charset=utf-8><title>%s</title></head><body><div><h1>%s</h1>", title, title)
	for i := range 4 {
		fmt.Fprintf(&b, "<p>这是第%d台主机第%d页的第%d段正文，讲述当天市场的情况，内容各不相同，足够长，可以被当作正文提取出来。</p>", host, n, i)
	}
	b.WriteString("</div>")
	for _, l := range linksOf(host, n) {
		anchor := "天气预报"
		if onTopic(l[1]) || l[1] == 3 {
			anchor = "股市"
		}
		fmt.Fprintf(&b, `<a href="%s">%s</a>`, pageURL(l[0], l[1]), anchor)
	}
	b.WriteString("</body></html>")
	return b.String()
}

func respond(url string, status int, body string) *fetch.Response {
	now := time.Now()
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), len(body))
	h := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	if status == 503 {
		h.Set("Retry-After", "0")
	}
	return &fetch.Response{
		URL: url, Status: status, Proto: "HTTP/1.1", Header: h,
		Body: []byte(body), Raw: []byte(body),
		RequestHead: []byte("GET " + url + " HTTP/1.1\r\n\r\n"), ResponseHead: []byte(head),
		Start: now, End: now,
	}
}

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// web is hosts of numbered pages. Page n links to the pages links names.
type web struct {
	pages int // on each host
	links func(host string, n int) []string
	takes time.Duration

	mu     sync.Mutex
	asked  map[string]int
	robots int // requests for robots.txt
	flying map[string]int
	last   map[string]time.Time // end of the last request, by host
	rude   int                  // requests that came too soon, or two at a time
	delay  time.Duration
	gone   bool // every page answers 503

	down func(host string) bool // connections to the host fail

	mapped     string // host whose last page is only in its sitemap
	slowRobots bool   // robots.txt takes as long as a page
	broken     string // the URL at which the client panics, once

	files map[string][]byte

	serve func(url string) *fetch.Response // instead of numbered pages
}

// Get implements seeding.Objects.
func (w *web) Get(_ context.Context, key string) ([]byte, error) {
	if b, ok := w.files[key]; ok {
		return b, nil
	}
	return nil, fault.New(fault.Permanent, "no_object", errors.New(key))
}

// Fetch implements fetch.Client.
func (w *web) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if w.down != nil && w.down(urlnorm.HostOf(r.URL)) {
		return nil, fault.New(fault.Retryable, "connect", errors.New("connection refused"))
	}
	if strings.HasSuffix(r.URL, "/robots.txt") {
		w.mu.Lock()
		w.robots++
		w.mu.Unlock()
		if w.slowRobots {
			if err := fault.Pause(ctx, w.takes); err != nil {
				return nil, err
			}
		}
		if w.mapped != "" && r.URL == "http://"+w.mapped+"/robots.txt" {
			return respond(r.URL, 200, "Sitemap: http://"+w.mapped+"/sitemap.xml"), nil
		}
		return respond(r.URL, 404, ""), nil
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), "/")
	w.mu.Lock()
	if w.asked == nil {
		w.asked, w.flying, w.last = map[string]int{}, map[string]int{}, map[string]time.Time{}
	}
	if r.URL == w.broken {
		w.broken = ""
		w.mu.Unlock()
		panic("broken client")
	}
	if path != ".well-known/tdmrep.json" && path != "ai.txt" { // no pages, but in turn like them
		w.asked[r.URL]++
	}
	w.flying[host]++
	if w.flying[host] > 1 || time.Since(w.last[host]) < w.delay {
		w.rude++
	}
	gone := w.gone
	w.mu.Unlock()
	err := fault.Pause(ctx, w.takes)
	w.mu.Lock()
	w.flying[host]--
	w.last[host] = time.Now()
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if host == w.mapped && path == "sitemap.xml" {
		return respond(r.URL, 200, fmt.Sprintf("<urlset><url><loc>http://%s/p%d</loc></url></urlset>", host, w.pages)), nil
	}
	if w.serve != nil {
		return w.serve(r.URL), nil
	}
	var n int
	if read, _ := fmt.Sscanf(path, "p%d", &n); read != 1 || n > w.pages || n == w.pages && host != w.mapped {
		return respond(r.URL, 404, ""), nil
	}
	if gone {
		return respond(r.URL, 503, ""), nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>股市 银行 %s %d</title></head><body><p>%s 第%d页，股市上涨，银行走强，正文足够长，可以被当作正文提取出来。%s。</p>", host, n, host, n, itsOwn(host, n))
	for _, l := range w.links(host, n) {
		fmt.Fprintf(&b, `<a href="%s">股市</a> `, l)
	}
	return respond(r.URL, 200, b.String()), nil
}

// itsOwn returns what no other page says.
func itsOwn(host string, n int) string {
	rng := rand.New(rand.NewPCG(xxh3.HashString(host), uint64(n)))
	common := []rune("的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实")
	rng.Shuffle(len(common), func(i, j int) { common[i], common[j] = common[j], common[i] })
	return string(common[:30])
}

// requests counts those for pages.
func (w *web) requests() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, times := range w.asked {
		n += times
	}
	return n
}

func respond(url string, status int, body string) *fetch.Response {
	now := time.Now()
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), len(body))
	return &fetch.Response{
		URL: url, Status: status, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte(body), Raw: []byte(body), RequestHead: []byte("GET " + url + " HTTP/1.1\r\n\r\n"), ResponseHead: []byte(head),
		Start: now, End: now,
	}
}

// tree links each page to the next ones of its host, and the first page of each
// host to that of the next.
func tree(hosts, pages int) *web {
	w := &web{pages: pages, delay: time.Second}
	w.links = func(host string, n int) []string {
		var out []string
		for i := 3*n + 1; i <= 3*n+3 && i < pages; i++ {
			out = append(out, fmt.Sprintf("http://%s/p%d", host, i))
		}
		var k int
		if _, err := fmt.Sscanf(host, "h%d.", &k); err == nil && n == 0 && k+1 < hosts {
			out = append(out, fmt.Sprintf("http://h%d.demo.test/p0", k+1))
		}
		return out
	}
	return w
}

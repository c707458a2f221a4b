package step_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
)

// web is a web in memory, a file of a txtar archive for each URL. A file is an
// HTML page, or an answer of its own:
//
//	301 /elsewhere
//	Retry-After: 5
//
//	body
//
// The first line is the status, with the target of a redirect behind it, or
// "fail CLASS RULE" for a request that brings no answer; header lines, an
// empty line and the body may follow. $TEXT is a main text that no
// other page has. What is not there is a 404, robots.txt too.
type web struct {
	clock *clock
	pages map[string]string

	mu    sync.Mutex
	asked []string // in order, robots.txt included

	headers map[string]http.Header // of the last request, by URL
}

func newWeb(t testing.TB, c *clock, archive string) *web {
	t.Helper()
	w := &web{clock: c, pages: map[string]string{}, headers: map[string]http.Header{}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		w.pages[f.Name] = string(f.Data)
	}
	return w
}

// requests returns how often each URL was asked for, what sites say about
// themselves left out.
func (w *web) requests() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := map[string]int{}
	for _, u := range w.asked {
		if !isSiteFile(u) {
			n[u]++
		}
	}
	return n
}

// isSiteFile reports whether a URL is asked for once for all pages of its host.
func isSiteFile(url string) bool {
	return strings.HasSuffix(url, "/robots.txt") || strings.HasSuffix(url, "/.well-known/tdmrep.json") || strings.HasSuffix(url, "/ai.txt")
}

// Fetch implements fetch.Client.
func (w *web) Fetch(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, r.URL)
	w.headers[r.URL] = r.Header
	w.mu.Unlock()
	file, ok := w.pages[r.URL]
	if !ok {
		return w.answer(r.URL, 404, http.Header{}, ""), nil
	}
	if strings.HasPrefix(file, "<") {
		return w.answer(r.URL, 200, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, file), nil
	}
	head, body, _ := strings.Cut(file, "\n\n")
	first, lines, _ := strings.Cut(strings.TrimSpace(head), "\n")
	fields := strings.Fields(first)
	if fields[0] == "fail" && fields[1] == "after" {
		return nil, fault.NewAfter(30*time.Second, fields[2], errors.New("no answer"))
	}
	if fields[0] == "fail" {
		return nil, fault.New(classes[fields[1]], fields[2], errors.New("no answer"))
	}
	status, err := strconv.Atoi(fields[0])
	if err != nil {
		return nil, fmt.Errorf("%s: status %q: %w", r.URL, fields[0], err)
	}
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(line, ":")
		header.Set(name, strings.TrimSpace(value))
	}
	if isFresh(r.Header, header) {
		status, body = http.StatusNotModified, ""
	}
	resp := w.answer(r.URL, status, header, body)
	if len(fields) > 1 {
		resp.Location = fields[1]
	}
	return resp, nil
}

// isFresh reports whether a request names the version that the answer would have.
func isFresh(asked, answer http.Header) bool {
	if tag := asked.Get("If-None-Match"); tag != "" {
		return tag == answer.Get("ETag")
	}
	since := asked.Get("If-Modified-Since")
	return since != "" && since == answer.Get("Last-Modified")
}

var classes = map[string]fault.Class{"retryable": fault.Retryable, "permanent": fault.Permanent}

func (w *web) answer(url string, status int, h http.Header, body string) *fetch.Response {
	body = strings.ReplaceAll(body, "$TEXT", mainText(url))
	now := w.clock.now()
	resp := &fetch.Response{
		URL: url, Status: status, Proto: "HTTP/1.1", Header: h, Raw: []byte(body),
		RequestHead:  []byte("GET " + url + " HTTP/1.1\r\n\r\n"),
		ResponseHead: fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), len(body)),
		RemoteAddr:   "192.0.2.1", Start: now, End: now,
	}
	if status/100 == 2 {
		resp.Body = resp.Raw
	}
	return resp
}

// mainText is prose enough to be extracted, different for every URL.
func mainText(url string) string {
	var b bytes.Buffer
	b.WriteString("<div>")
	for i := range 4 {
		fmt.Fprintf(&b, "<p>这是 %s 的第%d段正文，讲述当天各地发生的事情，内容与别的页面都不相同，也足够长，可以被当作正文提取出来。</p>", url, i)
	}
	b.WriteString("</div>")
	return b.String()
}

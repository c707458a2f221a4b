package frozenweb

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// ServeHTTP answers as an HTTP forward proxy (requests in absolute form) and as
// an origin by Host header: 200 for a page, as it was saved, or its redirect,
// 404 for any other URL, robots.txt among them unless the web has one. CONNECT
// is refused with 502, since a frozen web has no certificates, and so is https by
// a web without such pages.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect || r.URL.Scheme == "https" && !w.secure:
		http.Error(rw, "a frozen web speaks plain http", http.StatusBadGateway)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		rw.Header().Set("Allow", "GET, HEAD")
		http.Error(rw, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	p := w.Page(Asked(r))
	if p == nil || p.Plain {
		http.Error(rw, "no such page in the frozen web", http.StatusNotFound)
		return
	}
	if p.Redirect != "" {
		http.Redirect(rw, r, p.Redirect, http.StatusFound)
		return
	}
	rw.Header().Set("Content-Type", cmp.Or(p.Type, "text/html"))
	rw.Header().Set("Content-Length", strconv.Itoa(len(p.Body)))
	if r.Method != http.MethodHead {
		_, _ = rw.Write(p.Body) // ignore clients that have gone away
	}
}

// Asked returns the URL that a request is for, in any form.
func Asked(r *http.Request) string {
	u := url.URL{
		Scheme: cmp.Or(r.URL.Scheme, "http"), Host: cmp.Or(r.URL.Host, r.Host),
		Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery,
	}
	return u.String()
}

// Transport answers a client's requests by a handler, such as a Web, without a
// network.
type Transport struct{ Handler http.Handler }

var _ http.RoundTripper = Transport{}

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	inbound := r.Clone(r.Context())
	a := &answer{header: http.Header{}}
	// As a server reads the request line.
	if u, err := url.ParseRequestURI(r.URL.RequestURI()); err != nil {
		a.WriteHeader(http.StatusBadRequest)
	} else {
		u.Scheme, u.Host = r.URL.Scheme, r.URL.Host
		inbound.URL, inbound.Host, inbound.RequestURI = u, r.URL.Host, u.RequestURI()
		t.Handler.ServeHTTP(a, inbound)
	}
	a.WriteHeader(http.StatusOK)
	return &http.Response{
		StatusCode: a.status, Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(&a.body), ContentLength: int64(a.body.Len()), Request: r,
	}, nil
}

// answer is an http.ResponseWriter that keeps the response.
type answer struct {
	header http.Header
	status int // 0: not written yet
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.status = cmp.Or(a.status, status)
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

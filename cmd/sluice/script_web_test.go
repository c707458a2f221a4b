package main

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	"sluice/shared/demo"
)

// slowHost is a host of the scripts' web whose pages never come. It lies in
// the demo's domain: no contact is needed for it.
const slowHost = "slow." + demo.Domain

// webKey is the key of a script's web among its values.
type webKey struct{}

// web is the demo web with a slow host.
type web struct {
	demo   *demo.Web
	server *httptest.Server
	pages  atomic.Int64 // asked for since the last signal
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

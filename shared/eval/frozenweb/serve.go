package frozenweb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// ServeHTTP answers as an HTTP forward proxy (requests in absolute form) and as
// an origin by Host header: 200 for a page, as it was saved, 404 for any other
// URL, robots.txt among them unless the web has one. CONNECT and https are
// refused with 502: a frozen web has no certificates.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect || r.URL.Scheme == "https":
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
	rw.Header().Set("Content-Type", cmp.Or(p.Type, "text/html"))
	rw.Header().Set("Content-Length", strconv.Itoa(len(p.Body)))
	if r.Method != http.MethodHead {
		_, _ = rw.Write(p.Body) // a client that has gone away is nothing to the web
	}
}

// Asked returns the URL that a request is for, whichever its form.
func Asked(r *http.Request) string {
	u := url.URL{
		Scheme: "http", Host: cmp.Or(r.URL.Host, r.Host),
		Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery,
	}
	return u.String()
}

// Serve serves a web, or a handler that looks on, on loopback until stop is
// called; proxy is what a crawl sends its requests to.
func Serve(ctx context.Context, handler http.Handler) (proxy *url.URL, stop func() error, err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("serve web: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	stop = func() error {
		err := server.Close()
		if serr := <-ended; !errors.Is(serr, http.ErrServerClosed) {
			err = errors.Join(serr, err)
		}
		if err != nil {
			return fmt.Errorf("serve web: %w", err)
		}
		return nil
	}
	return &url.URL{Scheme: "http", Host: l.Addr().String()}, stop, nil
}

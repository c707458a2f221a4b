package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Errors of a page that takes more than it may.
var (
	errTooMuch = errors.New("the page receives too much")
	errTooMany = errors.New("the page sends too many requests")
)

// proxy is the way of one page to the network.
type proxy struct {
	check     func(address string) error
	dial      dialer
	server    *http.Server
	listener  net.Listener
	forward   *httputil.ReverseProxy
	transport *http.Transport

	left atomic.Int64 // bytes that may still be received

	mu     sync.Mutex
	open   int              // requests, or tunnels, that may still be sent: the gate does not see those of all workers
	sent   map[string]int   // them, by host
	failed map[string]error // by host: why the last request failed
}

// newProxy starts a proxy on loopback.
func newProxy(o *Options) (*proxy, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start proxy of a page: %w", err)
	}
	to := &http.Transport{DisableCompression: true, ResponseHeaderTimeout: 20 * time.Second}
	p := &proxy{check: o.check, listener: l, transport: to, open: o.MaxRequests, sent: map[string]int{}, failed: map[string]error{}}
	plain := net.Dialer{Timeout: 10 * time.Second}
	if len(o.Proxies) == 0 {
		p.dial = o.Guard.Dialer(plain)
		to.DialContext = p.dial
	} else {
		p.dial = through(o.Proxies, plain)
		to.Proxy = o.Proxies.Of
	}
	p.left.Store(o.MaxBytes)
	p.forward = &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {},
		Transport:     to,
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			r.Body = &counted{ReadCloser: r.Body, left: &p.left}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, r *http.Request, err error) { p.refuse(r.URL.Hostname(), err) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = p.server.Serve(l) }() // it ends with Close
	return p, nil
}

func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

// Close ends the proxy and all its connections.
func (p *proxy) Close() {
	_ = p.server.Close()
	p.transport.CloseIdleConnections()
}

// refuse ends a request without an answer, as the error of a network would.
func (p *proxy) refuse(host string, err error) {
	p.mu.Lock()
	p.failed[host] = err
	p.mu.Unlock()
	panic(http.ErrAbortHandler)
}

// ServeHTTP sends on a request for an http URL, and opens a tunnel for CONNECT.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u := r.URL
	if r.Method == http.MethodConnect {
		u = &url.URL{Scheme: "https", Host: r.Host}
	}
	if err := p.check(u.Scheme + "://" + u.Host + "/"); err != nil {
		p.refuse(u.Hostname(), err)
	}
	if !p.count(u.Hostname()) {
		p.refuse(u.Hostname(), errTooMany)
	}
	if r.Method == http.MethodConnect {
		p.tunnel(w, r)
		return
	}
	p.forward.ServeHTTP(w, r)
}

// count counts a request, and reports whether it may be sent.
func (p *proxy) count(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == 0 {
		return false
	}
	p.open--
	p.sent[host]++
	return true
}

// tunnel connects the browser with a host. What it sends through is between the two.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	up, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		p.refuse(r.URL.Hostname(), err)
	}
	defer func() { _ = up.Close() }()
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.refuse(r.URL.Hostname(), err)
	}
	defer func() { _ = down.Close() }()
	if _, err := io.WriteString(down, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(up, buffered) // ends with either connection
		_ = up.Close()
	}()
	_, _ = io.Copy(down, &counted{ReadCloser: up, left: &p.left})
}

// requests returns how many were sent, by host.
func (p *proxy) requests() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.sent)
}

// failure returns why a request to a host failed, nil if none did.
func (p *proxy) failure(host string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed[host]
}

// counted is a body that takes what is read from what is left.
type counted struct {
	io.ReadCloser

	left *atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if c.left.Add(-int64(n)) < 0 {
		return 0, errTooMuch
	}
	return n, err
}

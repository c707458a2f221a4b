package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"time"

	"sluice/shared/fault"
)

// Options are the parts of an HTTP client that have a sensible default. Sizes
// are bytes; zero means the default.
type Options struct {
	UserAgent string  // of UserAgent; default "sluice"
	Proxies   Proxies // for every request; default none
	Guard     *Guard  // default: no exceptions

	// Transport replaces the network, such as by a web in memory. It excludes
	// Proxies.
	Transport http.RoundTripper

	ConnectTimeout time.Duration // DNS and TCP, and again TLS; default 10 s
	HeaderTimeout  time.Duration // request sent to head complete; default 20 s
	BodyTimeout    time.Duration // head to the last byte; default 30 s

	MaxRaw     int64 // body as transferred; default 8 MiB
	MaxDecoded int64 // body after Content-Encoding; default 16 MiB
	MaxSitemap int64 // body of a .gz file, which isn't unpacked here; default 16 MiB
}

// maxHeader limits a response head. maxErrorBody limits how much of an unused
// body is read, which allows the connection to be reused.
const (
	maxHeader    = 256 << 10
	maxErrorBody = 64 << 10
)

// HTTP is the Client for the network. It speaks HTTP/1.1 only: with one fetch
// at a time on a host there is nothing to multiplex, a WARC record holds
// exactly the bytes sent, and net/http endlessly repeats a request that an
// HTTP/2 server keeps resetting. Its rules are
//
//	bad_url, address              Permanent, nothing was sent
//	dns                           Permanent for a name that doesn't exist, else Retryable
//	connect, timeout, truncated   Retryable
//	tls, protocol, content_type   Permanent
//	too_large, slow_body, bad_encoding   Permanent
type HTTP struct {
	options   Options
	guard     *Guard
	header    http.Header // of every request; never written to
	transport http.RoundTripper
	buffers   buffers
	decoders  decoders
}

var _ Client = (*HTTP)(nil)

// New returns a client. It fails if a proxy has no URL that ParseProxies takes.
func New(o Options) (*HTTP, error) {
	if err := o.Proxies.check(); err != nil {
		return nil, fmt.Errorf("proxy %w", err)
	}
	o = o.withDefaults()
	if o.Transport == nil {
		o.Transport = newTransport(o, net.Dialer{Timeout: o.ConnectTimeout})
	}
	return &HTTP{
		options: o,
		guard:   o.Guard,
		header: http.Header{
			"User-Agent":      {o.UserAgent},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"},
			"Accept-Encoding": {"gzip, br, zstd"},
		},
		transport: o.Transport,
	}, nil
}

func (o Options) withDefaults() Options {
	o.UserAgent = cmp.Or(o.UserAgent, Product)
	if o.Guard == nil {
		o.Guard, _ = NewGuard() // can only fail on exceptions
	}
	orDefault(&o.ConnectTimeout, 10*time.Second)
	orDefault(&o.HeaderTimeout, 20*time.Second)
	orDefault(&o.BodyTimeout, 30*time.Second)
	orDefault(&o.MaxRaw, 8<<20)
	orDefault(&o.MaxDecoded, 16<<20)
	orDefault(&o.MaxSitemap, 16<<20)
	return o
}

func orDefault[T ~int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

func newTransport(o Options, d net.Dialer) *http.Transport {
	t := &http.Transport{
		DialContext:            o.Guard.Dialer(d),
		TLSHandshakeTimeout:    o.ConnectTimeout,
		ResponseHeaderTimeout:  o.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
		Protocols:              http1(),
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConns:           1024,
		MaxIdleConnsPerHost:    2, // a host has one fetch in flight
		ReadBufferSize:         16 << 10,
	}
	if len(o.Proxies) > 0 {
		t.Proxy = o.Proxies.Of
		t.DialContext = d.DialContext          // the proxy may have a private address
		t.MaxIdleConnsPerHost = t.MaxIdleConns // all hosts share its connections
		t.ProxyConnectHeader = http.Header{"User-Agent": {o.UserAgent}}
	}
	return t
}

// once is an empty body that net/http cannot rewind. Without it net/http
// repeats a request at once if its connection closes before the answer,
// ignoring the host's delay and the count of attempts.
type once struct{}

func (once) Read([]byte) (int, error) { return 0, io.EOF }
func (once) Close() error             { return nil }

func http1() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

// Close closes the idle connections. Fetches in progress continue.
func (c *HTTP) Close() {
	if t, ok := c.transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

// Fetch implements Client.
func (c *HTTP) Fetch(ctx context.Context, r *Request) (*Response, error) {
	t, err := parseTarget(r.URL)
	if err != nil {
		return nil, err
	}
	if err := c.guard.check(t); err != nil {
		return nil, err
	}
	proxy := c.options.Proxies.For(t.host)
	absolute := proxy != nil && !Tunnels(proxy) && t.scheme == "http" // form of the request
	if absolute {
		t.viaProxy()
	}
	ours, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	res := &Response{URL: r.URL, Start: time.Now()}
	req := (&http.Request{Method: http.MethodGet, URL: t.url, Header: c.headerOf(r), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: once{}}).
		WithContext(c.trace(ours, res))
	res.RequestHead = requestHead(req, absolute)
	if r.Secret != nil {
		req.Header = req.Header.Clone()
		maps.Copy(req.Header, r.Secret)
	}

	resp, err := c.head(req, cancel)
	if err != nil {
		return nil, classify(ctx, ours, r.URL, err)
	}
	defer resp.Body.Close()
	res.Status, res.Proto, res.Header = resp.StatusCode, resp.Proto, resp.Header
	if res.Status/100 == 3 {
		res.Location = resp.Header.Get("Location")
	}

	slow := time.AfterFunc(c.options.BodyTimeout, func() { cancel(errSlowBody) })
	err = c.receive(res, resp, r, t)
	slow.Stop()
	res.End = time.Now()
	var but []string
	if r.Secret != nil {
		but = []string{"Set-Cookie", "Set-Cookie2"}
	}
	res.ResponseHead = responseHead(resp, len(res.Raw), but...)
	if _, classified := errors.AsType[*fault.Error](err); err != nil && !classified {
		err = classify(ctx, ours, r.URL, err)
	}
	return res, err
}

func (c *HTTP) headerOf(r *Request) http.Header {
	if len(r.Header) == 0 {
		return c.header
	}
	h := r.Header.Clone()
	for key, values := range c.header {
		h[key] = values
	}
	return h
}

// head sends the request and returns with the head of the answer. The transport
// times each step; the timer here covers the rest, such as a proxy that never
// answers CONNECT.
func (c *HTTP) head(req *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	o := c.options
	late := time.AfterFunc(2*o.ConnectTimeout+o.HeaderTimeout, func() { cancel(errHeadTimeout) })
	defer late.Stop()
	return c.transport.RoundTrip(req) // not Client.Do: no redirects, no cookies
}

// trace notes the address that the connection leads to.
func (c *HTTP) trace(ctx context.Context, res *Response) context.Context {
	if len(c.options.Proxies) > 0 {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if peer, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil {
			res.RemoteAddr = peer.Addr().Unmap().String()
		}
	}})
}

// Package demo is a small built-in Chinese web: nine hosts, some 350 pages, a
// fifth of them about finance, and several traps for crawlers. `make run`
// crawls it without a network, with the finance topic. Four shops with 540 products
// each and two that need a browser, package shop, are hosts of their own: no other page
// leads to them.
//
// All texts are invented. The web uses no clock and no random numbers: the same
// URL always has the same bytes.
package demo

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sluice/shared/demo/shop"
)

// Domain is the domain of all demo hosts. It is under the reserved top-level
// domain "test" (RFC 6761), so a request for it only leaves the machine through
// a proxy that knows it.
const Domain = "demo.test"

// Web serves the demo hosts, as an HTTP forward proxy (requests in absolute
// form) and as an origin by Host header. It is safe for concurrent use.
//
// A host it does not have is refused, with 502 to a proxy request and 404
// otherwise, and counted as Account.Outside; so are CONNECT and https.
type Web struct {
	sites   map[string]*site
	order   []*site
	shops   []*shop.Shop
	layered []*shop.Shop
	ledger  *ledger
}

// New composes the web. It panics if the texts that are compiled in are
// broken, which a test rules out.
func New() *Web {
	sites, err := build()
	if err != nil {
		panic(fmt.Sprintf("demo: build web: %v", err))
	}
	w := &Web{sites: map[string]*site{}, order: sites, ledger: newLedger()}
	for _, s := range sites {
		w.sites[s.host] = s
	}
	if err := w.openShops(); err != nil {
		panic(fmt.Sprintf("demo: build web: %v", err))
	}
	return w
}

// Seeds returns the home pages a finance crawl starts from.
func (w *Web) Seeds() []string {
	var seeds []string
	for _, s := range w.order {
		if s.seed {
			seeds = append(seeds, s.url("/"))
		}
	}
	return seeds
}

// Pages returns the number of ordinary pages: home pages, section lists and
// articles. Hazards, files and error pages do not count.
func (w *Web) Pages() int {
	n := 0
	for _, s := range w.order {
		n += s.pages
	}
	return n
}

// OnTopic returns how many of the pages are finance articles.
func (w *Web) OnTopic() int {
	n := 0
	for _, s := range w.order {
		for _, a := range s.articles {
			if a.section.topic {
				n++
			}
		}
	}
	return n
}

// Account returns what has been requested so far.
func (w *Web) Account() Account { return w.ledger.snapshot() }

// ServeHTTP answers one request, see Web.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	s := w.sites[hostOf(r)]
	if s == nil || r.Method == http.MethodConnect || r.URL.Scheme == "https" {
		w.ledger.outside()
		status := http.StatusNotFound
		if r.URL.Host != "" {
			status = http.StatusBadGateway
		}
		http.Error(rw, "no such host in the demo web", status)
		return
	}
	if r.URL.Path == robotsPath {
		w.ledger.robots()
		write(rw, r, s.robots())
		return
	}
	if r.URL.Path == tdmPath || r.URL.Path == aiPath {
		w.ledger.beginFile(s.host)
		res := s.respond(r.Method, r.URL)
		w.ledger.endFile(s.host)
		write(rw, r, res)
		return
	}
	w.ledger.begin(s.host, s.url(r.URL.RequestURI()), s.denies(r.URL.Path))
	res := s.respond(r.Method, r.URL)
	// Before the answer goes out: a polite client may ask again at once, and
	// must not be found with two requests in flight.
	w.ledger.end(s.host, res.status)
	write(rw, r, res)
}

// hostOf returns the name a request is for, as the sites are keyed: lower
// case, without root dot and default port.
func hostOf(r *http.Request) string {
	host := r.URL.Host
	host = cmp.Or(host, r.Host)
	if name, port, err := net.SplitHostPort(host); err == nil && port == "80" {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// response is an answer before it is written.
type response struct {
	status   int
	mime     string            // Content-Type
	location string            // of a redirect
	header   map[string]string // more of it
	body     []byte
}

// respond answers a request for anything but robots.txt.
func (s *site) respond(method string, u *url.URL) response {
	if method != http.MethodGet && method != http.MethodHead {
		return response{status: http.StatusMethodNotAllowed, mime: "text/plain", body: []byte("method not allowed\n")}
	}
	// A path with an unknown query is the same page: so tracking parameters
	// work.
	path := cmp.Or(u.Path, "/") // http://host is http://host/
	for _, key := range []string{path + "?" + u.RawQuery, path} {
		if serve := s.routes[key]; serve != nil {
			return serve()
		}
	}
	if s.lazy != nil {
		if res, ok := s.lazy(u); ok {
			return res
		}
	}
	return s.missing()
}

// write sends an answer; net/http drops the body of a HEAD.
func write(rw http.ResponseWriter, r *http.Request, res response) {
	h := rw.Header()
	h.Set("Content-Type", res.mime)
	h.Set("Content-Length", strconv.Itoa(len(res.body)))
	if res.location != "" {
		h.Set("Location", res.location)
	}
	for name, value := range res.header {
		h.Set(name, value)
	}
	if res.status == http.StatusMethodNotAllowed {
		h.Set("Allow", "GET, HEAD")
	}
	rw.WriteHeader(res.status)
	if r.Method != http.MethodHead {
		// Ignore clients that have gone away.
		_, _ = rw.Write(res.body)
	}
}

package fetch

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/web/fetch/sockstest"
)

func TestSOCKS(t *testing.T) {
	var asked []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Host+" "+r.RequestURI)
		page(w, r)
	}))
	t.Cleanup(web.Close)
	p := sockstest.New(t, web.Listener.Addr().String())
	c := client(t, Options{Proxies: Proxies{p.URL}})
	for _, path := range []string{"/a^b%2Fc?b|c", "//d"} {
		res, err := c.Fetch(t.Context(), &Request{URL: "http://www.portal.test" + path})
		if err != nil {
			t.Fatal(err)
		}
		if head := string(res.RequestHead); !strings.HasPrefix(head, "GET "+path+" HTTP/1.1\r\nHost: www.portal.test\r\n") || res.RemoteAddr != "" {
			t.Errorf("request head %q, of %q", head, res.RemoteAddr)
		}
	}
	_, err := c.Fetch(t.Context(), &Request{URL: "https://www.portal.test/"}) // which the server does not speak
	wantFault(t, err, fault.Permanent, "tls")
	_, err = c.Fetch(t.Context(), &Request{URL: "http://www.portal.example/"})
	wantFault(t, err, fault.Retryable, "connect")
	for _, inside := range []string{"http://169.254.169.254/latest/", "http://127.0.0.1:22/"} {
		_, err = c.Fetch(t.Context(), &Request{URL: inside})
		wantFault(t, err, fault.Permanent, "address")
	}
	if d := cmp.Diff([]string{"www.portal.test /a^b%2Fc?b|c", "www.portal.test //d"}, asked); d != "" {
		t.Error(d)
	}
	if asked := p.Asked(); !slices.Equal(asked, []string{"www.portal.test"}) {
		t.Errorf("the proxy was asked for %q", asked)
	}
	wrong := *p.URL
	wrong.User = url.UserPassword("me", "hunter2")
	_, err = client(t, Options{Proxies: Proxies{&wrong}}).Fetch(t.Context(), &Request{URL: "http://www.portal.test/"})
	wantFault(t, err, fault.Retryable, "connect")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error %q has the password", err)
	}
}

// Of two proxies, each has a part of the hosts, and a host has one of them.
func TestTwoProxies(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(page))
	t.Cleanup(web.Close)
	one, two := sockstest.New(t, web.Listener.Addr().String()), sockstest.New(t, web.Listener.Addr().String())
	c := client(t, Options{Proxies: Proxies{one.URL, two.URL}})
	for i := range 60 {
		if _, err := c.Fetch(t.Context(), &Request{URL: fmt.Sprintf("http://h%d.test/%d", i%20, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := one.Asked(), two.Asked(); len(a) == 0 || len(b) == 0 || len(a)+len(b) != 20 {
		t.Errorf("the proxies were asked for %q and %q", a, b)
	}
}

func TestProxiesFor(t *testing.T) {
	all, err := ParseProxies("http://10.0.0.1:3128", "socks5://10.0.0.2:1080", "http://10.0.0.3:3128")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for i := range 3000 {
		host := fmt.Sprintf("www%d.example.cn", i)
		at := all.For(host)
		count[at.Host]++
		if other := all.For(strings.ToUpper(host)); other != at {
			t.Errorf("%s: %s in capitals, else %s", host, other, at)
		}
		if fewer := all[:2].For(host); at != all[2] && fewer != at {
			t.Errorf("%s moved from %s to %s", host, at, fewer)
		}
	}
	for host, n := range count {
		if n < 900 || n > 1100 {
			t.Errorf("%s has %d of 3000 hosts", host, n)
		}
	}
	if at := Proxies(nil).For("a.cn"); at != nil {
		t.Errorf("no proxies, but %s", at)
	}
}

// A provider has one address for many proxies, which differ by the user.
func TestProxiesByUser(t *testing.T) {
	all, err := ParseProxies("http://session-1:x@gate.test:7000", "http://session-2:x@gate.test:7000")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for i := range 1000 {
		count[all.For(fmt.Sprintf("www%d.example.cn", i)).User.Username()]++
	}
	if len(count) != 2 || count["session-1"] < 400 || count["session-2"] < 400 {
		t.Errorf("hosts by user: %v", count)
	}
}

// A name or certificate of a proxy that is wrong for a while says nothing about the URL.
func TestProxyTrouble(t *testing.T) {
	for _, trouble := range []error{&net.DNSError{Err: "no such host", Name: "proxy.test", IsNotFound: true}, &tls.CertificateVerificationError{}} {
		err := fmt.Errorf("fetch: %w", &net.OpError{Op: "proxyconnect", Net: "tcp", Err: trouble})
		if class, rule := kindOf(err); class != fault.Retryable || rule != "connect" {
			t.Errorf("%v: class %v, rule %s", trouble, class, rule)
		}
	}
}

func TestParseProxies(t *testing.T) {
	for _, bad := range []string{"", "10.0.0.1:3128", "ftp://x", "http://", "socks4://x:1", "http://me:secret@[::1", "gopher://me:secret@x", "http://me:secret@x:65536", "me:secret@x:80", "http:me:secret@x"} {
		p, err := ParseProxies("http://a.test:80", bad)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, error %v", bad, p, err)
		}
	}
	open, err := ParseProxies("http://a.test:80", "socks5h://b.test:1080")
	if err != nil || open.Open() != "http://a.test:80 socks5h://b.test:1080" {
		t.Errorf("%q, error %v", open.Open(), err)
	}
	if closed := append(open, &url.URL{Scheme: "http", User: url.User("me"), Host: "c.test"}); closed.Open() != "" {
		t.Errorf("%q has a user", closed.Open())
	}
}

package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	socks5 "github.com/things-go/go-socks5"

	"sluice/shared/fault"
)

// tunnel is a SOCKS proxy that knows the names below .test, each of them one server.
type tunnel struct {
	mu    sync.Mutex
	asked []string // names, in the order of first use
}

func (p *tunnel) Resolve(ctx context.Context, name string) (context.Context, net.IP, error) {
	if !strings.HasSuffix(name, ".test") {
		return ctx, nil, errors.New("no such host")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.asked, name) {
		p.asked = append(p.asked, name)
	}
	return ctx, net.IPv4(127, 0, 0, 1), nil
}

// openTunnel starts the proxy, for a user with a password.
func openTunnel(t *testing.T, server string) (*tunnel, *url.URL) {
	t.Helper()
	p := &tunnel{}
	s := socks5.NewServer(socks5.WithResolver(p),
		socks5.WithCredential(socks5.StaticCredentials{"me": "secret"}),
		socks5.WithDial(func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, server)
		}))
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() { _ = s.Serve(l) }()
	return p, &url.URL{Scheme: "socks5", User: url.UserPassword("me", "secret"), Host: l.Addr().String()}
}

func TestSOCKS(t *testing.T) {
	var asked []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Host+" "+r.RequestURI)
		page(w, r)
	}))
	t.Cleanup(web.Close)
	p, at := openTunnel(t, web.Listener.Addr().String())
	c := client(t, Options{Proxies: Proxies{at}})
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
	if !slices.Equal(p.asked, []string{"www.portal.test"}) {
		t.Errorf("the proxy was asked for %q", p.asked)
	}
	wrong := *at
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
	one, first := openTunnel(t, web.Listener.Addr().String())
	two, second := openTunnel(t, web.Listener.Addr().String())
	c := client(t, Options{Proxies: Proxies{first, second}})
	for i := range 60 {
		if _, err := c.Fetch(t.Context(), &Request{URL: fmt.Sprintf("http://h%d.test/%d", i%20, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(one.asked) == 0 || len(two.asked) == 0 || len(one.asked)+len(two.asked) != 20 {
		t.Errorf("the proxies were asked for %q and %q", one.asked, two.asked)
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

func TestParseProxies(t *testing.T) {
	for _, bad := range []string{"", "10.0.0.1:3128", "ftp://x", "http://", "socks4://x:1", "http://me:secret@[::1", "gopher://me:secret@x"} {
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

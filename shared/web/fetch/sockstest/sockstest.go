// Package sockstest has a SOCKS proxy for tests.
package sockstest

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	socks5 "github.com/things-go/go-socks5"
)

// Proxy is a SOCKS proxy that knows the names below .test, each of them one server.
type Proxy struct {
	URL *url.URL // with the user and password that it wants

	mu    sync.Mutex
	asked []string
}

// New starts a proxy that leads to the address of a server, until the test ends.
func New(t testing.TB, server string) *Proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &Proxy{URL: &url.URL{Scheme: "socks5", User: url.UserPassword("me", "secret"), Host: l.Addr().String()}}
	s := socks5.NewServer(socks5.WithResolver(p),
		socks5.WithCredential(socks5.StaticCredentials{"me": "secret"}),
		socks5.WithDial(func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, server)
		}))
	go func() { _ = s.Serve(l) }()
	return p
}

// Resolve implements socks5.NameResolver.
func (p *Proxy) Resolve(ctx context.Context, name string) (context.Context, net.IP, error) {
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

// Asked returns the names that the proxy was asked for, in the order of first use.
func (p *Proxy) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

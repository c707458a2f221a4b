package render

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"

	netproxy "golang.org/x/net/proxy"

	"sluice/shared/web/fetch"
)

// dialer opens a connection, as net.Dialer.DialContext.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// through returns a dialer whose connections are tunnels of the proxy of each host.
func through(proxies fetch.Proxies, d net.Dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		proxy := proxies.For(host)
		if fetch.Tunnels(proxy) {
			return throughSOCKS(ctx, proxy, &d, address)
		}
		at := proxy.Host
		if proxy.Port() == "" {
			at = net.JoinHostPort(proxy.Hostname(), map[string]string{"http": "80", "https": "443"}[proxy.Scheme])
		}
		c, err := d.DialContext(ctx, network, at)
		if err != nil {
			return nil, err
		}
		if proxy.Scheme == "https" {
			c = tls.Client(c, &tls.Config{ServerName: proxy.Hostname()})
		}
		if err := openTunnel(ctx, c, address, proxy.User); err != nil {
			_ = c.Close()
			return nil, err
		}
		return c, nil
	}
}

// throughSOCKS opens a tunnel of a SOCKS proxy.
func throughSOCKS(ctx context.Context, at *url.URL, d *net.Dialer, address string) (net.Conn, error) {
	socks, err := netproxy.FromURL(at, d)
	if err != nil {
		return nil, err
	}
	c, ok := socks.(netproxy.ContextDialer) // as all of the package are
	if !ok {
		return nil, fmt.Errorf("dial through %s: no context", at.Redacted())
	}
	return c.DialContext(ctx, "tcp", address)
}

// openTunnel asks a proxy to connect to an address.
func openTunnel(ctx context.Context, c net.Conn, address string, user *url.Userinfo) error {
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	r := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if password, ok := user.Password(); ok {
		r.SetBasicAuth(user.Username(), password)
		r.Header["Proxy-Authorization"] = r.Header["Authorization"]
		r.Header.Del("Authorization")
	}
	if err := r.Write(c); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(oneByte{c}, 16), r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("proxy answers %s", answer.Status)
	}
	return nil
}

// oneByte reads no more than it is asked for: what follows the answer is not the
// proxy's.
type oneByte struct{ net.Conn }

func (c oneByte) Read(b []byte) (int, error) { return c.Conn.Read(b[:min(len(b), 1)]) }

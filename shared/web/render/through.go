package render

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// dialer opens a connection, as net.Dialer.DialContext.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// through returns a dialer whose connections are tunnels of an HTTP proxy.
func through(proxy *url.URL, d net.Dialer) dialer {
	at := proxy.Host
	if proxy.Port() == "" {
		at = net.JoinHostPort(proxy.Hostname(), map[string]string{"http": "80", "https": "443"}[proxy.Scheme])
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
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

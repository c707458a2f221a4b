package fetch

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"sluice/shared/fault"
)

func TestGuardCheckURL(t *testing.T) {
	g := allow(t, "127.0.0.1:8080", "http://localhost/", "[::1]:9000", "https://Intra.local/x", "seed.local:443", "seed.internal:80")
	tests := []struct {
		url  string
		rule string
	}{
		{"http://example.org/", ""},
		{"https://example.org:8443/a", ""},
		{"http://8.8.8.8:81/", ""},
		{"http://114.114.114.114/", ""},
		{"http://[2408:8000::1]/", ""},
		{"http://1.2.3.4.example.org/", ""},
		{"http://mylocalhost/", ""},
		{"http://internal.example.org/", ""},

		{"http://127.0.0.1:8080/", ""},
		{"http://localhost/", ""},
		{"http://LOCALHOST./", ""},
		{"http://[0:0::1]:9000/", ""},
		{"https://intra.local/", ""},
		{"https://seed.local/", ""},
		{"http://seed.internal/", ""},
		{"http://seed.local/", "address"},
		{"https://seed.internal/", "address"},
		{"http://127.0.0.1:8081/", "address"},
		{"https://localhost/", "address"},
		{"http://[::1]/", "address"},
		{"http://intra.local/", "address"},

		{"http://127.1.2.3/", "address"},
		{"http://127.0.0.1./", "address"},
		{"http://127.1/", "address"},
		{"http://2130706433/", "address"},
		{"http://0x7f000001/", "address"},
		{"http://0x7f.1/", "address"},
		{"http://0177.0.0.1/", "address"},
		{"http://0/", "address"},
		{"http://0x/", "address"},
		{"http://0.0.0.0/", "address"},
		{"http://10.0.0.1/", "address"},
		{"http://172.16.5.4/", "address"},
		{"http://192.168.1.1/", "address"},
		{"http://100.64.0.1/", "address"},
		{"http://169.254.169.254/latest/meta-data/", "address"},
		{"http://224.0.0.1/", "address"},
		{"http://255.255.255.255/", "address"},
		{"http://1.2.3.4.5/", "address"},
		{"http://1.2.3.999/", "address"},
		{"http://4294967296/", "address"},
		{"http://foo.09/", "address"},
		{"http://[::ffff:127.0.0.1]/", "address"},
		{"http://[::ffff:8.8.8.8]/", "address"},
		{"http://[::7f00:1]/", "address"},
		{"http://[64:ff9b::a9fe:a9fe]/", "address"},
		{"http://[2002:7f00:1::]/", "address"},
		{"http://[fe80::1%25eth0]/", "address"},
		{"http://[fd00::1]/", "address"},
		{"http://[fd00:ec2::254]/", "address"},
		{"http://[::]/", "address"},
		{"http://a.localhost/", "address"},
		{"http://metadata.google.internal/", "address"},
		{"http://user:pw@127.0.0.1/", "address"},
		{`http://example.org\@127.0.0.1/`, ""}, // the backslash ends the host
		{"http://example.org@127.0.0.1/", "address"},

		{"file:///etc/passwd", "bad_url"},
		{"javascript:alert(1)", "bad_url"},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			err := g.CheckURL(tt.url)
			if tt.rule == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantFault(t, err, fault.Permanent, tt.rule)
		})
	}
}

// Numbers are read as inet_aton reads them: 0177 is 127, and the last part fills
// what the others leave.
func TestParseIPv4(t *testing.T) {
	for _, tt := range []struct{ host, want string }{
		{"1.2.3.4", "1.2.3.4"},
		{"0177.0.0.1", "127.0.0.1"},
		{"010.8.8.8", "8.8.8.8"},
		{"0x7f.0.0.0x1", "127.0.0.1"},
		{"0X7F.1", "127.0.0.1"},
		{"0", "0.0.0.0"},
		{"0x", "0.0.0.0"},
		{"00", "0.0.0.0"},
		{"255.255.255.255", "255.255.255.255"},
		{"1.2.3.256", ""},
		{"256.2.3.4", ""},
		{"1.2.65535", "1.2.255.255"},
		{"1.2.65536", ""},
		{"1.16777215", "1.255.255.255"},
		{"1.16777216", ""},
		{"4294967295", "255.255.255.255"},
		{"4294967296", ""},
		{"08.1.1.1", ""},
		{"0x100.1", ""},
		{"1.2.3.4.5", ""},
		{"1..2", ""},
		{"a.1", ""},
	} {
		ip, ok := parseIPv4(tt.host)
		if got := ip.String(); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("parseIPv4(%q) = %s, %v, want %q", tt.host, got, ok, tt.want)
		}
	}
}

func TestNewGuardRefuses(t *testing.T) {
	for _, s := range []string{"", "localhost", ":80", "a:http", "a:99999", "ftp://a/", "http://"} {
		if _, err := NewGuard(s); err == nil {
			t.Errorf("took %q", s)
		}
	}
}

// resolver answers every A query with one address.
func resolver(t *testing.T, ip [4]byte) *net.Resolver {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buf := make([]byte, 512)
		for {
			n, peer, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(dnsAnswer(buf[:n], ip), peer)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// dnsAnswer turns a query into its answer: ip for type A, nothing for others,
// and "no such name" when ip is zero.
func dnsAnswer(query []byte, ip [4]byte) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5
	out := append([]byte(nil), query[:end]...)
	binary.BigEndian.PutUint16(out[2:], 0x8180)
	clear(out[6:12])
	switch {
	case ip == [4]byte{}:
		out[3] |= 3
	case out[end-3] == 1:
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4)
		out = append(out, ip[:]...)
	}
	return out
}

// TestGuardResolved has DNS name an inside address: nothing may connect.
func TestGuardResolved(t *testing.T) {
	var hits atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		page(w, r)
	}))
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	named := "http://named.example.test:" + port
	o := Options{Guard: allow(t, named)}.withDefaults()
	c := client(t, o)
	c.transport = newTransport(o, net.Dialer{Resolver: resolver(t, [4]byte{127, 0, 0, 1})})
	t.Cleanup(c.Close)

	_, err = c.Fetch(t.Context(), &Request{URL: "http://rebound.example.test:" + port})
	wantFault(t, err, fault.Permanent, "address")
	if hits.Load() != 0 {
		t.Fatal("the inside server was asked")
	}
	if _, err = c.Fetch(t.Context(), &Request{URL: named}); err != nil || hits.Load() != 1 {
		t.Errorf("a name of the configuration: %v", err)
	}
}

func TestFetchDNS(t *testing.T) {
	o := Options{}.withDefaults()
	c := client(t, o)
	c.transport = newTransport(o, net.Dialer{Resolver: resolver(t, [4]byte{})})
	_, err := c.Fetch(t.Context(), &Request{URL: "http://nowhere.example.test/"})
	wantFault(t, err, fault.Permanent, "dns")

	c.transport = newTransport(o, net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no server")
	}}})
	_, err = c.Fetch(t.Context(), &Request{URL: "http://nowhere.example.test/"})
	wantFault(t, err, fault.Retryable, "dns")
}

func FuzzGuardCheckURL(f *testing.F) {
	for _, s := range []string{"http://0x7f.1/", "http://[::ffff:7f00:1]:80/a?b#c", "https://user@host.example:1/", "http://1.2.3.4.5", "http://a//b"} {
		f.Add(s)
	}
	g := allow(f)
	f.Fuzz(func(t *testing.T, raw string) {
		err := g.CheckURL(raw)
		if err != nil && fault.Of(err).Class != fault.Permanent {
			t.Errorf("%q: %v", raw, err)
		}
		if err != nil {
			return
		}
		target, err := parseTarget(raw)
		if err != nil {
			t.Fatalf("%q: allowed but %v", raw, err)
		}
		if ip := net.ParseIP(target.host); ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()) {
			t.Errorf("%q: allowed to go to %s", raw, ip)
		}
	})
}

package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"

	"sluice/shared/fault"
)

// Guard keeps the crawl out of its own network: loopback, private, link-local,
// shared, reserved and metadata addresses, IPv4 in any spelling or wrapped in
// IPv6. Names are checked by the address they resolve to when connecting, so
// that a name whose address changes does not get through. Ports are not
// restricted. A Guard does not change and is safe for concurrent use.
type Guard struct {
	allowed map[string]bool // by authority
	public  *ssrf.Guardian
}

// NewGuard returns a guard that allows the named authorities, each "host:port"
// or an http or https URL: deliberate exceptions, such as a seed on loopback.
// It fails on an entry that it cannot read.
func NewGuard(allow ...string) (*Guard, error) {
	g := &Guard{allowed: make(map[string]bool, len(allow)), public: ssrf.New(ssrf.WithAnyPort())}
	for _, a := range allow {
		authority, err := readAuthority(a)
		if err != nil {
			return nil, fmt.Errorf("read allowed address %q: %w", a, err)
		}
		g.allowed[authority] = true
	}
	return g, nil
}

func readAuthority(s string) (string, error) {
	if strings.Contains(s, "://") {
		t, err := splitURL(s)
		if err != nil {
			return "", err
		}
		return t.authority(), nil
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", err
	}
	if !isPort(port) || host == "" {
		return "", errors.New("not host:port")
	}
	return joinAuthority(host, port), nil
}

// CheckURL refuses, without a DNS lookup, a URL whose host is a private address
// or a name for one (localhost, *.localhost, *.local, *.internal). The error is
// Permanent: "address", or "bad_url" if raw is not an http URL. It is for links
// before they are queued; HTTP checks again.
func (g *Guard) CheckURL(raw string) error {
	t, err := parseTarget(raw)
	if err != nil {
		return err
	}
	return g.check(t)
}

func (g *Guard) check(t *target) error {
	if g.allowed[t.authority()] {
		return nil
	}
	if err := g.checkHost(t.host); err != nil {
		return fault.New(fault.Permanent, "address", fmt.Errorf("refuse host %s: %w", t.host, err))
	}
	return nil
}

func (g *Guard) checkHost(host string) error {
	host = strings.TrimSuffix(host, ".")
	for _, name := range []string{"localhost", "local", "internal"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return errors.New("the name means a private address")
		}
	}
	if strings.Contains(host, ":") {
		ip, err := netip.ParseAddr(host)
		if err != nil {
			return err
		}
		return g.public.SafeAddr(ip)
	}
	if !endsInNumber(host) {
		return nil
	}
	ip, ok := parseIPv4(host)
	if !ok {
		return errors.New("not a valid IPv4 address")
	}
	return g.public.SafeAddr(ip)
}

// Dialer returns a dial function: d with the guard's check, which
// the exceptions skip.
func (g *Guard) Dialer(d net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	open, guarded := d, d
	guarded.Control = g.public.Safe
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err == nil && g.allowed[joinAuthority(host, port)] {
			return open.DialContext(ctx, network, addr)
		}
		return guarded.DialContext(ctx, network, addr)
	}
}

// endsInNumber reports whether WHATWG takes the host for an IPv4 address: by
// its last label.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if _, ok := parseIPv4Part(last); ok {
		return true
	}
	return strings.Trim(last, "0123456789") == ""
}

// parseIPv4 reads the spellings of inet_aton: one to four parts, decimal, octal
// (0177) or hexadecimal (0x7f), the last one filling the remaining bytes.
func parseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, p := range parts {
		n, ok := parseIPv4Part(p)
		width := 8
		if i == len(parts)-1 {
			width = 8 * (5 - len(parts))
		}
		if !ok || n >= 1<<width {
			return netip.Addr{}, false
		}
		sum = sum<<width | n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func parseIPv4Part(s string) (n uint64, ok bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
		if s == "" {
			return 0, true
		}
	case strings.HasPrefix(s, "0"):
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

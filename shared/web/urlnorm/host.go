package urlnorm

import (
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// RegistrableDomain returns the registered part of a host name: the public
// suffix and one label ("news.sina.com.cn" → "sina.com.cn"), in punycode and
// lower case. It returns an IP address, a name of one label, a public suffix
// and an invalid name unchanged, in canonical spelling if there is one.
func RegistrableDomain(host string) string {
	name, err := canonicalHost(host)
	if err != nil {
		return host
	}
	if !strings.Contains(name, ".") {
		return name
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil { // itself a public suffix
		return name
	}
	return domain
}

// Literal returns the address if a host, with or without the brackets of IPv6,
// is one in any spelling of the URL standard: 127.0.0.1, 0x7f.1, 2130706433,
// ::1. It returns IPv4 mapped into IPv6 as IPv4, and drops zones, so that
// address guards see the address to be connected to.
func Literal(host string) (netip.Addr, bool) {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	name, err := canonicalHost(host)
	if err != nil {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(name)
	return addr.Unmap(), err == nil
}

// canonicalHost returns a host as URL.Host spells it.
func canonicalHost(host string) (string, error) {
	if plainHost(host) {
		return host, nil
	}
	if strings.ContainsAny(host, "/\\?#@") {
		return "", fmt.Errorf("%w: host %.100q", errSyntax, host)
	}
	if strings.Contains(host, ":") {
		if !strings.HasPrefix(host, "[") {
			host = "[" + host + "]"
		}
		if !strings.HasSuffix(host, "]") {
			return "", fmt.Errorf("%w: host %.100q with a port", errSyntax, host)
		}
	}
	u, err := Parse("http://" + host + "/")
	return u.Host(), err
}

// HostOf returns the host, without its port, of a URL in canonical form.
func HostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if v6, ok := strings.CutPrefix(rest, "["); ok {
		host, _, _ := strings.Cut(v6, "]")
		return host
	}
	host, _, _ := strings.Cut(rest, ":")
	return host
}

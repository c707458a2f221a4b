package fetch

import (
	"cmp"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"sluice/shared/fault"
)

// target is a URL split for the request. Path and query are byte for byte those
// of the caller: net/url would refuse "%zz" and rewrite "a|b%2Fc", both of
// which WHATWG URLs contain.
type target struct {
	scheme string
	host   string // lower case, without brackets
	port   string // never empty
	rest   string // path and query, begins with "/"
	url    *url.URL
}

// parseTarget splits a URL in WHATWG form. Its errors are Permanent, "bad_url".
func parseTarget(raw string) (*target, error) {
	t, err := splitURL(raw)
	if err != nil {
		return nil, fault.New(fault.Permanent, "bad_url", err)
	}
	return t, nil
}

func splitURL(raw string) (*target, error) {
	for i := range len(raw) {
		if raw[i] <= ' ' || raw[i] >= 0x7f {
			return nil, errors.New("URL with a space, control or non-ASCII byte")
		}
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	scheme = strings.ToLower(scheme)
	if !ok || scheme != "http" && scheme != "https" {
		return nil, errors.New("URL is not absolute http or https")
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, `/\?`)
	if end < 0 {
		end = len(rest)
	}
	authority, rest := rest[:end], rest[end:]
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	u, err := url.Parse(scheme + "://" + authority)
	if err != nil {
		return nil, err
	}
	t := &target{scheme: scheme, host: strings.ToLower(u.Hostname()), port: u.Port(), rest: rest, url: u}
	if t.host == "" {
		return nil, errors.New("URL without a host")
	}
	t.port = cmp.Or(t.port, defaultPort(scheme))
	if !isPort(t.port) {
		return nil, errors.New("URL with a port over 65535")
	}
	u.User = nil
	return t, t.setPath()
}

// setPath makes net/http write t.rest unchanged. Opaque does that, except for a
// leading "//", which it would take for an authority.
func (t *target) setPath() error {
	if !strings.HasPrefix(t.rest, "//") {
		t.url.Opaque = t.rest
		return nil
	}
	u, err := t.url.Parse(t.scheme + "://" + t.url.Host + t.rest)
	if err != nil {
		return err
	}
	t.url = u
	return nil
}

// viaProxy turns the request line to the absolute form an HTTP proxy expects.
func (t *target) viaProxy() {
	if t.url.Opaque != "" {
		t.url.Opaque = "//" + t.url.Host + t.rest
	}
}

// authority returns host:port, the key of the guard's exceptions.
func (t *target) authority() string { return joinAuthority(t.host, t.port) }

func joinAuthority(host, port string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.String()
	}
	return net.JoinHostPort(host, port)
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

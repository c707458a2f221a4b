package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// Proxies are proxies through which all requests go; they resolve the names then. A
// host stays with one of them.
type Proxies []*url.URL

// ParseProxies reads URLs such as http://HOST:PORT or socks5://USER:PASSWORD@HOST:PORT.
func ParseProxies(raw ...string) (Proxies, error) {
	var p Proxies
	for _, text := range raw {
		u, err := url.Parse(text)
		if err != nil { // which quotes the password
			return nil, fmt.Errorf("number %d is not http://HOST:PORT or socks5://HOST:PORT", len(p)+1)
		}
		p = append(p, u)
	}
	return p, p.check()
}

func (p Proxies) check() error {
	for _, u := range p {
		switch u.Scheme {
		case "http", "https", "socks5", "socks5h":
			if u.Hostname() != "" && (u.Port() == "" || isPort(u.Port())) {
				continue
			}
		}
		return fmt.Errorf("%q is not http://HOST:PORT or socks5://HOST:PORT", redacted(u))
	}
	return nil
}

// redacted is a URL without its password, also one without "//".
func redacted(u *url.URL) string {
	if at := strings.LastIndexByte(u.Opaque, '@'); at >= 0 {
		return u.Scheme + ":xxxxx" + u.Opaque[at:]
	}
	return u.Redacted()
}

// isPort reports whether a text is the number of a port.
func isPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// For returns the proxy of a host, nil if there are none. When a proxy is added or removed,
// a host only moves to it or from it. Providers tell some apart by the user alone.
func (p Proxies) For(host string) *url.URL {
	var best *url.URL
	var most uint64
	for _, u := range p {
		name := u.Host
		if user := u.User.Username(); user != "" {
			name = user + "@" + name
		}
		if score := xxh3.HashString(strings.ToLower(host) + " " + name); best == nil || score > most {
			best, most = u, score
		}
	}
	return best
}

// Of is For as the Proxy of an http.Transport.
func (p Proxies) Of(r *http.Request) (*url.URL, error) { return p.For(r.URL.Hostname()), nil }

// Open returns the URLs, with a space between them; "" if one has a password, which is
// written nowhere.
func (p Proxies) Open() string {
	var all []string
	for _, u := range p {
		if u.User != nil {
			return ""
		}
		all = append(all, u.String())
	}
	return strings.Join(all, " ")
}

// Tunnels reports whether a proxy only carries connections, and sees no request.
func Tunnels(proxy *url.URL) bool { return strings.HasPrefix(proxy.Scheme, "socks") }

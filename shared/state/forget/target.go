// Package forget decides what of a crawl is about a page that has to go, and
// takes it out of the records in which crawls are kept: lines of JSON and WARC
// segments. Adapters bring the records, and keep the List by which a crawl
// refuses such a page for good.
package forget

import (
	"errors"
	"fmt"
	"strings"

	"sluice/shared/web/urlnorm"
)

// ErrTarget says that a text names neither a URL nor a host.
var ErrTarget = errors.New("neither a URL nor a host")

// scheme is the one that places are parsed with where the scheme makes no
// difference.
const scheme = "http://"

// kind is what a place is.
type kind string

const (
	onePage   kind = "url"    // one URL, whatever its scheme
	onePort   kind = "port"   // a host on one port
	oneHost   kind = "host"   // a host on every port
	subdomain kind = "domain" // a host and its subdomains
)

// place is where pages lie: a URL without its scheme, or a host.
type place struct {
	kind kind
	name string
}

// Target is what a user wants to be forgotten.
type Target struct {
	place
	text string
}

// String returns the target as the user named it.
func (t Target) String() string { return t.text }

// IsHost reports whether the target is a host, and not one URL.
func (t Target) IsHost() bool { return t.kind != onePage }

// Parse reads a target:
//
//	https://x.cn/a.html   one URL in any spelling, with http or https
//	news.x.cn             a host, on every port; news.x.cn:8080 on that port only
//	*.x.cn                a host and its subdomains
//
// These are the entries of a topic's scope, but that x.cn is that host alone.
// Errors wrap ErrTarget.
func Parse(text string) (Target, error) {
	name := strings.TrimSpace(text)
	if strings.Contains(name, "://") {
		u, err := urlnorm.Parse(name)
		if err != nil {
			return Target{}, fmt.Errorf("%w: %w", ErrTarget, err)
		}
		return Target{pageOf(u), text}, nil
	}
	host, below := strings.CutPrefix(name, "*.")
	u, err := urlnorm.Parse(scheme + host)
	if err != nil || strings.ContainsAny(host, "/\\?#@*") {
		return Target{}, fmt.Errorf(`%w: %q (want "https://x.cn/a.html", "news.x.cn" or "*.x.cn")`, ErrTarget, text)
	}
	_, isAddress := urlnorm.Literal(u.Host())
	hasPort := strings.LastIndexByte(host, ':') > strings.LastIndexByte(host, ']')
	switch {
	case below && (isAddress || hasPort):
		return Target{}, fmt.Errorf("%w: %q: an address or a port has no subdomains", ErrTarget, text)
	case below:
		return Target{place{subdomain, u.Host()}, text}, nil
	case hasPort:
		// 443 is not the default port of the scheme it was parsed with.
		return Target{place{onePort, strings.TrimSuffix(u.Authority(), ":443")}, text}, nil
	}
	return Target{place{oneHost, u.Host()}, text}, nil
}

// ParseAll reads several targets, and reports all that are none.
func ParseAll(texts []string) ([]Target, error) {
	targets := make([]Target, len(texts))
	errs := make([]error, len(texts))
	for i, text := range texts {
		targets[i], errs[i] = Parse(text)
	}
	return targets, errors.Join(errs...)
}

// pageOf is the place of one URL.
func pageOf(u urlnorm.URL) place {
	_, rest, _ := strings.Cut(u.String(), "://")
	return place{onePage, rest}
}

// around returns the places that a page lies in, itself first.
func around(u urlnorm.URL) []place {
	places := append(make([]place, 0, 8), pageOf(u), place{onePort, u.Authority()})
	return append(places, hostPlaces(u.Host())...)
}

// hostPlaces returns the places that a whole host lies in.
func hostPlaces(host string) []place {
	places := []place{{oneHost, host}}
	for name, more := host, true; more; _, name, more = strings.Cut(name, ".") {
		places = append(places, place{subdomain, name})
	}
	return places
}

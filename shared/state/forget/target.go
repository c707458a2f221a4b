// Package forget removes pages from the records of a crawl, lines of JSON and WARC
// files. Adapters have the records, and the List by which a crawl refuses such
// pages for good.
package forget

import (
	"errors"
	"fmt"
	"strings"

	"sluice/shared/web/urlnorm"
)

// ErrTarget says that a text names neither a URL nor a host.
var ErrTarget = errors.New("neither a URL nor a host")

// scheme is used to parse places, which have none.
const scheme = "http://"

// kind is what a place is.
type kind string

const (
	onePage   kind = "url"    // one URL, with any scheme
	onePort   kind = "port"   // a host on one port
	oneHost   kind = "host"   // a host on every port
	subdomain kind = "domain" // a host and its subdomains
)

// place is a URL without its scheme, or a host.
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
// A topic's scope has the same entries, but there x.cn includes its subdomains.
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

// ParseAll reads several targets, and reports all that are invalid.
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

// around returns the places that contain a page, itself first.
func around(u urlnorm.URL) []place {
	places := append(make([]place, 0, 8), pageOf(u), place{onePort, u.Authority()})
	return append(places, hostPlaces(u.Host())...)
}

// hostPlaces returns the places that contain a whole host.
func hostPlaces(host string) []place {
	places := []place{{oneHost, host}}
	for name, more := host, true; more; _, name, more = strings.Cut(name, ".") {
		places = append(places, place{subdomain, name})
	}
	return places
}

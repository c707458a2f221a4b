package urlnorm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/fault"
)

// Mode says which URLs a crawl takes, seen from its seeds.
type Mode string

// The modes. All ignore schemes.
const (
	ModeHost   Mode = "host"   // those on a seed's host and port; x.cn is www.x.cn, too
	ModeDomain Mode = "domain" // those on hosts of a seed's registrable domain
	ModePrefix Mode = "prefix" // those in the directory of a seed, or below it
	ModeAny    Mode = "any"    // all
)

// Scope decides whether a URL belongs to a crawl. It is immutable.
type Scope struct {
	any     bool
	in, out places
}

// NewScope returns the scope of a crawl: mode and allow add URLs, deny removes
// them. Entries of both lists are
//
//	news.x.cn           a host, on every port; news.x.cn:8080 on that port only
//	x.cn                a registrable domain: the host and its subdomains
//	*.news.x.cn         any host and its subdomains
//	https://x.cn/dir/   a URL prefix: URLs, http or https, that begin so
//	x.cn/*/print        a whole URL of http or https, "*" for any text
//	*.x.cn/tag/         the same; all below a path that ends in "/"
//	/print/*, */tag/*   a path and query on every host; "*/" for any folder
//	regexp:[?&]sort=    an RE2 expression, found anywhere in the URL
//
// Without seeds and allow, every mode but any contains nothing. The error joins
// all bad entries by name.
func NewScope(mode Mode, seeds []URL, allow, deny []string) (*Scope, error) {
	s := &Scope{any: mode == ModeAny, in: newPlaces(), out: newPlaces()}
	var errs []error
	switch mode {
	case ModeHost, ModeDomain, ModePrefix, ModeAny:
	default:
		errs = append(errs, fmt.Errorf("unknown scope mode %q: want host, domain, prefix or any", mode))
	}
	for i, seed := range seeds {
		if seed.IsZero() {
			errs = append(errs, fmt.Errorf("seed %d is not a URL", i+1))
			continue
		}
		s.in.addSeed(mode, seed)
	}
	for _, entry := range allow {
		if err := s.in.addEntry(entry); err != nil {
			errs = append(errs, fmt.Errorf("allow entry %q: %w", fault.Clip(entry, MaxShown), err))
		}
	}
	for _, entry := range deny {
		if err := s.out.addEntry(entry); err != nil {
			errs = append(errs, fmt.Errorf("deny entry %q: %w", fault.Clip(entry, MaxShown), err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return s, nil
}

// Contains reports whether u is in scope. The zero URL never is.
func (s *Scope) Contains(u URL) bool {
	return !u.IsZero() && (s.any || s.in.contain(u)) && !s.out.contain(u)
}

// Denies reports whether an entry of the deny list fits u.
func (s *Scope) Denies(u URL) bool { return s.out.contain(u) }

// places is a set of URLs, described by their places.
type places struct {
	authorities map[string]bool
	hosts       map[string]bool
	domains     map[string]bool // with their subdomains
	prefixes    []string        // of URLs without "scheme://"
	patterns    []pattern
}

func newPlaces() places {
	return places{authorities: map[string]bool{}, hosts: map[string]bool{}, domains: map[string]bool{}}
}

func (p *places) contain(u URL) bool {
	host := u.Host()
	if p.authorities[u.Authority()] || p.hosts[host] || p.containSubdomain(host) {
		return true
	}
	for _, prefix := range p.prefixes {
		if strings.HasPrefix(u.withoutScheme(), prefix) {
			return true
		}
	}
	return slices.ContainsFunc(p.patterns, func(p pattern) bool { return p.match(u) })
}

// containSubdomain reports whether a host is of one of the domains.
func (p *places) containSubdomain(host string) bool {
	for name, more := host, true; more; _, name, more = strings.Cut(name, ".") {
		if p.domains[name] {
			return true
		}
	}
	return false
}

func (p *places) addSeed(mode Mode, seed URL) {
	switch mode {
	case ModeHost:
		p.authorities[seed.Authority()] = true
		switch host, domain := seed.Host(), RegistrableDomain(seed.Host()); host {
		case domain:
			p.authorities["www."+seed.Authority()] = true
		case "www." + domain:
			p.authorities[strings.TrimPrefix(seed.Authority(), "www.")] = true
		}
	case ModeDomain:
		p.domains[RegistrableDomain(seed.Host())] = true
	case ModePrefix:
		directory := seed.Path()[:strings.LastIndexByte(seed.Path(), '/')+1]
		p.prefixes = append(p.prefixes, seed.Authority()+directory)
	}
}

func (p *places) addEntry(entry string) error {
	if text, ok := strings.CutPrefix(strings.TrimSpace(entry), "regexp:"); ok {
		return p.addPattern(parseExpression(text)) // a "#" of it begins no fragment
	}
	entry = trim(entry)
	name, subdomains := strings.CutPrefix(entry, "*.")
	switch {
	case entry == "":
		return errors.New("is empty")
	case strings.HasPrefix(entry, "/"),
		strings.Contains(entry, "*") && (!subdomains || strings.ContainsAny(name, "*/")):
		return p.addPattern(parseGlob(entry))
	case strings.Contains(entry, "://"):
		return p.addPrefix(entry)
	}
	u, err := Parse("http://" + name)
	if err != nil || u.Path() != "/" || u.Query() != "" || strings.ContainsAny(name, "/\\?@") {
		return errors.New(`want a host ("news.x.cn"), a domain ("x.cn", "*.x.cn"), a URL prefix ("https://x.cn/dir/"), a pattern ("x.cn/*/print", "/print/*") or "regexp:" and an expression`)
	}
	host := u.Host()
	_, isAddress := Literal(host)
	hasPort := strings.LastIndexByte(name, ':') > strings.LastIndexByte(name, ']')
	switch {
	case subdomains && (isAddress || hasPort):
		return errors.New("an address or a port has no subdomains")
	case hasPort:
		// 443 is not the default port of the scheme it was parsed with.
		p.authorities[strings.TrimSuffix(u.Authority(), ":443")] = true
	case subdomains, !isAddress && RegistrableDomain(host) == host:
		p.domains[host] = true
	default:
		p.hosts[host] = true
	}
	return nil
}

func (p *places) addPattern(added pattern, err error) error {
	p.patterns = append(p.patterns, added)
	return err
}

func (p *places) addPrefix(entry string) error {
	u, err := Parse(entry)
	if err != nil {
		return err
	}
	p.prefixes = append(p.prefixes, u.withoutScheme())
	return nil
}

// withoutScheme returns u from the authority on.
func (u URL) withoutScheme() string { return u.s[u.auth:] }

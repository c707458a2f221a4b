package plan

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"sluice/shared/fault"
	"sluice/shared/web/credentials"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// ErrNoContact says that a crawl would fetch from a server without giving its
// owner a contact.
var ErrNoContact = errors.New("no contact")

// demoDomain is the domain of package demo's hosts.
const demoDomain = "demo.test"

// Manners are the contact of a crawl and the addresses that it may fetch.
type Manners struct {
	Contact   string            // URL or e-mail for the User-Agent; "" only at home
	Name      string            // the operator's for the crawler, in front of the User-Agent; "": none
	Version   string            // of sluice, for the User-Agent
	Proxies   fetch.Proxies     // nil: none
	Transport http.RoundTripper // replaces the network; nil: the network
	Inside    []string          // private addresses that are allowed: URLs or hosts
	Secrets   *credentials.Set  // of hosts; nil: none
	MaxPage   int64             // bytes of a page, as transferred and decoded; 0: as many as package fetch takes
}

// Visitor is a client that keeps its manners, and cookies. Close it.
type Visitor struct {
	fetch.Client
	Guard     *fetch.Guard
	UserAgent string
	close     func()
}

// Visitor returns a client for a crawl that starts at seeds. Without a contact
// these must be on this machine or in the demo.
func (m *Manners) Visitor(seeds []urlnorm.URL) (*Visitor, error) {
	if m.Contact == "" {
		for _, u := range seeds {
			if !IsHome(u) {
				return nil, fmt.Errorf("%w: %s is a public server: tell its owner how to reach you, with --contact or SLUICE_CONTACT (a URL or an e-mail address)", ErrNoContact, u.Host())
			}
		}
	}
	agent, err := fetch.UserAgent(m.Name, m.Version, m.Contact)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoContact, err)
	}
	guard, err := fetch.NewGuard(m.Inside...)
	if err != nil {
		return nil, fmt.Errorf("guard addresses: %w", err)
	}
	client, err := fetch.New(fetch.Options{
		UserAgent: agent, Proxies: m.Proxies, Transport: m.Transport, Guard: guard, MaxRaw: m.MaxPage, MaxDecoded: m.MaxPage,
	})
	if err != nil {
		return nil, err
	}
	v := &Visitor{Client: credentials.Client{Client: fetch.NewJars(client), Set: m.Secrets}, Guard: guard, UserAgent: agent, close: client.Close}
	if m.Contact == "" {
		v.Client = homeClient{v.Client}
	}
	return v, nil
}

// Close closes the connections.
func (v *Visitor) Close() { v.close() }

// Inside returns the seeds that are private addresses: naming one as a seed
// permits it.
func Inside(seeds []urlnorm.URL) []string {
	var named []string
	for _, u := range seeds {
		if _, literal := urlnorm.Literal(u.Host()); literal || isLoopback(u) {
			named = append(named, u.String())
		}
	}
	return named
}

// IsHome reports whether a URL is on this machine or in the demo, where no
// contact is needed.
func IsHome(u urlnorm.URL) bool {
	host := u.Host()
	return isLoopback(u) || host == demoDomain || strings.HasSuffix(host, "."+demoDomain)
}

func isLoopback(u urlnorm.URL) bool {
	host := u.Host()
	if addr, ok := urlnorm.Literal(host); ok {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// homeClient keeps a crawl without a contact on this machine and the demo, even
// after redirects, for instance of a robots.txt.
type homeClient struct{ fetch.Client }

// Fetch implements fetch.Client.
func (c homeClient) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	if err := AtHome(r.URL); err != nil {
		return nil, err
	}
	return c.Client.Fetch(ctx, r)
}

// AtHome refuses URLs that may not be fetched without a contact.
func AtHome(address string) error {
	if u, err := urlnorm.Parse(address); err != nil || !IsHome(u) {
		return fault.New(fault.Permanent, "contact", fmt.Errorf("fetch %s: %w", address, ErrNoContact))
	}
	return nil
}

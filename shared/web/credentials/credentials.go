// Package credentials adds what hosts ask for before they show their pages: headers, and a
// user with a password. They are sent to these hosts alone, and kept nowhere.
package credentials

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/net/publicsuffix"

	"sluice/shared/schema"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

// Limits of a file.
const (
	maxHosts   = 1_000
	maxHeaders = 50
)

var format = schema.Format{
	Name: "a file of credentials", Holds: "hosts and their headers", Needs: "a host",
	MaxBytes: 1 << 20, MaxFields: maxHosts * 10, MaxTokens: 100_000,
}

// Set has the credentials of hosts. It does not change and is safe for concurrent use. A
// nil Set has none.
type Set struct{ entries []entry } // the most specific first

// entry has the headers of one host, or of all below a domain.
type entry struct {
	host   string // without a port; of a domain with the "." before it
	port   string // "" for any
	plain  bool   // they may be sent over http
	header http.Header
}

// Parse reads a file; errors call it name. A file is a YAML mapping of hosts to user and
// password, headers or both:
//
//	intranet.example.org: {user: me, password: secret}
//	"*.example.com": {headers: {X-Api-Key: secret}}
//	http://localhost:8080: {user: me, password: secret}
//
// A host may have a port. "*." stands for the subdomains of a domain. The most specific
// entry of a host counts. Only an entry that begins with http:// is sent over http, too.
// No problem quotes a value.
func Parse(name string, data []byte) (*Set, error) {
	r := &reader{Reader: schema.Reader{File: name}}
	if root, ok := r.YAML(data, format); ok {
		r.hosts(root)
	}
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	slices.SortStableFunc(r.set.entries, func(a, b entry) int {
		return cmp.Or(-cmp.Compare(len(a.host), len(b.host)), -cmp.Compare(a.port, b.port))
	})
	return &r.set, nil
}

// For returns the headers for a request, nil for none. They must not be modified.
func (s *Set) For(u urlnorm.URL) http.Header {
	if s == nil {
		return nil
	}
	for i := range s.entries {
		if e := &s.entries[i]; e.fits(u) {
			return e.header
		}
	}
	return nil
}

func (e *entry) fits(u urlnorm.URL) bool {
	if u.Scheme() == "http" && !e.plain || e.port != "" && e.port != portOf(u) {
		return false
	}
	return u.Host() == e.host || e.host[0] == '.' && strings.HasSuffix(u.Host(), e.host)
}

// same reports whether two entries are of the same requests.
func (e *entry) same(o entry) bool { return e.host == o.host && e.port == o.port && e.plain == o.plain }

// portOf returns the port of a URL, also one that it leaves out.
func portOf(u urlnorm.URL) string {
	authority := u.Authority()
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		return authority[i+1:]
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme()]
}

// reader reads one file.
type reader struct {
	schema.Reader
	set Set
}

func (r *reader) hosts(root schema.Value) {
	fields, ok := r.Fields(root, "the file")
	if !ok {
		return
	}
	if len(fields) > maxHosts {
		r.Fail(schema.Place{}, "%d hosts, at most %d", len(fields), maxHosts)
		return
	}
	for _, f := range fields {
		e, err := readHost(f.Key)
		if err != nil {
			r.Fail(f.Place, "%q: %v", schema.Clip(f.Key), err)
			continue
		}
		if slices.ContainsFunc(r.set.entries, e.same) {
			r.Fail(f.Place, "%q is there already, written otherwise: keep one", schema.Clip(f.Key))
			continue
		}
		e.header = http.Header{}
		r.host(&e, f)
		r.set.entries = append(r.set.entries, e)
	}
}

// host reads the credentials of one host.
func (r *reader) host(e *entry, f schema.Field) {
	var user, password string
	of := "the host " + schema.Clip(f.Key)
	r.Object(of, map[string]schema.Read{
		"user": r.Text(&user, "user", func(user string) error {
			if user == "" || strings.ContainsAny(user, ":\r\n") {
				return errors.New("user must be a name without a colon")
			}
			return nil
		}),
		"password": r.Text(&password, "password", nil),
		"headers":  r.headers(e.header),
	}, func(given map[string]bool) {
		switch {
		case given["user"] != given["password"]:
			r.Fail(f.Place, "%s has a user or a password alone: write both, or neither", of)
		case !given["user"] && !given["headers"]:
			r.Fail(f.Place, "%s has no credentials: write user and password, or headers", of)
		case !given["user"]:
		case len(e.header["Authorization"]) > 0:
			r.Fail(f.Place, "%s has a user and the header Authorization: keep one", of)
		default:
			e.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
		}
	}).From(f.Value)
}

// ours are headers that the crawl sets.
var ours = map[string]bool{
	"Host": true, "User-Agent": true, "Accept-Encoding": true, "Connection": true, "Content-Length": true, "Transfer-Encoding": true,
	"Te": true, "Trailer": true, "Upgrade": true, "Expect": true, "Range": true, "If-Range": true, "If-None-Match": true,
	"If-Modified-Since": true, "Proxy-Authorization": true, "Proxy-Connection": true, "Keep-Alive": true,
}

func (r *reader) headers(into http.Header) schema.Read {
	return schema.Read{From: func(v schema.Value) {
		fields, ok := r.Fields(v, "headers")
		if !ok {
			return
		}
		if len(fields) == 0 || len(fields) > maxHeaders {
			r.Fail(v.Place(), "%d headers: write 1 to %d", len(fields), maxHeaders)
		}
		for _, f := range fields {
			name := http.CanonicalHeaderKey(f.Key)
			var value string
			switch {
			case !httpguts.ValidHeaderFieldName(f.Key):
				r.Fail(f.Place, "%q is no name of a header: it has letters, digits and hyphens", schema.Clip(f.Key))
			case ours[name]:
				r.Fail(f.Place, "the header %s is the crawl's own: remove it", name)
			default:
				r.Text(&value, name, func(value string) error {
					if value == "" || !httpguts.ValidHeaderFieldValue(value) {
						return fmt.Errorf("the value of %s is empty or has a line break or control character", name)
					}
					return nil
				}).From(f.Value)
				into.Add(name, value)
			}
		}
	}}
}

// readHost reads a key of the file.
func readHost(key string) (e entry, err error) {
	name := key
	if scheme, rest, ok := strings.Cut(key, "://"); ok {
		name, e.plain = rest, scheme == "http"
		if scheme != "http" && scheme != "https" {
			name = ""
		}
	}
	name = strings.TrimSuffix(name, "/")
	name, below := strings.CutPrefix(name, "*.")
	u, err := urlnorm.Parse("https://" + name)
	_, isAddress := urlnorm.Literal(u.Host())
	if err != nil || u.Path() != "/" || u.Query() != "" || strings.ContainsAny(name, `/\?#@* `) || below && isAddress {
		return entry{}, errors.New(`write a host, such as example.org, "*.example.org" or http://localhost:8080`)
	}
	e.host = u.Host()
	if strings.LastIndexByte(name, ':') > strings.LastIndexByte(name, ']') {
		e.port = portOf(u)
	}
	if below {
		suffix, official := publicsuffix.PublicSuffix(e.host)
		if suffix == e.host && (official || strings.Contains(suffix, ".")) { // else it is not in the list
			return entry{}, errors.New("anybody can have a host there: name the domain")
		}
		e.host = "." + e.host
	}
	return e, nil
}

// Client adds the credentials of a Set to requests.
type Client struct {
	fetch.Client
	Set *Set
}

// Fetch implements fetch.Client.
func (c Client) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	u, err := urlnorm.Parse(r.URL)
	if err != nil {
		return c.Client.Fetch(ctx, r)
	}
	if h := c.Set.For(u); h != nil {
		with := *r
		with.Secret = h
		r = &with
	}
	return c.Client.Fetch(ctx, r)
}

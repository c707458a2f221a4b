package fetch

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"sluice/shared/memo"
)

// Bounds of the cookies that are kept; what is over them is left out.
const (
	jarHosts   = 1024    // those with the latest requests
	jarCookies = 20      // of a host
	jarBytes   = 8 << 10 // of all cookies of a host
)

// CookieChange says what an answer did to the cookies that the client sends to the target
// of its redirect, or without one to the same URL.
type CookieChange int

// The changes.
const (
	CookiesSame    CookieChange = iota
	CookiesChanged              // a value is another, or one is gone
	CookiesNew                  // there is one of a new name
)

// Jars is a Client that keeps cookies: a jar for each host, whose cookies are sent to that
// host alone, whatever domain they name. Jars live as long as the Jars, in memory, and
// those of hosts not asked for long are forgotten.
type Jars struct {
	client Client
	jars   *memo.Memo[string, *jar]
}

var _ Client = (*Jars)(nil)

// NewJars returns a client that keeps cookies over one that keeps none.
func NewJars(client Client) *Jars {
	return &Jars{client: client, jars: memo.New[string, *jar](jarHosts)}
}

// Fetch implements Client.
func (c *Jars) Fetch(ctx context.Context, r *Request) (*Response, error) {
	t, err := parseTarget(r.URL)
	if err != nil {
		return nil, err
	}
	path, _, _ := strings.Cut(t.rest, "?")
	u := &url.URL{Scheme: t.scheme, Host: t.url.Host, Path: path}
	j, known := c.jars.Get(t.host)
	if !known {
		j = newJar()
	}
	res, err := c.client.Fetch(ctx, j.on(r, u))
	if res == nil || len(res.Header["Set-Cookie"]) == 0 {
		return res, err
	}
	to := u
	if target, terr := u.Parse(res.Location); terr == nil && strings.EqualFold(target.Hostname(), t.host) {
		to = target
	}
	res.Cookies = j.take(u, to, res.Header)
	if !known {
		c.jars.Put(t.host, j)
	}
	return res, err
}

// jar has the cookies of a host.
type jar struct {
	jar *cookiejar.Jar

	mu   sync.Mutex
	have map[string]int // bytes by name, domain and path
	sum  int
}

func newJar() *jar {
	j, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // it never fails
	return &jar{jar: j, have: map[string]int{}}
}

// on returns the request with the cookies for its URL.
func (j *jar) on(r *Request, u *url.URL) *Request {
	line := cookieLine(j.jar.Cookies(u))
	if line == "" {
		return r
	}
	with := *r
	to := &with.Header
	if r.Secret != nil {
		to = &with.Secret // the host may know the user by its cookies
		if given := r.Secret.Get("Cookie"); given != "" {
			line = given + "; " + line
		}
	}
	if *to = to.Clone(); *to == nil {
		*to = http.Header{}
	}
	to.Set("Cookie", line)
	return &with
}

func cookieLine(cookies []*http.Cookie) string {
	parts := make([]string, len(cookies))
	for i, c := range cookies {
		parts[i] = c.Name + "=" + c.Value
	}
	return strings.Join(parts, "; ")
}

// take keeps the cookies of an answer from a URL, within bounds, and compares those for
// another one.
func (j *jar) take(from, to *url.URL, h http.Header) CookieChange {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := j.jar.Cookies(to)
	var taken []*http.Cookie
	for _, c := range (&http.Response{Header: h}).Cookies() {
		key := c.Name + "\n" + strings.ToLower(strings.TrimPrefix(c.Domain, ".")) + "\n" + c.Path
		size, held := j.have[key]
		switch more := len(key) + len(c.Value); {
		case c.MaxAge < 0, c.MaxAge == 0 && !c.Expires.IsZero() && c.Expires.Before(time.Now()): // taken back
			j.sum -= size
			delete(j.have, key)
		case j.sum-size+more > jarBytes, !held && len(j.have) >= jarCookies:
			continue
		default:
			j.have[key] = more
			j.sum += more - size
		}
		taken = append(taken, c)
	}
	j.jar.SetCookies(from, taken)
	after := j.jar.Cookies(to)
	names := map[string]bool{}
	for _, c := range before {
		names[c.Name] = true
	}
	for _, c := range after {
		if !names[c.Name] {
			return CookiesNew
		}
	}
	if cookieLine(before) != cookieLine(after) {
		return CookiesChanged
	}
	return CookiesSame
}

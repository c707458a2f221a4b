package credentials_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"sluice/shared/web/credentials"
	"sluice/shared/web/fetch"
	"sluice/shared/web/urlnorm"
)

const file = `
example.org: {user: me, password: "a:b"}
"*.example.org": {headers: {x-key: below}}
deep.news.example.org: {headers: {X-Key: deep}}
"*.news.example.org:8443": {headers: {X-Key: port}}
http://127.0.0.1:8080: {user: me, password: 12}
http://[::1]: {headers: {X-Key: six}}
"*.corp": {headers: {X-Key: inside}}
bücher.example: {headers: {X-Key: idn, X-Other: "1"}}
`

const basic = "Basic bWU6YTpi" // me:a:b

func TestFor(t *testing.T) {
	set, err := credentials.Parse("auth.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"https://example.org/":                  basic,
		"https://EXAMPLE.org:8080/x?y":          basic,
		"http://example.org/":                   "", // in the clear
		"https://notexample.org/":               "",
		"https://example.org.evil.example/":     "",
		"https://www.example.org/":              "below",
		"https://a.news.example.org/":           "below",
		"https://a.news.example.org:8443/":      "port",
		"https://deep.news.example.org/":        "deep",
		"http://127.0.0.1:8080/":                "Basic bWU6MTI=",
		"https://127.0.0.1:8080/":               "Basic bWU6MTI=",
		"http://127.0.0.1/":                     "",
		"http://[::1]:99/":                      "six",
		"https://wiki.corp/":                    "inside",
		"https://xn--bcher-kva.example/":        "idn",
		"https://me@example.org.attacker.test/": "",
	} {
		u, err := urlnorm.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		h := set.For(u)
		if got := h.Get("Authorization") + h.Get("X-Key"); got != want {
			t.Errorf("%s gets %q, want %q", url, got, want)
		}
	}
}

// A problem has its place and what to write, and no value: it may be a password.
func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"empty", "", "auth.yaml: the file is empty: it needs at least a host"},
		{"list", "- SECRET", `auth.yaml:1:1: write a file of credentials as fields, each on a line as "field: value"`},
		{"no host", "https://: {headers: {A: SECRET}}", `auth.yaml:1:1: "https://": write a host, such as example.org, "*.example.org" or http://localhost:8080`},
		{"path", "example.org/x: {headers: {A: SECRET}}", `auth.yaml:1:1: "example.org/x": write a host`},
		{"password in it", "https://me@example.org: {headers: {A: SECRET}}", `write a host`},
		{"address below", `"*.10.0.0.1": {headers: {A: SECRET}}`, `write a host`},
		{"scheme", "ftp://example.org: {headers: {A: SECRET}}", `write a host`},
		{"twice", "a.org: {headers: {A: SECRET}}\na.org: {headers: {A: SECRET}}", `auth.yaml:2:1: a.org is repeated in the file: keep one`},
		{"twice, in capitals", "a.org: {headers: {A: SECRET}}\nhttps://A.org: {headers: {A: SECRET}}", `auth.yaml:2:1: "https://A.org" is there already, written otherwise: keep one`},
		{"all of a suffix", `"*.co.uk": {headers: {A: SECRET}}`, `auth.yaml:1:1: "*.co.uk": anybody can have a host there: name the domain`},
		{"all of a provider", `"*.github.io": {headers: {A: SECRET}}`, `anybody can have a host there`},
		{"text", "a.org: SECRET", `auth.yaml:1:8: the host a.org must be fields`},
		{"nothing", "a.org: {}", `auth.yaml:1:1: the host a.org has no credentials: write user and password, or headers`},
		{"user alone", "a.org: {user: me}", `auth.yaml:1:1: the host a.org has a user or a password alone: write both, or neither`},
		{"no password", "a.org: {user: me, password: }", `password must be a text`},
		{"bar", "a.org:\n  user: me\n  password: |SECRET", `auth.yaml:3:13: not valid YAML: put a text that begins with | or > in quotes`},
		{"ampersand", "a.org: {user: me, password: &SECRET}", `put a text that begins with & in quotes`},
		{"exclamation mark", "a.org:\n  user: me\n  password: !SECRET\n", `put a text that begins with ! in quotes`},
		{"colon", `a.org: {user: "SECRET:x", password: SECRET}`, `user must be a name without a colon`},
		{"unknown", "a.org: {pass: SECRET}", `unknown key "pass" in the host a.org: the keys are headers, password, user`},
		{"both", "a.org: {user: me, password: SECRET, headers: {authorization: SECRET}}", `the host a.org has a user and the header Authorization: keep one`},
		{"ours", "a.org: {headers: {user-agent: SECRET}}", `the header User-Agent is the crawl's own: remove it`},
		{"name", `a.org: {headers: {"A B": SECRET}}`, `"A B" is no name of a header`},
		{"value", `a.org: {headers: {A: "SECRET\r\nB: c"}}`, `the value of A is empty or has a line break`},
		{"no headers", `a.org: {headers: {}}`, `0 headers: write 1 to 50`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := credentials.Parse("auth.yaml", []byte(test.file))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("Parse: %v, want %q", err, test.want)
			}
		})
	}
}

type seen struct{ r *fetch.Request }

func (s *seen) Fetch(_ context.Context, r *fetch.Request) (*fetch.Response, error) {
	s.r = r
	return &fetch.Response{}, nil
}

// The caller's request is not changed, and one for another host has nothing.
func TestClient(t *testing.T) {
	set, err := credentials.Parse("auth.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	inner := &seen{}
	c := credentials.Client{Client: inner, Set: set}
	r := &fetch.Request{URL: "https://example.org/", Header: http.Header{"A": {"b"}}}
	for _, url := range []string{"https://example.org/", "https://b.test/", "https://[bad/"} {
		r.URL = url
		if _, err := c.Fetch(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{true: basic}[url == "https://example.org/"]
		if got := inner.r.Secret.Get("Authorization"); got != want || r.Secret != nil || len(inner.r.Header) != 1 {
			t.Errorf("request of %s: %+v", url, inner.r)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(file))
	f.Add([]byte("a.org: {headers: {A: \"\\x01\"}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := credentials.Parse("f", data)
		if (set == nil) == (err == nil) {
			t.Fatal(set, err)
		}
		if u, err := urlnorm.Parse("https://a.org/"); err == nil {
			set.For(u)
		}
	})
}

package fetch

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answers is a client that answers from a map of URLs to Set-Cookie and Location, and notes
// the cookies of each request.
type answers struct {
	set, location map[string]string
	sent          []string
}

func (a *answers) Fetch(_ context.Context, r *Request) (*Response, error) {
	a.sent = append(a.sent, r.URL+" "+r.Header.Get("Cookie"))
	res := &Response{URL: r.URL, Status: 200, Header: http.Header{}, Location: a.location[r.URL]}
	if s := a.set[r.URL]; s != "" {
		res.Header["Set-Cookie"] = strings.Split(s, "|")
	}
	return res, nil
}

// Cookies go to the host that gave them, whatever domain they name, by their path and
// scheme, and to no other.
func TestJars(t *testing.T) {
	a := &answers{set: map[string]string{
		"http://www.a.test/":    "s=1; Domain=.a.test; Path=/|deep=1; Path=/deep|safe=1; Secure|bad",
		"http://www.a.test/off": "s=; Max-Age=0; Domain=a.test; Path=/",
	}}
	jars := NewJars(a)
	header := http.Header{"If-None-Match": {"x"}}
	for _, u := range []string{
		"http://www.a.test/", "http://WWW.a.test/b", "http://a.test/", "http://news.a.test/", "http://b.test/",
		"http://www.a.test:8080/%zz", "https://www.a.test/deep/x?y", "http://www.a.test/off", "http://www.a.test/",
	} {
		if _, err := jars.Fetch(t.Context(), &Request{URL: u, Header: header}); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"http://www.a.test/ ", "http://WWW.a.test/b s=1", "http://a.test/ ", "http://news.a.test/ ", "http://b.test/ ",
		"http://www.a.test:8080/%zz s=1", "https://www.a.test/deep/x?y deep=1; s=1; safe=1", "http://www.a.test/off s=1", "http://www.a.test/ ",
	}
	if diff := cmp.Diff(want, a.sent); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if len(header) != 1 {
		t.Errorf("the caller's header became %v", header)
	}
}

func TestCookieChange(t *testing.T) {
	for _, test := range []struct {
		name, first, then, location string
		want                        CookieChange
	}{
		{"none", "a=1", "", "/", CookiesSame},
		{"same", "a=1", "a=1", "/", CookiesSame},
		{"new", "a=1", "b=1", "/", CookiesNew},
		{"other value", "a=1", "a=2", "/", CookiesChanged},
		{"gone", "a=1", "a=; Max-Age=0", "/", CookiesChanged},
		{"for another path", "a=1", "b=1; Path=/b", "/", CookiesSame},
		{"for the target", "a=1", "b=1; Path=/b", "/b/", CookiesNew},
		{"of another host", "a=1", "b=1; Path=/", "http://b.test/b/", CookiesNew},
		{"of another domain", "a=1", "b=1; Domain=b.test", "/", CookiesSame},
		{"of a public suffix", "a=1", "b=1; Domain=test", "/", CookiesSame},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &answers{
				set:      map[string]string{"http://a.test/1": test.first, "http://a.test/2": test.then},
				location: map[string]string{"http://a.test/2": test.location},
			}
			jars := NewJars(a)
			if _, err := jars.Fetch(t.Context(), &Request{URL: "http://a.test/1"}); err != nil {
				t.Fatal(err)
			}
			res, err := jars.Fetch(t.Context(), &Request{URL: "http://a.test/2"})
			if err != nil || res.Cookies != test.want {
				t.Errorf("change is %v, want %v (%v)", res.Cookies, test.want, err)
			}
		})
	}
}

// A hostile host can't fill the memory, nor take the place of the cookies it gave before.
func TestJarBounds(t *testing.T) {
	many := []string{"big=" + strings.Repeat("x", jarBytes)}
	for i := range 2 * jarCookies {
		many = append(many, fmt.Sprintf("c%d=%s", i, strings.Repeat("x", i)))
	}
	a := &answers{set: map[string]string{"http://a.test/": strings.Join(many, "|"), "http://a.test/2": "c0=new|c9=; Max-Age=0|late=1"}}
	jars := NewJars(a)
	for _, u := range []string{"http://a.test/", "http://a.test/2", "http://a.test/3"} {
		if _, err := jars.Fetch(t.Context(), &Request{URL: u}); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(a.sent[1], "="); n != jarCookies {
		t.Errorf("%d cookies are kept, want %d", n, jarCookies)
	}
	if last := a.sent[2]; !strings.Contains(last, "c0=new") || strings.Contains(last, "c9=") || !strings.Contains(last, "late=1") {
		t.Errorf("the last request has %q", last)
	}
	for i := range 3 * jarHosts {
		u := fmt.Sprintf("http://h%d.test/", i)
		a.set[u] = "a=1"
		if _, err := jars.Fetch(t.Context(), &Request{URL: u}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := jars.Fetch(t.Context(), &Request{URL: "http://a.test/"}); err != nil {
		t.Fatal(err)
	}
	if last := a.sent[len(a.sent)-1]; last != "http://a.test/ " {
		t.Errorf("cookies of a host not asked for long: %s", last)
	}
}

// Cookies that a host has taken back leave their places to others.
func TestJarTakesBack(t *testing.T) {
	a := &answers{set: map[string]string{}}
	jars := NewJars(a)
	for i := range 2 * jarCookies {
		u := fmt.Sprintf("http://a.test/%d", i)
		a.set[u] = fmt.Sprintf("c%d=1; Path=/|c%d=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", i, i-1)
		if _, err := jars.Fetch(t.Context(), &Request{URL: u}); err != nil {
			t.Fatal(err)
		}
	}
	if last := a.sent[len(a.sent)-1]; last != "http://a.test/39 c38=1" {
		t.Errorf("the last request is %q", last)
	}
}

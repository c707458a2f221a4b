package step_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/fetch"
)

// gate is a web whose pages below /walled need the cookie ok=1. Without it they give it and
// redirect to themselves, or go by way of /check, with a first cookie or without.
type gate struct {
	*web
	by string // "self", "check", "late", "login", "form", "session", "away", "never"
}

func (g gate) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Response, error) {
	resp, err := g.web.Fetch(ctx, r)
	if err != nil {
		return nil, err
	}
	path, cookies := strings.TrimPrefix(r.URL, "http://a.test"), r.Header.Get("Cookie")
	move := func(to, cookie string) (*fetch.Response, error) {
		header := http.Header{}
		if cookie != "" {
			header.Set("Set-Cookie", cookie)
		}
		moved := g.answer(r.URL, 302, header, "")
		moved.Location = to
		return moved, nil
	}
	switch {
	case strings.HasPrefix(path, "/walled") && !strings.Contains(cookies, "ok=1"):
		switch g.by {
		case "self":
			return move(path, "ok=1; Path=/")
		case "check":
			return move("/check?to="+path, "probe=1; Path=/")
		case "late":
			return move("/late?to="+url.QueryEscape("http://a.test"+path), "")
		case "login":
			return move("/login", "probe=1; Path=/")
		case "form":
			return move("/login?next="+path, "")
		case "session":
			return move("/login?next="+path, "probe="+path+"; Path=/")
		case "away":
			return move("http://b.test/login?next="+url.QueryEscape(r.URL), "")
		}
		return move(path, "probe=1; Path=/")
	case strings.HasPrefix(path, "/late?to="):
		to, err := url.QueryUnescape(strings.TrimPrefix(path, "/late?to="))
		if err != nil {
			return nil, err
		}
		return move(to, "ok=1; Path=/")
	case strings.HasPrefix(path, "/check?to=") && strings.Contains(cookies, "probe=1"):
		return move(strings.TrimPrefix(path, "/check?to="), "ok=1; Path=/")
	}
	return resp, nil
}

const walled = `
-- http://a.test/walled/1 --
<title>股市</title>$TEXT
-- http://a.test/walled/2 --
<title>银行</title>$TEXT
-- http://a.test/login --
<title>股市</title>$TEXT
`

// A page behind a wall of cookies is kept under its own URL, and the pages after it need no
// further request. A form to log in costs one request more, not one for each page. A redirect to itself without new cookies is still a loop.
func TestCookieWall(t *testing.T) {
	for _, test := range []struct {
		by, first string
		asked     map[string]int
	}{
		{"self", "kept", map[string]int{"http://a.test/walled/1": 2, "http://a.test/walled/2": 1}},
		{"check", "kept", map[string]int{"http://a.test/walled/1": 2, "http://a.test/check?to=/walled/1": 1, "http://a.test/walled/2": 1}},
		{"late", "kept", map[string]int{"http://a.test/walled/1": 2, "http://a.test/late?to=http%3A%2F%2Fa.test%2Fwalled%2F1": 1, "http://a.test/walled/2": 1}},
		{"form", "redirected", map[string]int{"http://a.test/walled/1": 1, "http://a.test/login?next=/walled/1": 1, "http://a.test/walled/2": 1}},
		{"session", "redirected", map[string]int{"http://a.test/walled/1": 1, "http://a.test/login?next=/walled/1": 1, "http://a.test/walled/2": 1}},
		{"away", "redirected", map[string]int{"http://a.test/walled/1": 1, "http://a.test/walled/2": 1}},
		{"login", "redirected", map[string]int{"http://a.test/walled/1": 1, "http://a.test/login": 1, "http://a.test/walled/2": 1}},
		{"never", "rejected redirect_loop", map[string]int{"http://a.test/walled/1": 2, "http://a.test/walled/2": 1}},
	} {
		t.Run(test.by, func(t *testing.T) {
			w := newWorld(t, walled)
			w.ports.Fetch = fetch.NewJars(gate{w.web, test.by})
			w.run(t, link("http://a.test/walled/1"), link("http://a.test/walled/2"))
			want := map[string]string{"http://a.test/walled/1": test.first, "http://a.test/walled/2": test.first}
			w.wantFates(t, want)
			if diff := cmp.Diff(test.asked, w.web.requests()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// If the host's delay is too long to wait in place, the page is asked for again later.
func TestCookieWallLater(t *testing.T) {
	w := newWorld(t, walled)
	w.ports.Fetch = fetch.NewJars(gate{w.web, "self"})
	w.plan.Delay = time.Hour
	w.crawl(t, link("http://a.test/walled/1"))
	w.wantFates(t, map[string]string{"http://a.test/walled/1": "kept"})
	e := w.trail(t, "http://a.test/walled/1").Entry
	if !strings.Contains(string(e.Trace), `"attempts":1`) {
		t.Errorf("the wait was no attempt: %s", e.Trace)
	}
}

// Robots.txt is obeyed on the way, too.
func TestCookieWallRobots(t *testing.T) {
	w := newWorld(t, walled+"-- http://a.test/robots.txt --\n200\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /check\n")
	w.ports.Fetch = fetch.NewJars(gate{w.web, "check"})
	w.crawl(t, link("http://a.test/walled/1"))
	w.wantFates(t, map[string]string{"http://a.test/walled/1": "redirected", "http://a.test/check?to=/walled/1": "skipped robots"})
}

// A form to log in is no such page, though it names the page: it is a redirect at once.
func TestLoginLater(t *testing.T) {
	w := newWorld(t, walled)
	w.ports.Fetch = fetch.NewJars(gate{w.web, "form"})
	w.plan.Delay = time.Hour
	w.crawl(t, link("http://a.test/walled/1"), link("http://a.test/walled/2"))
	w.wantFates(t, map[string]string{"http://a.test/walled/1": "redirected", "http://a.test/walled/2": "redirected"})
	for _, page := range []string{"http://a.test/walled/1", "http://a.test/walled/2"} {
		if n := w.web.requests()[page]; n != 1 {
			t.Errorf("%s was asked for %d times, want once", page, n)
		}
	}
}

package step_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/urlnorm"
)

// A redirect's target is a link of its own: checked and fetched like
// any other, and never by the request that found it.
func TestRedirects(t *testing.T) {
	t.Parallel()
	const there = `
-- http://a.test/there --
<title>股市</title>$TEXT
-- http://b.test/there --
<title>股市</title>$TEXT
`
	tests := []struct {
		name, to string
		want     string // fate of http://a.test/here
		target   string // and of this
		fate     string
	}{
		{"same host", "/there", "redirected", "http://a.test/there", "waiting"},
		{"other host", "http://b.test/there", "redirected", "http://b.test/there", "waiting"},
		{"itself", "/here", "rejected redirect_loop", "http://a.test/here", "rejected redirect_loop"},
		{"nowhere", "", "rejected redirect_without_target", "http://a.test/", "absent"},
		{"no URL", "http://[bad/", "rejected redirect_url", "http://a.test/", "absent"},
		{"other scheme", "ftp://a.test/there", "rejected redirect_url", "http://a.test/there", "absent"},
		{"out of scope", "http://c.example/", "rejected redirect_scope", "http://c.example/", "absent"},
		{"inside address", "http://169.254.169.254/latest/meta-data/", "rejected redirect_address", "http://169.254.169.254/latest/meta-data/", "absent"},
		{"into a trap", "/x/x/x/x", "rejected redirect_path_repeats", "http://a.test/x/x/x/x", "absent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "-- http://a.test/here --\n302 "+tt.to+"\n"+there)
			w.plan.Scope = scope(t, urlnorm.ModeDomain, "http://a.test/", "http://b.test/", "http://169.254.169.254/")
			w.run(t, link("http://a.test/here"))
			want := map[string]string{"http://a.test/here": tt.want, tt.target: tt.fate}
			w.wantFates(t, want)
			if diff := cmp.Diff(map[string]int{"http://a.test/here": 1}, w.web.requests()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			e := w.trail(t, "http://a.test/here").Entry
			if !e.Fetched {
				t.Error("the redirect does not count as a page of the budget")
			}
		})
	}
}

// A redirect to another host is a task of that host, under that host's lease.
func TestRedirectToOtherHostIsItsTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `
-- http://a.test/here --
301 http://b.test/there
-- http://b.test/there --
<title>股市</title>$TEXT
`)
	var hosts []string
	w.watch(func(effect, of string) error {
		if effect == "Acquire" {
			hosts = append(hosts, of)
		}
		return nil
	})
	l := link("http://a.test/here")
	l.Anchor, l.Parent = "银行", "http://a.test/"
	w.crawl(t, l)
	if diff := cmp.Diff([]string{"a.test", "b.test"}, hosts); diff != "" {
		t.Errorf("leases (-want +got):\n%s", diff)
	}
	d := w.documents(t)["http://b.test/there"]
	if d.URL != "http://a.test/here" || d.Path.Anchor != "银行" || d.Path.Parent != "http://a.test/" || d.Path.Depth != 0 {
		t.Errorf("the document says url %s, path %+v; want what was asked for first and how that was found", d.URL, d.Path)
	}
}

// A target keeps what its source was: behind a seed that moved, the crawl
// must not die.
func TestRedirectedSeedIsASeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- http://a.test/ --\n301 /home\n")
	w.run(t, seed("http://a.test/"))
	if l := w.trail(t, "http://a.test/home").Waiting; !l.IsSeed || l.Priority != 1e6 || l.Origin != "http://a.test/" {
		t.Errorf("the target waits as %+v, want a seed that comes from http://a.test/", l)
	}
}

// Ten redirects are followed, the eleventh is not; a loop ends by itself.
func TestRedirectChains(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	for i := range 12 {
		fmt.Fprintf(&archive, "-- http://a.test/r%d --\n302 /r%d\n", i, i+1)
	}
	w := newWorld(t, archive.String()+`
-- http://b.test/ping --
302 http://b.test/pong
-- http://b.test/pong --
302 http://b.test/ping
`)
	w.crawl(t, seed("http://a.test/r0"), seed("http://b.test/ping"))
	want := map[string]string{
		"http://a.test/r9": "redirected", "http://a.test/r10": "rejected too_many_redirects", "http://a.test/r11": "absent",
		"http://b.test/ping": "redirected", "http://b.test/pong": "rejected redirect_loop",
	}
	w.wantFates(t, want)
	for url, n := range w.web.requests() {
		if n != 1 {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	if r := w.rejects(t)["http://a.test/r0"]; r.FinalURL != "http://a.test/r10" || r.Rule != "too_many_redirects" {
		t.Errorf("reject is %+v, want r10 under the URL that was asked for first", r)
	}
}

// A page that only sends its readers on is a redirect; one with a text of its
// own is a page that reloads.
func TestMetaRefresh(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, want, target string }{
		{"to another page", `<title>股市</title><meta http-equiv=refresh content="0; url=/there"><a href=/there>请稍候</a>`, "redirected", "waiting"},
		{"out of scope", `<meta http-equiv=refresh content="0; url=http://b.test/">`, "rejected redirect_scope", "absent"},
		{"to itself", `<title>天气</title><meta http-equiv=refresh content="60; url=/here">`, "passed description_threshold", "absent"},
		{"from a page with a text", `<title>股市</title><meta http-equiv=refresh content="600; url=/there">` + mainText("here"), "kept", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "-- http://a.test/here --\n"+tt.page+"\n")
			w.plan.Scope = scope(t, urlnorm.ModeHost, "http://a.test/")
			w.run(t, link("http://a.test/here"))
			if got := w.fate(t, "http://a.test/here"); got != tt.want {
				t.Errorf("the page is %s, want %s", got, tt.want)
			}
			if got := w.fate(t, "http://a.test/there"); tt.target != "" && got != tt.target {
				t.Errorf("the target is %s, want %s", got, tt.target)
			}
		})
	}
}

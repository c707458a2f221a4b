package hosts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/web/optout"
)

const (
	tdmURL = origin + "/.well-known/tdmrep.json"
	aiURL  = origin + "/ai.txt"
)

// askAll asks for the files of origin as a task does, and returns the longest
// time that the server asked to be left alone.
func askAll(t *testing.T, r *Robots) (rules *Rules, rest time.Duration) {
	t.Helper()
	rules, err := r.For(t.Context(), "http", "a.test")
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		next, wait, err := r.Ask(t.Context(), "http", "a.test", rules)
		if err != nil {
			t.Fatal(err)
		}
		if next == nil {
			return rules, rest
		}
		rules, rest = next, max(rest, wait)
	}
	t.Fatal("there is always another file to ask for")
	return nil, 0
}

func TestAsk(t *testing.T) {
	const all = `[{"location":"/","tdm-reservation":1}]`
	reserved := optout.Site{TDM: optout.NewReservation("1", "", "tdmrep.json, location /")}
	longest := "/" + strings.Repeat("a", 2047-len(origin))
	tests := []struct {
		name    string
		answers map[string]answer
		want    optout.Site
		asked   []string // beside robots.txt
		rest    time.Duration
		again   bool // an hour later
	}{
		{"nothing there", nil, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
		{"tdmrep.json", map[string]answer{tdmURL: {status: 200, body: all}}, reserved, []string{tdmURL, aiURL}, 0, false},
		{"ai.txt", map[string]answer{aiURL: {status: 200, body: closed}}, optout.Site{AI: "Disallow: /"}, []string{tdmURL, aiURL}, 0, false},
		{
			"robots.txt", map[string]answer{robotsURL: {status: 200, body: "User-agent: *\nContent-Signal: ai-train=no"}},
			optout.Site{Robots: "Content-Signal: ai-train=no"}, []string{tdmURL, aiURL}, 0, false,
		},
		{
			"forbidden files are not asked for", map[string]answer{
				robotsURL: {status: 200, body: "User-agent: *\nDisallow: /.well-known/"}, tdmURL: {status: 200, body: all},
			},
			optout.Site{}, []string{aiURL}, 0, false,
		},
		{"not for us", map[string]answer{tdmURL: {status: 403, body: all}}, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
		{"broken", map[string]answer{tdmURL: {status: 500, body: all}}, optout.Site{}, []string{tdmURL, aiURL}, 0, true},
		{
			"busy", map[string]answer{tdmURL: {status: 429, header: [2]string{"Retry-After", "7"}}},
			optout.Site{}, []string{tdmURL, aiURL}, 7 * time.Second, true,
		},
		{"timeout", map[string]answer{aiURL: {err: fault.New(fault.Retryable, "timeout", nil)}}, optout.Site{}, []string{tdmURL, aiURL}, 0, true},
		{"no such host", map[string]answer{aiURL: {err: fault.New(fault.Permanent, "dns", nil)}}, optout.Site{}, []string{tdmURL, aiURL}, 0, true},
		{
			"redirect on the host", map[string]answer{tdmURL: {status: 301, location: "/tdm.json"}, origin + "/tdm.json": {status: 200, body: all}},
			reserved, []string{tdmURL, origin + "/tdm.json", aiURL}, 0, false,
		},
		{
			"redirect to https", map[string]answer{tdmURL: {status: 301, location: "https://a.test/x"}, "https://a.test/x": {status: 200, body: all}},
			reserved, []string{tdmURL, "https://a.test/x", aiURL}, 0, false,
		},
		{"redirect to another host", map[string]answer{tdmURL: {status: 301, location: "http://b.test/"}}, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
		{
			"redirect to a forbidden place", map[string]answer{
				robotsURL: {status: 200, body: "User-agent: *\nDisallow: /x"}, tdmURL: {status: 301, location: "/x"},
			},
			optout.Site{}, []string{tdmURL, aiURL}, 0, false,
		},
		{"redirect in a circle", map[string]answer{tdmURL: {status: 302, location: "#x"}}, optout.Site{}, []string{tdmURL, tdmURL, tdmURL, tdmURL, aiURL}, 0, false},
		{"redirect without a place", map[string]answer{tdmURL: {status: 302}}, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
		{
			"redirect to the longest place", map[string]answer{tdmURL: {status: 302, location: longest}, origin + longest: {status: 200, body: all}},
			reserved, []string{tdmURL, origin + longest, aiURL}, 0, false,
		},
		{"redirect to a longer place", map[string]answer{tdmURL: {status: 302, location: longest + "a"}}, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
		{"redirect to a long place", map[string]answer{tdmURL: {status: 302, location: "/" + strings.Repeat("a", 4096)}}, optout.Site{}, []string{tdmURL, aiURL}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &web{answers: tt.answers}
			now := noon
			c := &cache{}
			r := &Robots{Client: w, Cache: c, Now: func() time.Time { return now }}
			rules, rest := askAll(t, r)
			if diff := cmp.Diff(tt.want, rules.Site(origin+"/page")); diff != "" {
				t.Errorf("what the site says (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, stored(t, rules).Site(origin+"/page")); diff != "" {
				t.Errorf("what it says after storing (-want +got):\n%s", diff)
			}
			if got := w.asked[1:]; !slices.Equal(got, tt.asked) || rest != tt.rest {
				t.Errorf("asked for %q, rest %v; want %q, %v", got, rest, tt.asked, tt.rest)
			}
			// A later task finds the answers in the cache.
			n := len(w.asked)
			askAll(t, r)
			if got := w.asked[n:]; len(got) != 0 {
				t.Errorf("asked again for %q", got)
			}
			now = now.Add(61 * time.Minute)
			askAll(t, r)
			if got := w.asked[n:]; len(got) > 0 != tt.again || slices.Contains(got, robotsURL) {
				t.Errorf("asked again for %q an hour later, want %v", got, tt.again)
			}
			now = now.Add(24 * time.Hour)
			askAll(t, r)
			if got := w.asked[n:]; !slices.Contains(got, robotsURL) || !slices.Contains(got, tt.asked[0]) {
				t.Errorf("asked again for %q a day later, want robots.txt and the files", got)
			}
		})
	}
}

// A task that gives up learns nothing, and keeps nothing.
func TestAskCancelled(t *testing.T) {
	w := &web{answers: map[string]answer{tdmURL: {wait: time.Hour}}}
	r := &Robots{Client: w, Cache: &cache{}, Now: func() time.Time { return noon }}
	rules, err := r.For(t.Context(), "http", "a.test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if next, _, err := r.Ask(ctx, "http", "a.test", rules); next != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("rules %v, error %v; want none, deadline exceeded", next, err)
	}
}

// All answers of a site are one write; a task that stops in between writes what
// it has, and the next process continues from there.
func TestOneWrite(t *testing.T) {
	w, c := &web{}, &cache{}
	r := &Robots{Client: w, Cache: c, Now: func() time.Time { return noon }}
	rules, err := r.For(t.Context(), "http", "a.test")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Ask(t.Context(), "http", "a.test", rules); err != nil {
		t.Fatal(err)
	}
	if c.puts != 0 {
		t.Errorf("%d writes before all is asked, want none", c.puts)
	}
	for range 2 {
		if err := r.Keep(t.Context(), "http", "a.test"); err != nil || c.puts != 1 {
			t.Errorf("%d writes at the end of the task, error %v; want 1", c.puts, err)
		}
	}
	next := &Robots{Client: w, Cache: c, Now: r.Now}
	n := len(w.asked)
	askAll(t, next)
	if got := w.asked[n:]; !slices.Equal(got, []string{aiURL}) || c.puts != 2 {
		t.Errorf("the next task asked for %q, %d writes in all; want ai.txt, 2", got, c.puts)
	}
}

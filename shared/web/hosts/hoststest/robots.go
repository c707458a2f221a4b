package hoststest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/hosts"
	"sluice/shared/web/optout"
)

const authority = "https://a.test:8443"

// rules returns rules that forbid a path and hold for an hour from now.
func rules(t *testing.T, h *Harness, path string) *hosts.Rules {
	t.Helper()
	return Rules(t, map[string]any{
		"rules": []string{"-" + path}, "delay_s": 2.5, "sitemaps": []string{"https://a.test/sitemap.xml"},
		"usage": []string{"Content-Usage: " + path + " train-ai=n"}, "ai": []string{"Disallow: " + path},
		"tdm":     []map[string]any{{"location": path, "tdm-reservation": 1, "tdm-policy": "https://a.test/p"}},
		"fetched": h.Now(), "expires": h.Now().Add(time.Hour),
	})
}

// Rules returns the rules that stores keep as these fields.
func Rules(t *testing.T, fields map[string]any) *hosts.Rules {
	t.Helper()
	stored, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	r := new(hosts.Rules)
	if err := json.Unmarshal(stored, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func put(t *testing.T, h *Harness, authority string, r *hosts.Rules) {
	t.Helper()
	if err := h.PutRobots(t.Context(), authority, r); err != nil {
		t.Fatalf("PutRobots: %v", err)
	}
}

func robots(t *testing.T, h *Harness, authority string) *hosts.Rules {
	t.Helper()
	return robotsSince(t, h, authority, time.Time{})
}

func robotsSince(t *testing.T, h *Harness, authority string, since time.Time) *hosts.Rules {
	t.Helper()
	r, err := h.Robots(t.Context(), authority, since)
	if err != nil {
		t.Fatalf("Robots: %v", err)
	}
	return r
}

func checkRobots(t *testing.T, h *Harness) {
	if r := robots(t, h, authority); r != nil {
		t.Fatalf("rules of an unknown authority: %+v, want nil", r)
	}
	put(t, h, authority, rules(t, h, "/old"))
	put(t, h, authority, rules(t, h, "/new")) // replaces
	put(t, h, "http://b.test", rules(t, h, "/b"))
	r := robots(t, h, authority)
	if r == nil {
		t.Fatal("no rules after PutRobots")
	}
	got := fmt.Sprint(r.Allowed("https://a.test:8443/old"), r.Allowed("https://a.test:8443/new"), r.CrawlDelay(), r.Sitemaps())
	if want := "true false 2.5s [https://a.test/sitemap.xml]"; got != want {
		t.Errorf("rules are %s, want %s", got, want)
	}
	if r := robots(t, h, "http://a.test:8443"); r != nil {
		t.Errorf("another scheme has the rules too: %+v", r)
	}
}

func checkSite(t *testing.T, h *Harness) {
	put(t, h, authority, rules(t, h, "/old"))
	put(t, h, authority, rules(t, h, "/new"))
	r := robots(t, h, authority)
	if r == nil {
		t.Fatal("no rules after PutRobots")
	}
	want := optout.Site{
		TDM:    optout.NewReservation("1", "https://a.test/p", "tdmrep.json, location /new"),
		Robots: "Content-Usage: /new train-ai=n", AI: "Disallow: /new",
	}
	if diff := cmp.Diff(want, r.Site("https://a.test:8443/new/1")); diff != "" {
		t.Errorf("what the site says of its page (-put +got):\n%s", diff)
	}
	if diff := cmp.Diff(optout.Site{}, r.Site("https://a.test:8443/old")); diff != "" {
		t.Errorf("what the site says of another (-want +got):\n%s", diff)
	}
}

func checkRobotsExpiry(t *testing.T, h *Harness) {
	put(t, h, authority, rules(t, h, "/"))
	h.Advance(59 * time.Minute)
	if robots(t, h, authority) == nil {
		t.Error("rules are gone before they expire")
	}
	h.Advance(time.Minute)
	if r := robots(t, h, authority); r != nil {
		t.Errorf("expired rules came back: %+v", r)
	}
	put(t, h, authority, rules(t, h, "/"))
	if robots(t, h, authority) == nil {
		t.Error("fresh rules did not replace the expired ones")
	}
}

// One crawl that wants newer rules takes them from no other.
func checkRobotsSince(t *testing.T, h *Harness) {
	put(t, h, authority, rules(t, h, "/old"))
	if robotsSince(t, h, authority, h.Now()) == nil {
		t.Error("rules of this very moment count as from before")
	}
	h.Advance(time.Minute)
	since := h.Now()
	if r := robotsSince(t, h, authority, since); r != nil {
		t.Errorf("rules from before came back: %+v", r)
	}
	if robots(t, h, authority) == nil {
		t.Error("rules are gone for who would have them")
	}
	put(t, h, authority, rules(t, h, "/new"))
	if r := robotsSince(t, h, authority, since); r == nil || r.Allowed("/new") {
		t.Errorf("what was put since is not there: %+v", r)
	}
}

func checkRobotsOfLease(t *testing.T, h *Harness) {
	const host, plain = "a.test", "http://a.test"
	forbids := func(when, authority, path string) {
		t.Helper()
		if r := robots(t, h, authority); r == nil || r.Allowed(path) {
			t.Errorf("%s: rules of %s are %+v, want those that forbid %s", when, authority, r, path)
		}
	}
	l := acquire(t, h, "c", host, "w1")
	if r := robots(t, h, authority); r != nil {
		t.Errorf("rules of a host that was never leased: %+v, want nil", r)
	}
	put(t, h, authority, rules(t, h, "/1"))
	forbids("put", authority, "/1")
	acquire(t, h, "c", host, "w1")
	forbids("lease renewed", authority, "/1")
	release(t, h, "c", l)
	forbids("released", authority, "/1")

	h.Advance(time.Minute)
	l = acquire(t, h, "d", host, "w2")
	forbids("next lease", authority, "/1")
	if r := robots(t, h, plain); r != nil {
		t.Errorf("another scheme has the rules too: %+v", r)
	}
	put(t, h, authority, rules(t, h, "/2"))
	put(t, h, plain, rules(t, h, "/plain"))
	forbids("replaced", authority, "/2")
	release(t, h, "d", l)
	forbids("released with others", authority, "/2")
	forbids("released with others", plain, "/plain")

	release(t, h, "c", acquire(t, h, "c", host, "w3")) // a task that asks for none
	forbids("after a lease that put none", authority, "/2")

	h.Advance(time.Hour)
	l = acquire(t, h, "c", host, "w4")
	if r := robots(t, h, authority); r != nil {
		t.Errorf("expired rules came back under a lease: %+v", r)
	}
	put(t, h, authority, rules(t, h, "/3"))
	release(t, h, "c", l)
	forbids("fresh", authority, "/3")
	if r := robots(t, h, plain); r != nil {
		t.Errorf("expired rules came back after a lease: %+v", r)
	}
}

package local_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// The problems of a Spec are reported before any request, each with the reason
// and what to do about it.
func TestSpecErrors(t *testing.T) {
	t.Parallel()
	const home = "http://127.0.0.1:1/"
	tests := []struct {
		name   string
		first  func(s *local.Spec) // a crawl that is in the folder before; nil for none
		change func(s *local.Spec)
		want   error
		says   string
	}{
		{name: "nothing wrong", change: func(*local.Spec) {}},
		{name: "no contact", change: func(s *local.Spec) { s.Seeds = []string{"https://www.example.com/"} }, want: local.ErrNoContact, says: "www.example.com"},
		{name: "no contact for one of the seeds", change: func(s *local.Spec) { s.Seeds = []string{home, "http://news.example.com/"} }, want: local.ErrNoContact, says: "--contact"},
		{name: "an invalid contact", change: func(s *local.Spec) { s.Contact = "call me" }, want: local.ErrNoContact, says: "contact"},
		{name: "bad seeds, all of them", change: func(s *local.Spec) { s.Seeds = []string{"nonsense", home, "ftp://x.cn/"} }, want: local.ErrSeeds, says: "ftp://x.cn/"},
		{name: "no seeds", change: func(s *local.Spec) { s.Seeds, s.Topic.File.Seeds = nil, nil }, want: local.ErrSeeds, says: "--seed"},
		{name: "a crawl is there", first: func(*local.Spec) {}, change: func(*local.Spec) {}, want: local.ErrExists, says: "--resume"},
		{name: "no crawl to continue", change: func(s *local.Spec) { s.Resume, s.Topic = true, nil }, want: local.ErrNoCrawl, says: "topic"},
		{name: "none to continue, but a topic to start one", change: func(s *local.Spec) { s.Resume = true }},
		{name: "the same crawl", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume = true }},
		{name: "the same, by its folder alone", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume, s.Topic, s.Source, s.Seeds = true, nil, nil, nil }},
		{name: "another topic", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume, s.Topic.ID = true, strings.Repeat("0", 64) }, want: local.ErrOther},
		{name: "other seeds", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume, s.Seeds = true, []string{"http://localhost/"} }, want: local.ErrOther},
		{name: "another random seed", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume, s.RandomSeed = true, 7 }, want: local.ErrOther},
		{name: "another budget is no other crawl", first: func(*local.Spec) {}, change: func(s *local.Spec) { s.Resume, s.MaxPages = true, 7 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := spec(t)
			if tt.first != nil {
				first := s
				tt.first(&first)
				if err := open(t, first).Close(); err != nil {
					t.Fatal(err)
				}
			}
			tt.change(&s)
			c, err := local.Open(t.Context(), s)
			if c != nil {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			if !errors.Is(err, tt.want) {
				t.Fatalf("error is %v, want %v", err, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %q does not speak of %q", err, tt.says)
			}
			if _, statErr := os.Stat(s.Dir); err != nil && tt.first == nil && statErr == nil {
				t.Error("a refused crawl has left its folder")
			}
		})
	}
}

// Two crawls can't have one folder.
func TestFolderIsLocked(t *testing.T) {
	t.Parallel()
	s := spec(t)
	c := open(t, s)
	s.Resume = true
	if second, err := local.Open(t.Context(), s); err == nil {
		t.Errorf("a second crawl works in the folder: %v", second.Close())
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, s).Close(); err != nil {
		t.Error(err)
	}
}

// Only this machine and the demo may be crawled without a contact: names that
// merely look like them are public servers.
func TestWhoNeedsAContact(t *testing.T) {
	t.Parallel()
	for seed, home := range map[string]bool{
		"http://127.0.0.1:8080/":       true,
		"http://127.8.8.8/":            true,
		"http://[::1]/":                true,
		"http://[::ffff:127.0.0.1]/":   true,
		"http://localhost/":            true,
		"http://0x7f.1/":               true,
		"http://demo.test/":            true,
		"http://www.demo.test/":        true,
		"http://demo.test.example.cn/": false,
		"http://notdemo.test/":         false,
		"http://localhost.cn/":         false,
		"http://127.0.0.1.nip.io/":     false,
		"http://128.0.0.1/":            false,
		"http://10.0.0.1/":             false,
		"http://0.0.0.0/":              false,
		"http://demo.test@example.cn/": false,
	} {
		t.Run(seed, func(t *testing.T) {
			t.Parallel()
			c, err := local.Open(t.Context(), spec(t, seed))
			if c != nil {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			if home && err != nil {
				t.Errorf("error is %v, want none", err)
			}
			if !home && !errors.Is(err, local.ErrNoContact) && !errors.Is(err, local.ErrSeeds) {
				t.Errorf("error is %v, want %v", err, local.ErrNoContact)
			}
		})
	}
}

// A crawl that is there keeps the parts of its scope that are not given again; it
// has those of the topic until it is given some.
func TestScopeOfResume(t *testing.T) {
	t.Parallel()
	const home = "http://127.0.0.1:1/"
	list := func(entries ...string) []string { return entries }
	ofTopic := limits.Scope{Mode: urlnorm.ModeHost, Allow: list("a.example"), Deny: list("b.example")}
	tests := []struct {
		name                string
		first, again, scope *limits.Scope
	}{
		{name: "nothing given"},
		{"new, without a mode", &limits.Scope{Deny: list("c.example")}, nil, &limits.Scope{Mode: urlnorm.ModeDomain, Deny: list("c.example")}},
		{
			"a part over the topic's", nil, &limits.Scope{Deny: list("c.example")},
			&limits.Scope{Mode: urlnorm.ModeHost, Allow: list("a.example"), Deny: list("c.example")},
		},
		{
			"parts over those kept", &limits.Scope{Mode: urlnorm.ModePrefix, Deny: list("c.example")}, &limits.Scope{Allow: list("d.example")},
			&limits.Scope{Mode: urlnorm.ModePrefix, Allow: list("d.example"), Deny: list("c.example")},
		},
		{
			"a mode over those kept", &limits.Scope{Mode: urlnorm.ModePrefix, Deny: list("c.example")}, &limits.Scope{Mode: urlnorm.ModeAny},
			&limits.Scope{Mode: urlnorm.ModeAny, Deny: list("c.example")},
		},
	}
	for _, tt := range tests {
		for _, refresh := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, refresh %v", tt.name, refresh), func(t *testing.T) {
				t.Parallel()
				s := spec(t, home)
				s.Topic.File.Scope.Scope, s.Scope = ofTopic, tt.first
				if err := open(t, s).Close(); err != nil {
					t.Fatal(err)
				}
				s.Scope, s.Resume, s.Refresh = tt.again, !refresh, refresh
				if diff := cmp.Diff(tt.scope, opened(t, s).Scope()); diff != "" {
					t.Errorf("scope (-want +got):\n%s", diff)
				}
			})
		}
	}
}

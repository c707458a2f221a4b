package limits_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/limits"
)

func TestCheckLimits(t *testing.T) {
	for _, test := range []struct {
		name string
		l    limits.Limits
		want string // "": no error
	}{
		{"open", limits.Limits{}, ""},
		{"greatest", limits.Limits{MaxPages: 1e9, MaxPagesPerHost: 1e9, MaxDepth: 1000, MaxDuration: limits.MaxDuration}, ""},
		{
			"negative", limits.Limits{MaxPages: -1, MaxPagesPerHost: -2, MaxDepth: -3, MaxDuration: -time.Second},
			"max_pages is -1: it must not be negative\nmax_pages_per_host is -2: it must not be negative\n" +
				"max_depth is -3: it must not be negative\nmax_duration is -1s: it must not be negative",
		},
		{
			"bad overrides", limits.Limits{Overrides: []string{"a.test delay=1s", "a.test", "a b delay=1s"}},
			`override "a.test": want a place and what holds there, as in "forum.x.cn delay=10s max_pages=200 max_depth=3"` + "\n" +
				`override "a b delay=1s": want a host ("news.x.cn"), a domain ("x.cn", "*.x.cn"), a URL prefix ("https://x.cn/dir/"), a pattern ("x.cn/*/print", "/print/*") or "regexp:" and an expression`,
		},
		{"too many overrides", limits.Limits{Overrides: make([]string, 1001)}, "1001 overrides: at most 1000"},
		{
			"too large", limits.Limits{MaxPages: 1e9 + 1, MaxPagesPerHost: 1e9 + 1, MaxDepth: 1001, MaxDuration: limits.MaxDuration + 1},
			"max_pages is 1000000001: it must be at most 1000000000\nmax_pages_per_host is 1000000001: it must be at most 1000000000\n" +
				"max_depth is 1001: it must be at most 1000\nmax_duration is 87600h0m0.000000001s: it must be at most 87600h0m0s",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := test.l.CheckLimits(nil); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("CheckLimits: %q, want %q", got, test.want)
			}
		})
	}
}

// What is given stays, what is open comes from the other, part by part.
func TestOr(t *testing.T) {
	some := limits.Limits{MaxPages: 1, MaxDepth: 2}
	all := limits.Limits{MaxPages: 5, MaxPagesPerHost: 6, MaxDepth: 7, MaxDuration: 8, Overrides: []string{"a.test delay=1s"}}
	want := limits.Limits{MaxPages: 1, MaxPagesPerHost: 6, MaxDepth: 2, MaxDuration: 8, Overrides: all.Overrides}
	if diff := cmp.Diff(want, some.Or(all)); diff != "" {
		t.Errorf("Limits.Or (-want +got):\n%s", diff)
	}
	some.Overrides = []string{"b.test delay=1s"}
	if got := some.Or(all).Overrides; !slices.Equal(got, some.Overrides) {
		t.Errorf("overrides are %q, want those given", got)
	}
	scope := limits.Scope{Mode: "host", Allow: []string{"a.test"}, Deny: []string{"b.test"}}
	for _, test := range []struct{ given, want limits.Scope }{
		{limits.Scope{}, scope},
		{limits.Scope{Mode: "any", Deny: []string{}}, limits.Scope{Mode: "any", Allow: []string{"a.test"}, Deny: []string{}}},
		{limits.Scope{Allow: []string{"c.test"}}, limits.Scope{Mode: "host", Allow: []string{"c.test"}, Deny: []string{"b.test"}}},
	} {
		if diff := cmp.Diff(test.want, test.given.Or(scope)); diff != "" {
			t.Errorf("Scope.Or (-want +got):\n%s", diff)
		}
	}
}

func TestScopeEqual(t *testing.T) {
	a := &limits.Scope{Mode: "host", Allow: []string{"a.test", "b.test"}, Deny: []string{}}
	for _, test := range []struct {
		other *limits.Scope
		want  bool
	}{
		{&limits.Scope{Mode: "host", Allow: []string{"a.test", "b.test"}}, true},
		{&limits.Scope{Mode: "any", Allow: a.Allow}, false},
		{&limits.Scope{Mode: "host", Allow: []string{"b.test", "a.test"}}, false},
		{&limits.Scope{Mode: "host", Allow: a.Allow, Deny: []string{"c.test"}}, false},
		{nil, false},
	} {
		if got := a.Equal(test.other); got != test.want || test.other.Equal(a) != test.want {
			t.Errorf("%+v is equal to %+v: %v", a, test.other, got)
		}
	}
}

// Each limit has a parameter and each parameter a flag of its own.
func TestParameters(t *testing.T) {
	flags := map[string]bool{}
	keys := map[string]bool{}
	for _, p := range limits.Parameters() {
		keys[p.Key], flags[p.Flag()] = true, true
		if strings.Count(p.Usage, "`") != 2 {
			t.Errorf("usage of %s names no value: %s", p.Key, p.Usage)
		}
	}
	all := limits.Limits{MaxPages: 1, MaxPagesPerHost: 1, MaxDepth: 1, MaxDuration: 1, Overrides: []string{"a.test delay=1s"}}
	for _, s := range all.Given() {
		if !keys[s.Key] {
			t.Errorf("%s has no parameter", s.Key)
		}
	}
	if len(keys) != 8 || len(flags) != 8 || !flags["max-pages-per-host"] || !flags["scope-mode"] {
		t.Errorf("keys %v, flags %v", keys, flags)
	}
}

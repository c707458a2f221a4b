package forget

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/urlnorm"
)

func parse(t *testing.T, texts ...string) []Target {
	t.Helper()
	targets, err := ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return targets
}

func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		name, target string
		in, out      []string
	}{
		{
			name: "a URL in another spelling", target: " HTTP://X.cn:80/a/../b?utm_source=y#c ",
			in:  []string{"http://x.cn/b", "https://x.cn/b"},
			out: []string{"http://x.cn/b/", "http://x.cn/", "http://y.x.cn/b", "http://x.cn:81/b", "http://x.cn/b?c"},
		},
		{
			name: "a host", target: "X.cn",
			in:  []string{"http://x.cn/", "https://x.cn/a?b", "http://x.cn:8080/"},
			out: []string{"http://www.x.cn/", "http://ax.cn/", "http://cn/", "http://y.cn/x.cn", "x.cn", ""},
		},
		{
			name: "a host in its own script", target: "例子.中国",
			in: []string{"http://xn--fsqu00a.xn--fiqs8s/a", "http://例子.中国/"}, out: []string{"http://中国/"},
		},
		{
			name: "subdomains", target: "*.x.cn",
			in:  []string{"http://x.cn/", "http://a.b.x.cn:81/"},
			out: []string{"http://ax.cn/", "http://cn/", "http://x.cn.y.test/"},
		},
		{
			name: "a port", target: "x.cn:8080",
			in: []string{"http://x.cn:8080/a", "https://x.cn:8080/"}, out: []string{"http://x.cn/", "http://a.x.cn:8080/"},
		},
		{name: "the port of a scheme", target: "x.cn:443", in: []string{"https://x.cn/"}, out: []string{"http://x.cn:8443/"}},
		{name: "an address", target: "127.0.0.1", in: []string{"http://127.0.0.1:99/"}, out: []string{"http://127.0.0.2/", "http://0.0.1/"}},
		{name: "an address of version 6", target: "[::1]", in: []string{"http://[::1]:99/"}, out: []string{"http://[::2]/"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := NewSet(parse(t, tt.target))
			list := set.List()
			for want, urls := range map[bool][]string{true: tt.in, false: tt.out} {
				for _, raw := range urls {
					if got := set.Has(raw); got != want {
						t.Errorf("Has(%q) = %v", raw, got)
					}
					u, err := urlnorm.Parse(raw)
					if got := list.Contains(u); err == nil && got != want {
						t.Errorf("the list contains %q: %v", raw, got)
					}
				}
			}
			if got := set.Targets()[0].String(); got != tt.target {
				t.Errorf("the target calls itself %q, want %q", got, tt.target)
			}
		})
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	for _, text := range []string{
		"", " ", "*", "*.", ".", "x.cn/a.html", "ftp://x.cn/", "http://", "a b", "x.cn?y", "user@x.cn", "*.127.0.0.1", "*.x.cn:80",
		"x.*.cn", "www.*", "x.cn:port", "http:/x.cn", "\x00", "x\ny.cn/",
	} {
		if got, err := Parse(text); !errors.Is(err, ErrTarget) {
			t.Errorf("Parse(%q) = %+v, %v; want ErrTarget", text, got, err)
		}
	}
	if _, err := ParseAll([]string{"x.cn", "a/b", "*"}); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("ParseAll: %v, want two errors", err)
	}
}

// Stores look pages up by URL: with both schemes. A host on one port needs a look at
// each link of the host.
func TestSetURLs(t *testing.T) {
	for _, tt := range []struct {
		target  string
		urls    []string
		hasPort bool
	}{
		{"https://x.cn/a?b", []string{"http://x.cn/a?b", "https://x.cn/a?b"}, false},
		{"x.cn", nil, false},
		{"*.x.cn", nil, false},
		{"x.cn:8080", nil, true},
	} {
		s := NewSet(parse(t, tt.target))
		if diff := cmp.Diff(tt.urls, s.URLs()); diff != "" || s.HasPort() != tt.hasPort {
			t.Errorf("%s: has a port: %t; URLs (-want +got):\n%s", tt.target, s.HasPort(), diff)
		}
	}
}

// A list is read as it was written, holds nothing in plain, and grows.
func TestListText(t *testing.T) {
	u, err := urlnorm.Parse("https://x.cn/a")
	if err != nil {
		t.Fatal(err)
	}
	var none *List
	if none.Contains(u) || none.Len() != 0 {
		t.Error("the nil list is not empty")
	}
	list := NewSet(parse(t, "http://x.cn/a", "*.y.cn")).List().Join(none).Join(NewSet(parse(t, "z.cn")).List())
	text, err := list.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	again := new(List)
	if err := again.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list.hashes, again.hashes); diff != "" || again.Len() != 3 || !again.Contains(u) {
		t.Errorf("the list, read again (-was +is):\n%s", diff)
	}
	if err := again.UnmarshalText([]byte("AAAA\nx")); err == nil {
		t.Error("no error for what is no list")
	}
	if err := again.UnmarshalText(nil); err != nil || again.Len() != 0 {
		t.Errorf("no text is a list of %d, error %v", again.Len(), err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"http://x.cn/a?b#c", "x.cn:80", "*.x.cn", "[::1]:8", "例子.中国", "http://*.cn/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		target, err := Parse(text)
		if err != nil {
			return
		}
		if target.String() != text {
			t.Errorf("Parse(%q) calls itself %q", text, target)
		}
		if set := NewSet([]Target{target}); set.List().Len() != 1 || !target.IsHost() && !set.Has(text) {
			t.Errorf("Parse(%q) = %+v does not name itself", text, target)
		}
	})
}

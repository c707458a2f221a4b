package urlnorm

import (
	"strings"
	"testing"

	"sluice/shared/fault"
)

func mustParse(t *testing.T, raw string) URL {
	t.Helper()
	u, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestScope(t *testing.T) {
	tests := []struct {
		name        string
		mode        Mode
		seeds       []string
		allow, deny []string
		in, out     []string
	}{
		{
			name: "host", mode: ModeHost, seeds: []string{"http://news.x.cn/a", "http://y.cn:8080/"},
			in:  []string{"https://news.x.cn/", "http://news.x.cn/b?c", "http://y.cn:8080/a"},
			out: []string{"http://x.cn/", "http://a.news.x.cn/", "http://www.news.x.cn/", "http://y.cn/", "http://news.x.cn.y.test/", "http://y.test/news.x.cn"},
		},
		{
			name: "host with and without www", mode: ModeHost, seeds: []string{"http://x.cn/", "http://www.y.com.cn:8080/"},
			in:  []string{"https://www.x.cn/a", "http://y.com.cn:8080/", "http://www.y.com.cn:8080/a"},
			out: []string{"http://m.x.cn/", "http://www.www.x.cn/", "http://y.com.cn/", "http://com.cn:8080/", "http://www.com.cn/"},
		},
		{
			name: "domain", mode: ModeDomain, seeds: []string{"http://news.sina.com.cn/", "http://127.0.0.1:81/"},
			in:  []string{"http://sina.com.cn/", "http://a.b.sina.com.cn:81/", "http://127.0.0.1/"},
			out: []string{"http://com.cn/", "http://163.com.cn/", "http://mysina.com.cn/", "http://127.0.0.2/"},
		},
		{
			name: "prefix", mode: ModePrefix, seeds: []string{"http://x.cn/news/index.html", "http://y.cn"},
			in:  []string{"https://x.cn/news/", "http://x.cn/news/a/b?c", "http://y.cn/a"},
			out: []string{"http://x.cn/", "http://x.cn/news", "http://x.cn/newsroom/", "http://x.cn:81/news/", "http://www.y.cn/"},
		},
		{
			name: "any", mode: ModeAny, deny: []string{"x.cn"},
			in:  []string{"http://y.cn/", "http://127.0.0.1/"},
			out: []string{"http://x.cn/", "http://a.x.cn/"},
		},
		{
			name: "allow", mode: ModeHost, seeds: []string{"http://s.cn/"},
			allow: []string{"news.x.cn", " y.cn ", "*.a.z.cn", "https://p.cn/dir/", "h.q.cn:8080", "r.cn:443", "[::1]", "新闻.中国"},
			in: []string{"http://news.x.cn:81/", "http://y.cn/", "http://www.y.cn/", "http://a.z.cn/", "http://b.a.z.cn/",
				"http://p.cn/dir/a", "http://h.q.cn:8080/", "https://r.cn/", "http://[::1]:9/", "http://www.xn--efvy88h.xn--fiqs8s/"},
			out: []string{"http://x.cn/", "http://a.news.x.cn/", "http://z.cn/", "http://p.cn/", "http://h.q.cn/", "http://www.r.cn/", "http://[::2]/"},
		},
		{
			name: "deny wins", mode: ModeDomain, seeds: []string{"http://x.cn/"}, allow: []string{"https://x.cn/v/ok/"},
			deny: []string{"video.x.cn", "https://x.cn/v/", "https://x.cn/list.php?cat="},
			in:   []string{"http://x.cn/", "http://a.video.x.cn/", "http://x.cn/list.php"},
			out:  []string{"http://video.x.cn/", "http://x.cn/v/ok/a", "http://x.cn/%76/", "http://x.cn/list.php?cat=3"},
		},
		{
			name: "patterns", mode: ModeDomain, seeds: []string{"http://x.cn/"},
			deny: []string{"/print/*", "*/tag/*", "/*.pdf", "x.cn/*/reply", "*.x.cn/old/", "https://x.cn/list*page=*", "m-*.x.cn", "x.cn:81/v/*", "x.cn:443/w/*", "*.新闻.x.cn/*", "/评论/*", "/bar", `regexp:[?&]sort=`, "regexp:#|/N[0-9]{3,}$"},
			in: []string{"http://x.cn/", "http://x.cn/a/print/b", "http://x.cn/prints/b", "http://x.cn/tag", "http://x.cn/a.pdf.html", "http://x.cn/reply", "http://a.x.cn/b/reply",
				"http://x.cn/old/", "http://a.x.cn/older", "http://x.cn/list?pages=2", "http://m.x.cn/", "http://x.cn/v/a", "http://x.cn/a?q=sort=", "http://x.cn/N12", "http://x.cn/n123", "http://x.cn/bart", "http://x.cn:81/w/a"},
			out: []string{"https://a.x.cn/print/b?c", "http://x.cn/tag/a", "http://x.cn/a/b/tag/c", "http://x.cn/a/b.pdf", "http://x.cn/b/reply", "https://x.cn/b/c/reply",
				"http://a.x.cn/old/b", "http://x.cn/list/3?page=2", "http://m-1.x.cn/b", "http://x.cn:81/v/a", "https://x.cn/w/a", "http://a.xn--efvy88h.x.cn/a", "http://x.cn/%E8%AF%84%E8%AE%BA/1", "http://x.cn/b?a=1&sort=up", "http://x.cn/a/N123", "https://a.x.cn/bar"},
		},
		{
			name: "patterns allow", mode: ModeHost, seeds: []string{"http://x.cn/"}, allow: []string{"https://*.y.cn/news/*", "*://z.*/a*"},
			in:  []string{"http://a.b.y.cn/news/1", "https://z.com.cn/a", "http://z.cn/ab/c"},
			out: []string{"http://y.cn/news/1", "http://a.y.cn/new", "http://z.cn/b", "http://q.cn/z.cn/a"},
		},
		{name: "nothing", mode: ModeHost, out: []string{"http://x.cn/"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seeds []URL
			for _, raw := range tt.seeds {
				seeds = append(seeds, mustParse(t, raw))
			}
			s, err := NewScope(tt.mode, seeds, tt.allow, tt.deny)
			if err != nil {
				t.Fatal(err)
			}
			for _, raw := range tt.in {
				if !s.Contains(mustParse(t, raw)) {
					t.Errorf("%s is out", raw)
				}
			}
			for _, raw := range tt.out {
				if s.Contains(mustParse(t, raw)) {
					t.Errorf("%s is in", raw)
				}
			}
			if s.Contains(URL{}) {
				t.Error("the zero URL is in")
			}
		})
	}
}

// Only a host, or a domain, takes all URLs of a host.
func TestPlaceContainsHost(t *testing.T) {
	for _, tt := range []struct {
		entry, host string
		want        bool
	}{
		{"a.x.test", "a.x.test", true},
		{"a.x.test", "b.a.x.test", false},
		{"x.test", "a.x.test", true},
		{"*.a.x.test", "b.a.x.test", true},
		{"*.a.x.test", "x.test", false},
		{"a.x.test:8080", "a.x.test", false},
		{"http://a.x.test/", "a.x.test", false},
		{"a.x.test/*", "a.x.test", false},
	} {
		p, err := ParsePlace(tt.entry)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.ContainsHost(tt.host); got != tt.want {
			t.Errorf("%s contains all of %s: %t", tt.entry, tt.host, got)
		}
	}
	if p, err := ParsePlace("x.test"); err != nil || p.Contains(URL{}) {
		t.Errorf("a place contains no URL (%v)", err)
	}
	if _, err := ParsePlace("a b"); err == nil {
		t.Error("\"a b\" is a place")
	}
}

func TestScopeErrors(t *testing.T) {
	bad := []string{"", "*", "/", "/*", "*/", "**/*", "https://*/*", "*.", "x.cn/dir", "*.1.2.3.4", "*.x.cn:80", "ftp://x.cn/", "ftp://*.x.cn/", "a b", "u@x.cn", "u@x.cn/*", "x..cn", "x..cn/*", "新闻*.cn/", "https:///*", "x.cn:a*/b", "::1", "regexp:", "regexp:(", "regexp:/评论/", "regexp:" + strings.Repeat("a", 1001)}
	_, err := NewScope(ModeHost, nil, bad, bad)
	if err == nil {
		t.Fatal("no error")
	}
	for _, entry := range bad {
		for _, list := range []string{"allow", "deny"} {
			if want := list + ` entry "` + fault.Clip(entry, MaxShown) + `"`; !strings.Contains(err.Error(), want) {
				t.Errorf("error does not name %s", want)
			}
		}
	}
	if _, err := NewScope("hots", nil, nil, nil); err == nil || !strings.Contains(err.Error(), `"hots"`) {
		t.Errorf("unknown mode: %v", err)
	}
	if _, err := NewScope(ModeHost, []URL{mustParse(t, "http://x.cn/"), {}}, nil, nil); err == nil || !strings.Contains(err.Error(), "seed 2 is not a URL") {
		t.Errorf("the zero URL as a seed: %v", err)
	}
}

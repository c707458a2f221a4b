package urlnorm

import (
	"strings"
	"testing"
)

// checkFastPath checks that where the fast path answers, the slow path gives
// the same answer.
func checkFastPath(t *testing.T, base URL, ref string) (taken bool) {
	t.Helper()
	clean := trim(ref)
	fast, ok := base.joinPlain(clean)
	if !ok {
		return false
	}
	slow, err := step(base.String(), clean)
	if err != nil || slow != fast.s || fast != index(slow) {
		t.Errorf("%q on %q: fast %#v, slow %q, %v", ref, base, fast, slow, err)
	}
	return true
}

// TestFastPathAgrees combines references from parts, some of which need
// normalising, in every way.
func TestFastPathAgrees(t *testing.T) {
	heads := []string{
		"", "http://x.cn", "https://www.x-y.com.cn", "http://x.cn:8080", "http://x.cn:80", "https://x.cn:443",
		"http://x.cn:080", "http://x.cn:65536", "http://x.cn:", "http://1.2.3.4", "http://1.2.3", "http://01.2.3.4",
		"http://x.1", "http://x.0x1", "http://1x.cn", "http://x.1a", "http://xn--fiqs8s.cn", "http://xn--a.cn", "http://-x.cn",
		"http://x-.cn", "http://x.c-", "http://a--b.cn", "http://X.cn", "http://x..cn", "http://x.cn.", "http://u@x.cn", "http://",
		"//y.cn", "//", "http:", "HTTP://x.cn", "ftp://x.cn", "http://a_b.cn", "http://a.b-c.d1", "https://x.cn:81", "http://[::1]",
	}
	paths := []string{
		"", "/", "/a", "/a/", "//", "//a", "/a//b", "/.", "/..", "/.a", "/a.b", "/a/..", "/a/./b", "/..a/b", "a", "a/b", "./a",
		"./", ".//a", "./.", "../a", "a:b", "a/b:c", "./a:b", "/a:b", "/a;b", "/a;jsessionid=1", "/(S(a))", "/(a)", "/a'b", "/a*b!$&,=+@~_-",
		"/%41", "/%2F", "/%2f", "/%", "/%4", "/%zz", "/%E4%B8", "/%2E%2e", "/a b", "/a\tb", "/a|b", "/a^b", "/a[b]", "/a\"b", "/a`b", "/中", "/\\a",
		"/a{b}", "/\x00", "/\x7f", "/\xff", "httpd",
	}
	queries := []string{
		"", "?", "?a", "?a=1&b=2", "?&", "?a&", "?a&&b", "?utm_source=1", "?a&UTM_x", "?%75tm_x", "?sid=12", "?sid=12345678",
		"?a;b", "?a'b", "?a|b^c`{}", "?a=b?c/d", "?%41", "?%2f", "?%2F", "?%", "?中", "?a b", "?(a)[b]", "?aspsessionidx=1", "?a\\b",
		"?name_that_is_longer_than_thirty_two_bytes=1&aspsessionid_longer_than_thirty_two_bytes=1",
	}
	var bases []URL
	for _, raw := range []string{"http://x.cn/", "https://x.cn:81/a/b;c/d(e?f=g", "http://[::1]//a//"} {
		u, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		bases = append(bases, u)
	}
	bases = append(bases, URL{})
	taken, all := 0, 0
	for i, head := range heads {
		for j, path := range paths {
			for k, query := range queries {
				ref := head + path + query
				if checkFastPath(t, bases[(i+j+k)%len(bases)], ref) {
					taken++
				}
				all++
			}
		}
	}
	if taken < 500 {
		t.Errorf("fast path taken %d times of %d", taken, all)
	}
}

// TestFastPathTaken holds the shapes of links that must be cheap.
func TestFastPathTaken(t *testing.T) {
	base, err := Parse("http://www.chinanews.com/gn/2020/04-02/9145168.shtml")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{
		"http://www.chinanews.com/gn/2020/03-31/9143005.shtml", "https://linux.cn/tags/%E6%94%B6%E8%B4%AD/",
		"http://news.sina.com.cn", "https://x.cn/list.php?cat=3&page=2", "http://127.0.0.1:8080/a", "//x.cn/",
		"http://az-09.x.cn:65535/AZaz09", "https://linux.cn/tags/%EF%BC%8F%A0%99", "http://" + strings.Repeat("a", 63) + ".cn/",
		"http://" + strings.Repeat("a.", 125) + "com/a%2F", "?a=%2F", "/gj/", "t20200330_1.html",
		"./t20200330_1.html", "?page=2", "#top", "",
	} {
		if _, ok := base.joinPlain(trim(ref)); !ok {
			t.Errorf("slow path for %q", ref)
		}
	}
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := Parse("https://x.cn/list.php?cat=3&page=2#top"); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations for a canonical URL, want none", allocs)
	}
}

func BenchmarkResolve(b *testing.B) {
	base, err := Parse("http://www.chinanews.com/gn/2020/04-02/9145168.shtml")
	if err != nil {
		b.Fatal(err)
	}
	for _, bm := range []struct{ name, ref string }{
		{"absolute", "http://www.chinanews.com/gn/2020/03-31/9143005.shtml"},
		{"query", "http://www.chinanews.com/list.php?cat=3&page=2&order=desc"},
		{"path", "/gj/2020/03-31/9143005.shtml"},
		{"relative", "./t20200330_9143005.html"},
		{"slow", "../HTML/%e4%b8%ad.html?utm_source=a"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := base.Resolve(bm.ref, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

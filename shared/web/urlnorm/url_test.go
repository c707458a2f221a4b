package urlnorm

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sluice/shared/fault"
)

func TestParse(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"as it is", "http://www.x.cn/a/b.html?id=3", "http://www.x.cn/a/b.html?id=3"},
		{"blanks around", " \t\n\u3000http://x.cn/a \r\n", "http://x.cn/a"},
		{"line break inside", "http://x.cn/a\n/b", "http://x.cn/a/b"},
		{"blank inside", "http://x.cn/a b", "http://x.cn/a%20b"},
		{"scheme and host case", "HTTP://WWW.X.CN/A", "http://www.x.cn/A"},
		{"empty path", "https://x.cn", "https://x.cn/"},
		{"empty path before query", "https://x.cn?a=1", "https://x.cn/?a=1"},
		{"backslashes", `http:\\x.cn\a\b`, "http://x.cn/a/b"},
		{"missing and extra slashes", "http:x.cn/a", "http://x.cn/a"},
		{"user and password", "http://u:p@x.cn/", "http://x.cn/"},
		{"user that is a host", "http://www.x.cn@y.cn/", "http://y.cn/"},
		{"fragment", "http://x.cn/a#b?c", "http://x.cn/a"},
		{"blank before fragment", "http://x.cn/a #b", "http://x.cn/a"},
		{"default port http", "http://x.cn:80/", "http://x.cn/"},
		{"default port https", "https://x.cn:0443/", "https://x.cn/"},
		{"other port", "http://x.cn:8080/", "http://x.cn:8080/"},
		{"other scheme's port", "https://x.cn:80/", "https://x.cn:80/"},
		{"empty port", "http://x.cn:/", "http://x.cn/"},
		{"idn", "http://新闻.中国/", "http://xn--efvy88h.xn--fiqs8s/"},
		{"idn escaped", "http://%E6%96%B0%E9%97%BB.%E4%B8%AD%E5%9B%BD/", "http://xn--efvy88h.xn--fiqs8s/"},
		{"characters of a host", "HTTP://az-09_.x.cn/", "http://az-09_.x.cn/"},
		{"full-width host", "http://ｗｗｗ．x。cn/", "http://www.x.cn/"},
		{"dot behind host", "http://x.cn./a", "http://x.cn/a"},
		{"underscore in host", "http://a_b.x.cn/", "http://a_b.x.cn/"},
		{"hex ipv4", "http://0x7f.1/", "http://127.0.0.1/"},
		{"decimal ipv4", "http://2130706433/", "http://127.0.0.1/"},
		{"octal ipv4", "http://0177.0.0.01/", "http://127.0.0.1/"},
		{"ipv6", "http://[0:0::1]:80/", "http://[::1]/"},
		{"escapes upper", "http://x.cn/%e4%b8%ad?q=%e4%b8%ad", "http://x.cn/%E4%B8%AD?q=%E4%B8%AD"},
		{"escapes upper, all digits", "http://x.cn/%ef%bb%bf%a0%99", "http://x.cn/%EF%BB%BF%A0%99"},
		{"unreserved decoded", "http://x.cn/%7Ea%2d%41?%61=%5f", "http://x.cn/~a-A?a=_"},
		{"unreserved decoded, first and last", "http://x.cn/%41%5A%61%7A%30%39", "http://x.cn/AZaz09"},
		{"beside unreserved", "http://x.cn/%40%5B%60%7B%2F%3A", "http://x.cn/%40%5B%60%7B%2F%3A"},
		{"reserved kept", "http://x.cn/a%2Fb%3f?a=%26%3d", "http://x.cn/a%2Fb%3F?a=%26%3D"},
		{"text escaped", "http://x.cn/中?q=中", "http://x.cn/%E4%B8%AD?q=%E4%B8%AD"},
		{"lone percent", "http://x.cn/100%?p=5%zz", "http://x.cn/100%25?p=5%25zz"},
		{"escape cut short", "http://x.cn/%4?q=%4", "http://x.cn/%254?q=%254"},
		{"percent before escape", "http://x.cn/%%34%31", "http://x.cn/%2541"},
		{"bar and caret", "http://x.cn/a|b^c", "http://x.cn/a%7Cb%5Ec"},
		{"dot segments", "http://x.cn/a/./b/../../c/%2e%2E/d/..", "http://x.cn/"},
		{"above the root", "http://x.cn/../../a", "http://x.cn/a"},
		{"empty segments stay", "http://x.cn/a//b/", "http://x.cn/a//b/"},
		{"empty query", "http://x.cn/a?", "http://x.cn/a"},
		{"query order stays", "http://x.cn/?b=2&a=1&b=1&c", "http://x.cn/?b=2&a=1&b=1&c"},
		{"empty parts", "http://x.cn/?&a=1&&b=&", "http://x.cn/?a=1&b="},
		{"question mark in query", "http://x.cn/?u=/a?b", "http://x.cn/?u=/a?b"},
		{"tracking", "http://x.cn/?utm_source=a&id=1&UTM_Medium=b&gclid=c&spm=1.2.3", "http://x.cn/?id=1"},
		{"only tracking", "http://x.cn/?utm_source=a", "http://x.cn/"},
		{"tracking with escaped name", "http://x.cn/?%75tm%5Fsource=a", "http://x.cn/"},
		{"from is content", "http://x.cn/?from=beijing&ref=1&source=x", "http://x.cn/?from=beijing&ref=1&source=x"},
		{"utm without underscore", "http://x.cn/?utm=50N", "http://x.cn/?utm=50N"},
		{"session in query", "http://x.cn/?PHPSESSID=a&id=1&JSESSIONID=b&sessionid=&ASPSESSIONIDQQ=c", "http://x.cn/?id=1"},
		{"session in path", "http://x.cn/a;jsessionid=1F.n1/b;PHPSESSID=2;v=1?x=1", "http://x.cn/a/b;v=1?x=1"},
		{"session behind the root", "http://x.cn/;jsessionid=1763712000", "http://x.cn/"},
		{"session behind a parameter", "http://x.cn/?id=1;jsessionid=abc&p=2", "http://x.cn/?id=1&p=2"},
		{"session hides dots", "http://x.cn/a/b/..;jsessionid=1/c", "http://x.cn/a/c"},
		{"asp.net session", "http://x.cn/app/(S(lit3py55t21z5v55vlm25s55))/p.aspx", "http://x.cn/app/p.aspx"},
		{"asp.net session alone", "http://x.cn/(X(1)S(abc))", "http://x.cn/"},
		{"asp.net session without a token", "http://x.cn/(S())/p.aspx", "http://x.cn/p.aspx"},
		{"parentheses are no session", "http://x.cn/wiki/Go_(S(x))/(a)/((", "http://x.cn/wiki/Go_(S(x))/(a)/(("},
		{"nor are others of their form", "http://x.cn/(see(x))/(S(a)T(b))", "http://x.cn/(see(x))/(S(a)T(b))"},
		{"sid nano", "http://x.cn/?sid=1763712000123456789", "http://x.cn/"},
		{"sid date", "http://x.cn/?sid=20200330", "http://x.cn/?sid=20200330"},
		{"sid number of 10", "http://x.cn/?sid=1234567890", "http://x.cn/"},
		{"sid number of 9", "http://x.cn/?sid=123456789", "http://x.cn/?sid=123456789"},
		{"sid token", "http://x.cn/?a=1&sid=9f86d081884c7d65", "http://x.cn/?a=1"},
		{"sid token in parts", "http://x.cn/?sid=9f86-d081-884c", "http://x.cn/"},
		{"sid token and more", "http://x.cn/?sid=9f86d081884c%20x", "http://x.cn/?sid=9f86d081884c%20x"},
		{"sid of 8, 3 changes", "http://x.cn/?sid=ab12cd34", "http://x.cn/"},
		{"sid of 8, 2 changes", "http://x.cn/?sid=abc123de", "http://x.cn/?sid=abc123de"},
		{"sid of 7", "http://x.cn/?sid=a1b2c3d", "http://x.cn/?sid=a1b2c3d"},
		{"sid of 20 with a digit", "http://x.cn/?sid=thequickbrownfoxjum1", "http://x.cn/"},
		{"sid of 20 letters", "http://x.cn/?sid=thequickbrownfoxjump", "http://x.cn/?sid=thequickbrownfoxjump"},
		{"sid of 19 with a digit", "http://x.cn/?sid=thequickbrownfoxju1", "http://x.cn/?sid=thequickbrownfoxju1"},
		{"sid article", "http://x.cn/?sid=12", "http://x.cn/?sid=12"},
		{"sid section", "http://x.cn/?sid=politics&b=1", "http://x.cn/?sid=politics&b=1"},
		{"sid section and year", "http://x.cn/?sid=sports2020", "http://x.cn/?sid=sports2020"},
		{"jsp path parameter that is none", "http://x.cn/a;v=1.2", "http://x.cn/a;v=1.2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, u.String()); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tt.raw, diff)
			}
			checkCanonical(t, u)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	long := "http://x.cn/" + strings.Repeat("a", MaxLen)
	tests := []struct {
		name, raw string
		want      error
		rule      string
	}{
		{"empty", "", errSyntax, ruleSyntax},
		{"blank", " \t", errSyntax, ruleSyntax},
		{"no scheme", "www.x.cn", errSyntax, ruleSyntax},
		{"no scheme with port", "www.x.cn:80/a", errScheme, ruleScheme},
		{"no scheme, a digit first, with port", "1x.cn:80/a", errSyntax, ruleSyntax},
		{"only a colon", ":80/a", errSyntax, ruleSyntax},
		{"path", "/a/b", errSyntax, ruleSyntax},
		{"mail", "mailto:a@x.cn", errScheme, ruleScheme},
		{"script", "javascript:void(0)", errScheme, ruleScheme},
		{"script with a tab", "java\tscript:void(0)", errScheme, ruleScheme},
		{"long data", "data:image/png;base64," + strings.Repeat("A", 1<<20), errScheme, ruleScheme},
		{"long, with a dash in its scheme", "view-source:" + strings.Repeat("A", 1<<20), errScheme, ruleScheme},
		{"file", "file:///etc/passwd", errScheme, ruleScheme},
		{"ftp without host", "ftp://", errScheme, ruleScheme},
		{"no host", "http://", errSyntax, ruleSyntax},
		{"port out of range", "http://x.cn:99999/", errSyntax, ruleSyntax},
		{"port no number", "http://x.cn:a/", errSyntax, ruleSyntax},
		{"endless user", "http://" + strings.Repeat("@", 4000) + "x.cn/", errSyntax, ruleSyntax},
		{"endless host", "ht\ntp:" + strings.Repeat("中", 400) + ".cn/", errSyntax, ruleSyntax},
		{"blank in host", "http://x y.cn/", errSyntax, ruleSyntax},
		{"empty label", "http://x..cn/", errSyntax, ruleSyntax},
		{"two dots behind host", "http://X.cn../", errSyntax, ruleSyntax},
		{"dots", "http://./", errSyntax, ruleSyntax},
		{"brace in host", "http://{{host}}/", errSyntax, ruleSyntax},
		{"long label", "http://" + strings.Repeat("a", 64) + ".cn/", errSyntax, ruleSyntax},
		{"long host", "http://" + strings.Repeat("a.", 130) + "cn/", errSyntax, ruleSyntax},
		{"ipv4 overflow", "http://256.256.256.256/", errSyntax, ruleSyntax},
		{"ipv6 open", "http://[::1/", errSyntax, ruleSyntax},
		{"ipv6 zone", "http://[fe80::1%25eth0]/", errSyntax, ruleSyntax},
		{"bad punycode", "http://xn--a/", errSyntax, ruleSyntax},
		{"too long", long, errTooLong, ruleTooLong},
		{"too long once escaped", "http://x.cn/" + strings.Repeat("中", 300), errTooLong, ruleTooLong},
		{"far too long", "http://x.cn/" + strings.Repeat("@", 1<<20), errTooLong, ruleTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if !errors.Is(err, tt.want) {
				t.Fatalf("Parse = %q, %v; want %v", u, err, tt.want)
			}
			f := fault.Of(err)
			if f.Class != fault.Permanent || f.Rule != tt.rule {
				t.Errorf("class %v, rule %q; want permanent, %q", f.Class, f.Rule, tt.rule)
			}
			if len(err.Error()) > 600 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestLongestURL(t *testing.T) {
	raw := "http://x.cn/" + strings.Repeat("a", MaxLen-len("http://x.cn/"))
	if _, err := Parse(raw); err != nil {
		t.Errorf("%d bytes: %v", len(raw), err)
	}
	if _, err := Parse(raw + "a"); !errors.Is(err, errTooLong) {
		t.Errorf("%d bytes: %v", len(raw)+1, err)
	}
	if _, err := Parse(raw + "#" + strings.Repeat("f", 1<<20)); err != nil {
		t.Errorf("with a long fragment: %v", err)
	}
}

// TestLimits checks each limit of a URL and of its parts at the limit and one
// byte above it, on the fast path and on the slow one.
func TestLimits(t *testing.T) {
	x := strings.Repeat
	for _, tt := range []struct {
		name, at, above string
		want            error // above the limit
	}{
		{"URL", "HTTP://x.cn/" + x("a", MaxLen-12), "HTTP://x.cn/" + x("a", MaxLen-11), errTooLong},
		{"source", "http://x.cn/?" + x("&", 4*MaxLen-13), "http://x.cn/?" + x("&", 4*MaxLen-12), errTooLong},
		{"authority", "http://" + x("u", 1019) + "@x.cn/", "http://" + x("u", 1020) + "@x.cn/", errSyntax},
		{"authority without a scheme", "//" + x("u", 1019) + "@x.cn/", "//" + x("u", 1020) + "@x.cn/", errSyntax},
		{"host", "http://" + x("a.", 125) + "com/", "http://" + x("a.", 125) + "comm/", errSyntax},
		{"host in capitals", "http://" + x("A.", 125) + "com/", "http://" + x("A.", 125) + "comm/", errSyntax},
		{"label", "http://" + x("a", 63) + ".cn/", "http://" + x("a", 64) + ".cn/", errSyntax},
		{"label in capitals", "http://" + x("A", 63) + ".cn/", "http://" + x("A", 64) + ".cn/", errSyntax},
		{"port", "http://x.cn:65535/", "http://x.cn:65536/", errSyntax},
	} {
		base := mustParse(t, "http://y.cn/")
		if _, err := base.Resolve(tt.at, nil); err != nil {
			t.Errorf("%s at the limit: %v", tt.name, err)
		}
		if u, err := base.Resolve(tt.above, nil); !errors.Is(err, tt.want) {
			t.Errorf("%s above the limit: %q, %v; want %v", tt.name, u, err, tt.want)
		}
	}
}

func TestParts(t *testing.T) {
	type parts struct{ Scheme, Host, Authority, Path, Query string }
	tests := []struct {
		raw  string
		want parts
	}{
		{"http://WWW.x.cn/a/b?c=d?e", parts{"http", "www.x.cn", "www.x.cn", "/a/b", "c=d?e"}},
		{"https://x.cn:8443", parts{"https", "x.cn", "x.cn:8443", "/", ""}},
		{"http://[::1]/a:b", parts{"http", "::1", "[::1]", "/a:b", ""}},
		{"http://[::1]:8080/", parts{"http", "::1", "[::1]:8080", "/", ""}},
		{"http://[1::]:8080/a", parts{"http", "1::", "[1::]:8080", "/a", ""}},
		{"http://127.1:81/?", parts{"http", "127.0.0.1", "127.0.0.1:81", "/", ""}},
	}
	for _, tt := range tests {
		u, err := Parse(tt.raw)
		if err != nil {
			t.Fatal(err)
		}
		got := parts{u.Scheme(), u.Host(), u.Authority(), u.Path(), u.Query()}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.raw, diff)
		}
		if host := HostOf(u.String()); host != tt.want.Host {
			t.Errorf("HostOf(%s) = %q, want %q", u, host, tt.want.Host)
		}
	}
	var zero URL
	if got := (parts{zero.Scheme(), zero.Host(), zero.Authority(), zero.Path(), zero.Query()}); got != (parts{}) || !zero.IsZero() {
		t.Errorf("zero URL has parts %+v", got)
	}
}

func TestResolve(t *testing.T) {
	const base = "http://www.x.cn/news/2020/a.html?id=1"
	tests := []struct{ name, ref, want string }{
		{"absolute", "https://y.cn/b", "https://y.cn/b"},
		{"other host, same scheme", "//y.cn/b", "http://y.cn/b"},
		{"path", "/b/c.html", "http://www.x.cn/b/c.html"},
		{"file", "b.html", "http://www.x.cn/news/2020/b.html"},
		{"file, dot", "./b.html?p=2", "http://www.x.cn/news/2020/b.html?p=2"},
		{"up", "../b.html", "http://www.x.cn/news/b.html"},
		{"dot", ".", "http://www.x.cn/news/2020/"},
		{"dot slash", "./", "http://www.x.cn/news/2020/"},
		{"dot slash slash", ".//b", "http://www.x.cn/news/2020//b"},
		{"query", "?p=2", "http://www.x.cn/news/2020/a.html?p=2"},
		{"empty query", "?", "http://www.x.cn/news/2020/a.html"},
		{"fragment", "#top", base},
		{"empty", "", base},
		{"same-scheme relative", "http:b.html", "http://www.x.cn/news/2020/b.html"},
		{"same-scheme query", "http:?q=" + strings.Repeat("a", 1100), "http://www.x.cn/news/2020/a.html?q=" + strings.Repeat("a", 1100)},
		{"begins like a scheme", "httpd.html", "http://www.x.cn/news/2020/httpd.html"},
		{"colon in a later segment", "b/c:d", "http://www.x.cn/news/2020/b/c:d"},
		{"colon in query", "b?c:d", "http://www.x.cn/news/2020/b?c:d"},
		{"nano session", "/?sid=1763712000123456789", "http://www.x.cn/"},
		{"path session", "/;jsessionid=1763712000123456790", "http://www.x.cn/"},
		{"long file name", strings.Repeat("%e4%b8%ad", 150), "http://www.x.cn/news/2020/" + strings.Repeat("%E4%B8%AD", 150)},
		{"text", "搜索?词=财经", "http://www.x.cn/news/2020/%E6%90%9C%E7%B4%A2?%E8%AF%8D=%E8%B4%A2%E7%BB%8F"},
	}
	u, err := Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := u.Resolve(tt.ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("Resolve(%q) = %q, want %q", tt.ref, got, tt.want)
			}
			checkCanonical(t, got)
		})
	}
}

func TestResolveLegacyQuery(t *testing.T) {
	gbk := func(s string) []byte {
		b, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(s))
		if err != nil {
			return nil
		}
		return b
	}
	references := func(string) []byte { return []byte("&#24120;") }
	tests := []struct {
		name, ref, want string
		encode          func(string) []byte
	}{
		{"query in gbk, path in utf-8", "/中?q=中文&a=b", "http://x.cn/%E4%B8%AD?q=%D6%D0%CE%C4&a=b", gbk},
		{"second byte in ascii", "?q=丂丄", "http://x.cn/?q=%81%40%81A", gbk},
		{"not in the fragment", "?q=中#?中", "http://x.cn/?q=%D6%D0", gbk},
		{"escapes stay", "?q=%e4%b8%ad", "http://x.cn/?q=%E4%B8%AD", gbk},
		{"text with the byte 0x80", "?q=一", "http://x.cn/?q=%D2%BB", gbk},
		{"no encoding for it", "?q=😀", "http://x.cn/?q=%F0%9F%98%80", gbk},
		{"character references", "?q=常", "http://x.cn/?q=%26%2324120%3B", references},
		{"invalid utf-8", "?q=\xff", "http://x.cn/?q=%EF%BF%BD", gbk},
	}
	base, err := Parse("http://x.cn/")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := base.Resolve(tt.ref, tt.encode)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("Resolve(%q) = %q, want %q", tt.ref, got, tt.want)
			}
			checkCanonical(t, got)
		})
	}
}

// checkCanonical checks what callers rely on in any URL.
func checkCanonical(t *testing.T, u URL) {
	t.Helper()
	again, err := Parse(u.String())
	if err != nil || again != u {
		t.Errorf("Parse(%q) again = %q, %v", u, again, err)
	}
	if len(u.String()) > MaxLen {
		t.Errorf("%d bytes", len(u.String()))
	}
	// net/http must send exactly this URL.
	std, err := url.Parse(u.String())
	if err != nil {
		t.Errorf("net/url refuses it: %v", err)
		return
	}
	if std.String() != u.String() || std.EscapedPath() != u.Path() || std.RawQuery != u.Query() ||
		std.Host != u.Authority() || std.Hostname() != u.Host() || std.Scheme != u.Scheme() {
		t.Errorf("net/url reads %q as %#v", u, std)
	}
}

func FuzzResolve(f *testing.F) {
	for _, seed := range [][2]string{
		{"http://x.cn/a/b?c", "../d;jsessionid=1"},
		{"https://新闻.cn:8443/", "//0x7f.1:80/%7e%zz|?q=中&sid=12345678"},
		{"http://[::1]/", "./a/(S(x))/..;sessionid=1/?&&a"},
		{"http://x.cn/", "http://u@a@[1::2]:0/\\..\\.%2e"},
		{"", "http://1.2.3.-4/"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, rawBase, ref string) {
		base, _ := Parse(rawBase) // zero if there is none
		u, err := base.Resolve(ref, nil)
		if err != nil {
			if !u.IsZero() || !errors.Is(err, errScheme) && !errors.Is(err, errSyntax) && !errors.Is(err, errTooLong) {
				t.Errorf("Resolve = %q, %v", u, err)
			}
			return
		}
		checkCanonical(t, u)
		for _, part := range []string{base.String(), u.String()} {
			checkFastPath(t, base, part)
		}
		checkFastPath(t, base, ref)
	})
}

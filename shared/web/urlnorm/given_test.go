package urlnorm

import (
	"strings"
	"testing"
)

// An address that somebody gives is whole, and alone; the error says what to write instead.
func TestGiven(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"http://x.cn":                "http://x.cn/",
		" https://x.cn/a?b=c@d#e\n":  "https://x.cn/a?b=c@d",
		"HTTP://新闻.中国/100%":          "http://xn--efvy88h.xn--fiqs8s/100%25",
		"http://[::1]:81/@a":         "http://[::1]:81/@a",
		"www.example.com":            "whole http or https address",
		"www.example.com:80/a":       "whole http or https address",
		"//x.cn/a":                   "whole http or https address",
		"":                           "whole http or https address",
		"http://":                    "whole http or https address",
		"http:///a":                  "whole http or https address",
		"https:x.cn":                 "whole http or https address",
		"file:///etc/passwd":         "whole http or https address",
		"ftp://x.cn/":                "whole http or https address",
		"http://x.cn:99999/":         "whole http or https address",
		"http://:80/":                "whole http or https address",
		"http://[bad/":               "whole http or https address",
		"http://%zz/":                "whole http or https address",
		"http://a.cn/ http://b.cn/":  "one address alone",
		"http://a.cn/\nhttp://b.cn/": "one address alone",
		"http://a.cn/#b c":           "one address alone",
		"http://a.cn/,https://b.cn/": "one address alone",
		"http://a.cn;HTTP://b.cn":    "one address alone",
		"http://a.cn/http://b.cn/":   "http://a.cn/http://b.cn/",
		"http://a.cn/?b,http://c.cn": "http://a.cn/?b,http://c.cn",
		"http://u:secret@x.cn/":      "\"http://…@x.cn/\": remove the user name and password",
		"http://u@x.cn":              "user name and password",
		"http://x.cn/" + strings.Repeat("a", 100_000):          "longer than 2048 bytes",
		"http://x.cn/?utm_source=" + strings.Repeat("a", 4000): "http://x.cn/",
	} {
		u, err := Given(raw)
		if fine := Advice(raw) == ""; fine != (err == nil) {
			t.Errorf("%.50q: advice %q beside %v", raw, Advice(raw), err)
		}
		if strings.HasPrefix(want, "http") {
			if err != nil || u.String() != want {
				t.Errorf("%q: %v, %v; want %s", raw, u, err, want)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || len(err.Error()) > 300 {
			t.Errorf("%.50q: %v, want a short error with %q and no password", raw, err, want)
		}
	}
}

package fetch

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sluice/shared/fault"
)

func TestStatus(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name   string
		status int
		retry  string
		class  fault.Class
		rule   string // empty for no error
		delay  time.Duration
	}{
		{name: "ok", status: 200},
		{name: "no content", status: 204},
		{name: "redirect", status: 301},
		{name: "not modified", status: 304},
		{"bad request", 400, "", fault.Permanent, "http_400", 0},
		{"not found", 404, "", fault.Permanent, "http_404", 0},
		{"gone", 410, "5", fault.Permanent, "http_410", 0},
		{"request timeout", 408, "", fault.Retryable, "http_408", 0},
		{"too early", 425, "", fault.Retryable, "http_425", 0},
		{"server error", 500, "", fault.Retryable, "http_500", 0},
		{"server error that names a time", 500, "5", fault.After, "http_500", 5 * time.Second},
		{"bad gateway", 502, "", fault.Retryable, "http_502", 0},
		{"last server error", 599, "", fault.Retryable, "http_599", 0},
		{"above server errors", 600, "", fault.Permanent, "http_600", 0},
		{"out of range", 999, "", fault.Permanent, "http_999", 0},
		{"upgrade", 101, "", fault.Permanent, "http_101", 0},
		{"busy without a delay", 503, "", fault.After, "http_503", 30 * time.Second},
		{"busy, seconds", 503, " 7 ", fault.After, "http_503", 7 * time.Second},
		{"limit, seconds", 429, "120", fault.After, "http_429", 2 * time.Minute},
		{"zero", 429, "0", fault.After, "http_429", time.Second},
		{"over an hour", 429, "86400", fault.After, "http_429", time.Hour},
		{"overflow", 429, "99999999999999999999999", fault.After, "http_429", time.Hour},
		{"negative", 429, "-5", fault.After, "http_429", 30 * time.Second},
		{"fraction", 429, "1.5", fault.After, "http_429", 30 * time.Second},
		{"rubbish", 429, "soon", fault.After, "http_429", 30 * time.Second},
		{"date", 503, "Fri, 20 Nov 2026 12:00:45 GMT", fault.After, "http_503", 45 * time.Second},
		{"old date form", 503, "Friday, 20-Nov-26 12:01:00 GMT", fault.After, "http_503", time.Minute},
		{"date in the past", 503, "Fri, 20 Nov 2020 12:00:45 GMT", fault.After, "http_503", time.Second},
		{"date far ahead", 503, "Fri, 20 Nov 2099 12:00:45 GMT", fault.After, "http_503", time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Status(&Response{Status: tt.status, Header: http.Header{"Retry-After": {tt.retry}}}, now)
			if tt.rule == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantFault(t, err, tt.class, tt.rule)
			if d := fault.Of(err).Delay; d != tt.delay {
				t.Errorf("delay %v, want %v", d, tt.delay)
			}
		})
	}
}

func TestUserAgent(t *testing.T) {
	tests := []struct {
		name, version, contact string
		want                   string // empty for an error
	}{
		{"URL", "0.1", "https://example.org/bot?a=b", "sluice/0.1 (+https://example.org/bot?a=b)"},
		{"e-mail", "0.1", "crawl@example.org", "sluice/0.1 (+crawl@example.org)"},
		{"mailto", "0.1", "mailto:crawl@example.org", "sluice/0.1 (+mailto:crawl@example.org)"},
		{"none", "1.2-rc", "", "sluice/1.2-rc"},
		{"all of ASCII", "0.1", "https://example.org/!#$%25&'*+-./:=?@[]^_`{|}~", "sluice/0.1 (+https://example.org/!#$%25&'*+-./:=?@[]^_`{|}~)"},
		{"the longest", "0.1", "https://example.org/" + strings.Repeat("a", 180), "sluice/0.1 (+https://example.org/" + strings.Repeat("a", 180) + ")"},
		{"longer", "0.1", "https://example.org/" + strings.Repeat("a", 181), ""},
		{"a space", "0.1", "https://example.org/a b", ""},
		{"no version", "", "crawl@example.org", ""},
		{"version with a space", "0.1 beta", "crawl@example.org", ""},
		{"a word", "0.1", "me", ""},
		{"line break", "0.1", "https://example.org/\r\nX: y", ""},
		{"opens a comment", "0.1", "https://example.org/(", ""},
		{"closes the comment", "0.1", "https://example.org/)evil(", ""},
		{"display name", "0.1", "Me <crawl@example.org>", ""},
		{"two addresses", "0.1", "a@example.org,b@example.org", ""},
		{"host of this machine", "0.1", "http://localhost/", "sluice/0.1 (+http://localhost/)"},
		{"mail of this machine", "0.1", "root@localhost", "sluice/0.1 (+root@localhost)"},
		{"other scheme", "0.1", "ftp://example.org/", ""},
		{"no host", "0.1", "https:///a.b", ""},
		{"password", "0.1", "https://a:b@example.org/", ""},
		{"not ASCII", "0.1", "https://例子.cn/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := UserAgent("", tt.version, tt.contact)
			if got != tt.want || (err != nil) != (tt.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// The operator's name comes first; it cannot take the place of product and contact.
func TestUserAgentWithName(t *testing.T) {
	for name, want := range map[string]string{
		"lab-bot/2.0":                           "lab-bot/2.0 sluice/0.1 (+a@example.org)",
		"Mozilla/5.0 (compatible; lab-bot/2.0)": "Mozilla/5.0 (compatible; lab-bot/2.0) sluice/0.1 (+a@example.org)",
		"a\r\nX: y":                             "",
		" lab-bot":                              "",
		" ":                                     "",
		"机器人":                                   "",
		strings.Repeat("a", 201):                "",
	} {
		if got, err := UserAgent(name, "0.1", "a@example.org"); got != want || (err != nil) != (want == "") {
			t.Errorf("%q: got %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestAcceptable(t *testing.T) {
	tests := []struct {
		kind, path string
		want       bool
	}{
		{"text/html; charset=gbk", "/", true},
		{"TEXT/HTML", "/", true},
		{"text/html charset=gbk", "/", true},
		{"text/html,text/html", "/", true},
		{`"text/html"`, "/", true},
		{"application/xhtml+xml", "/", true},
		{"application/rss+xml", "/", true},
		{"application/atom+xml", "/", true},
		{"application/xml", "/", true},
		{"text/plain", "/", true},
		{"", "/", true},
		{"html", "/", true},
		{`; charset="a/b"`, "/", true},
		{"*/*", "/", true},
		{"image/svg+xml", "/", false},
		{"image/png", "/", false},
		{"video/mp4", "/", false},
		{"audio/mpeg", "/", false},
		{"application/pdf", "/", false},
		{"application/zip", "/", false},
		{"application/json", "/", false},
		{"application/octet-stream", "/", false},
		{"application/octet-stream", "/sitemap.xml.gz", true},
		{"text/css", "/", false},
		{"text/javascript", "/", false},
		{"application/x-gzip", "/sitemap.xml.GZ", true},
		{"application/gzip", "/sitemap", false},
	}
	for _, tt := range tests {
		if got := acceptable(tt.kind, tt.path); got != tt.want {
			t.Errorf("Acceptable(%q, %q) = %v", tt.kind, tt.path, got)
		}
	}
}

package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/optout"
	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

// exported lets rules be compared whole.
var exported = cmp.Exporter(func(reflect.Type) bool { return true })

// verdicts lists URLs or paths, "+" before those that are allowed.
func verdicts(r *Rules, urls []string) []string {
	var out []string
	for _, u := range urls {
		sign := "-"
		if r.Allowed(u[1:]) {
			sign = "+"
		}
		out = append(out, sign+u[1:])
	}
	return out
}

func TestRulesAllowed(t *testing.T) {
	star := func(rules string) string { return "User-agent: *\n" + rules }
	tests := []struct {
		name, body string
		want       []string
	}{
		{"empty file", "", []string{"+/", "+/a"}},
		{"all", star("Disallow: /"), []string{"-/", "-/a?b", "+/robots.txt", "-/robots.txt.bak", "-https://a.test", "-https://a.test?b", "-https://a.test/#/robots.txt"}},
		{"empty Disallow", star("Disallow:"), []string{"+/"}},
		{"space before the colon", star("Disallow : /a"), []string{"-/a", "+/b"}},
		{"no colon", star("Disallow /a"), []string{"-/a", "+/b"}},
		{"prefix and case", star("Disallow: /fish"), []string{"-/fish", "-/fishheads/y.html", "-/fish.php?id=x", "+/Fish", "+/catfish", "+/?id=fish"}},
		{"folder", star("Disallow: /fish/"), []string{"-/fish/", "-/fish/salmon", "+/fish", "+/fish.html"}},
		{"longest wins", star("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c"), []string{"-/a", "+/a/b", "-/a/b/c", "+/b"}},
		{"tie is allow", star("Disallow: /p\nAllow: /p"), []string{"+/p"}},
		{"allow a page in a folder", star("Allow: /p\nDisallow: /"), []string{"+/page", "-/a"}},
		{"wildcard", star("Disallow: /*.php"), []string{"-/a.php", "-/f/x.php?y", "-/a.php5", "+/a.PHP", "+/"}},
		{"anchor", star("Disallow: /*.php$"), []string{"-/a.php", "+/a.php?x", "+/a.php5", "-/a.php/b.php"}},
		{"anchor without wildcard", star("Allow: /$\nDisallow: /"), []string{"+/", "+https://a.test", "-/a"}},
		{"wildcard inside", star("Disallow: /fish*.php"), []string{"-/fish.php", "-/fishheads/cat.php?x", "+/Fish.PHP"}},
		{"wildcard first", star("Disallow: *.pdf"), []string{"-/a/b.pdf", "+/a"}},
		{"wildcard last", star("Disallow: /a*"), []string{"-/a", "-/ab", "+/b"}},
		{"many wildcards", star("Disallow: /a**b***c"), []string{"-/abc", "-/a1b2c3", "+/acb"}},
		{"wildcard needs room", star("Disallow: /*ab*ba$"), []string{"+/aba", "-/abba", "-/ab_ba", "-/abba/ba"}},
		{"dollar inside is a character", star("Disallow: /a$b"), []string{"-/a$b", "-/a%24b", "+/a"}},
		{"escaped star is a character", star("Disallow: /a%2Ab"), []string{"-/a*b", "-/a%2ab", "+/axb"}},
		{"keys that begin like a rule", star("Disallow-AI: /a\nAllow-AI: /a/b\nDisallow: /b\nAllow-AI: /b/c"), []string{"-/a", "-/a/b", "-/b/c", "+/c"}},
		{"keys about use", star("DisallowAITraining: /a\n disallowaitraining : /\nDisallow: /b\nAllowAITraining: /b/c"), []string{"+/a", "-/b/c"}},
		{"query", star("Disallow: /*?sort="), []string{"-/a?sort=b", "+/a?b"}},
		{"no leading slash", star("Disallow: fish"), []string{"+/fish", "+/"}},

		{"escape in lower case", star("Disallow: /a%3cd"), []string{"-/a%3Cd", "-/a%3cd", "+/a%3C"}},
		{"escape in upper case", star("Disallow: /a%3Cd"), []string{"-/a%3cd", "-/a<d"}},
		{"needless escape in the rule", star("Disallow: /%62%61%7A"), []string{"-/baz", "-/%62az"}},
		{"needless escape in the URL", star("Disallow: /~joe"), []string{"-/%7Ejoe", "-/%7ejoe"}},
		{"reserved stays different", star("Disallow: /a%2fb"), []string{"-/a%2Fb", "+/a/b"}},
		{"UTF-8 rule", star("Disallow: /新闻"), []string{"-/%E6%96%B0%E9%97%BB/1", "-/%e6%96%b0%e9%97%bb", "-/新闻", "+/%E6%96%B0"}},
		{"escaped UTF-8 rule in lower case", star("Disallow: /%e6%96%b0"), []string{"-/%E6%96%B0", "-/新"}},
		{"escaped and bare", star("Disallow: /%e6%96%b0闻"), []string{"-/新闻"}},
		{"GBK rule", star("Disallow: /\xd0\xc2"), []string{"-/%D0%C2"}},
		{"lone percent", star("Disallow: /100%"), []string{"-/100%", "-/100%25", "+/100"}},

		{"our group", "User-agent: sluice\nDisallow: /a\n\nUser-agent: *\nDisallow: /", []string{"-/a", "+/b"}},
		{"our group last, in another case", "User-agent: *\nDisallow: /\nUser-agent: SLUICE\nDisallow: /a", []string{"-/a", "+/b"}},
		{"our group with a version", "User-agent: Sluice/0.1 (x)\nDisallow: /a", []string{"-/a", "+/b"}},
		{"our group is empty", "User-agent: sluice\nDisallow:\n\nUser-agent: *\nDisallow: /", []string{"+/a"}},
		{"a longer name is another", "User-agent: sluicebot\nDisallow: /\nUser-agent: sluice-x\nDisallow: /\nUser-agent: sluice2\nDisallow: /", []string{"+/a"}},
		{"groups merge", "User-agent: sluice\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: sluice\nDisallow: /b", []string{"-/a", "-/b", "+/c"}},
		{"stars merge", star("Disallow: /a\nUser-agent: x\nDisallow: /c\n") + star("Disallow: /b"), []string{"-/a", "-/b", "+/c"}},
		{"shared group", "User-agent: x\nUser-agent: sluice\nUser-agent: y\nDisallow: /a", []string{"-/a", "+/b"}},
		{"a sitemap doesn't part a group", "User-agent: sluice\nSitemap: /s\n\nUser-agent: x\nDisallow: /a", []string{"-/a"}},
		{"a delay doesn't part a group", "User-agent: sluice\nCrawl-delay: 1\nUser-agent: x\nDisallow: /a", []string{"-/a"}},
		{"rules before any group", "Disallow: /a\nUser-agent: *\nDisallow: /b", []string{"+/a", "-/b"}},
		{"comments", "User-agent: * # all\nDisallow: /a # not this\n#Disallow: /b", []string{"-/a", "+/b"}},

		{"CRLF", "User-agent: *\r\nDisallow: /a\r\n", []string{"-/a", "+/b"}},
		{"CR", "User-agent: *\rDisallow: /a\r", []string{"-/a", "+/b"}},
		{"UTF-8 mark", "\ufeffUser-agent: *\nDisallow: /a", []string{"-/a", "+/b"}},
		{"spaces of a Chinese editor", "User-agent:\u3000*\n\u00a0Disallow:\u3000/a\u3000\n", []string{"-/a", "+/b"}},
		{"NULs", "User-agent: *\nDis\x00allow: /a\x00\n", []string{"-/a", "+/b"}},
		{"an HTML page", "<!DOCTYPE html><html>\n<p>User-agent: *\n<p>Disallow: /\n</html>", []string{"+/"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := ParseRules([]byte(tt.body))
			if d := cmp.Diff(tt.want, verdicts(r, tt.want)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.want, verdicts(stored(t, r), tt.want)); d != "" {
				t.Error("after storing:", d)
			}
		})
	}
}

func TestParseRulesUTF16(t *testing.T) {
	var body bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeffUser-agent: *\r\nDisallow: /新")) {
		body.Write([]byte{byte(u), byte(u >> 8)})
	}
	want := []string{"-/%E6%96%B0", "+/a"}
	if d := cmp.Diff(want, verdicts(ParseRules(body.Bytes()), want)); d != "" {
		t.Error(d)
	}
}

// stored returns the rules as a cache would give them back.
func stored(t testing.TB, r *Rules) *Rules {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out := new(Rules)
	if err := json.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCrawlDelay(t *testing.T) {
	tests := []struct {
		name, body string
		want       time.Duration
	}{
		{"none", "User-agent: *\nDisallow: /", 0},
		{"seconds", "User-agent: *\nCrawl-delay: 10", 10 * time.Second},
		{"fraction, other case", "user-agent: *\nCRAWL-DELAY:0.5 # half", 500 * time.Millisecond},
		{"ours, not that of all", "User-agent: *\nCrawl-delay: 10\nUser-agent: sluice\nCrawl-delay: 2", 2 * time.Second},
		{"ours has none", "User-agent: *\nCrawl-delay: 10\nUser-agent: sluice\nDisallow:", 0},
		{"another's", "User-agent: x\nCrawl-delay: 10", 0},
		{"before any group", "Crawl-delay: 10\nUser-agent: *\nDisallow:", 0},
		{"the longest", "User-agent: *\nCrawl-delay: 1\nCrawl-delay: 3\nCrawl-delay: 2", 3 * time.Second},
		{"bad values", "User-agent: *\nCrawl-delay: -1\nCrawl-delay: NaN\nCrawl-delay: Inf\nCrawl-delay: 5s\nCrawl-delay: 1e3\nCrawl-delay: 0x9\nCrawl-delay: 1.2.3\nCrawl-delay:\n", 0},
		{"bad beside good", "User-agent: *\nCrawl-delay: soon\nCrawl-delay: 4", 4 * time.Second},
		{"absurd", "User-agent: *\nCrawl-delay: 99999999999999999999", 24 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := ParseRules([]byte(tt.body))
			if got := r.CrawlDelay(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if got := stored(t, r).CrawlDelay(); got != tt.want {
				t.Errorf("after storing %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSitemaps(t *testing.T) {
	r := ParseRules([]byte("Sitemap: https://a.test/1.xml\nUser-agent: x\nDisallow: /\nsitemap:https://a.test/新一.xml # new\nSitemap:\nSite-map: /rel.xml"))
	want := []string{"https://a.test/1.xml", "https://a.test/%E6%96%B0%E4%B8%80.xml", "/rel.xml"}
	if d := cmp.Diff(want, stored(t, r).Sitemaps()); d != "" {
		t.Error(d)
	}
	if n := len(ParseRules([]byte(strings.Repeat("Sitemap: https://a.test/\n", 5000))).Sitemaps()); n != maxSitemaps {
		t.Errorf("%d sitemaps", n)
	}
}

func TestParseRulesCap(t *testing.T) {
	filler := "User-agent: *\n" + strings.Repeat("# filler 123456\n", robotstxt.MaxFile/16-2) + "#####\n"
	body := filler + "Disallow: /private\nDisallow: /beyond\n"
	cut := body[:robotstxt.MaxFile+1]
	if !strings.HasSuffix(cut[:robotstxt.MaxFile], "\nDisallow: /p") {
		t.Fatalf("the cap doesn't cut a rule: %q", cut[robotstxt.MaxFile-10:])
	}
	want := []string{"+/private", "+/p", "+/beyond"}
	if d := cmp.Diff(want, verdicts(ParseRules([]byte(body)), want)); d != "" {
		t.Error(d)
	}
	w := &web{answers: map[string]answer{
		robotsURL: {status: 200, body: body}, aiURL: {status: 200, body: body},
	}}
	rules, _ := askAll(t, &Robots{Client: w, Cache: new(cache)})
	if d := cmp.Diff(want, verdicts(rules, want)); d != "" {
		t.Error("as fetched:", d)
	}
	if d := cmp.Diff(optout.Site{}, rules.Site("/p")); d != "" {
		t.Error("ai.txt as fetched:", d)
	}
	long := strings.Repeat("User-agent: *", 1<<20/13)
	if !ParseRules([]byte(long)).Allowed("/a") {
		t.Error("one line of a MiB forbids something")
	}
}

// A line that is repeated is kept once.
func TestParseRulesRepeated(t *testing.T) {
	body := "User-agent: *\n" + strings.Repeat("Disallow: /a\nAllow: /a\nDisallow: /b\n", 1000)
	data, err := json.Marshal(ParseRules([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	if want := `"rules":["+/a","-/a","-/b"]`; !strings.Contains(string(data), want) {
		t.Errorf("%d bytes kept, %.200s; want %s", len(data), data, want)
	}
}

// hostile are files that cost a naive parser or matcher seconds.
func hostile() map[string][]byte {
	wild := bytes.NewBufferString("User-agent: *\n")
	for i := range 20_000 {
		fmt.Fprintf(wild, "Disallow: /*a*a*a*b%d$\n", i)
	}
	return map[string][]byte{
		"wildcards":   wild.Bytes(),
		"stars":       []byte("User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*", 16_000)+"\n", 30)),
		"colons":      bytes.Repeat([]byte("A:\n"), robotstxt.MaxFile/3),
		"user agents": bytes.Repeat([]byte("User-agent: sluice\n"), robotstxt.MaxFile/19),
		"long lines":  []byte("User-agent: *\nDisallow: /" + strings.Repeat("a", 1<<20)),
		"bytes":       bytes.Repeat([]byte{0, 0xff, '%', '\r'}, robotstxt.MaxFile/4),
	}
}

func BenchmarkParseRules(b *testing.B) {
	for name, body := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ParseRules(body)
			}
		})
	}
}

func BenchmarkAllowed(b *testing.B) {
	files := map[string][]byte{
		"no rule":   []byte("User-agent: x\nDisallow: /"),
		"small":     []byte("User-agent: *\nDisallow: /admin/\nDisallow: /*?sort=\nDisallow: /search\nAllow: /search/about\n"),
		"wildcards": hostile()["wildcards"],
	}
	url := "https://news.example.org/finance/2026/11/20/article-1234567.html?from=" + strings.Repeat("a", 200)
	for name, body := range files {
		b.Run(name, func(b *testing.B) {
			r := ParseRules(body)
			b.ReportAllocs()
			for b.Loop() {
				r.Allowed(url)
			}
		})
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a%3c*b$\nCrawl-delay: 1.5\nSitemap: /s"), "/a%3C1b")
	f.Add([]byte("User-agent: sluice\r\nAllow: /\x00$$\rDisallow /*新"), "https://a.test/新?x#y")
	f.Add([]byte("\xff\xfeU\x00"), "")
	f.Fuzz(func(t *testing.T, body []byte, url string) {
		r := ParseRules(body)
		allowed := r.Allowed(url)
		if pathmatch.Path(url) == "/robots.txt" && !allowed {
			t.Error("robots.txt is forbidden")
		}
		again := stored(t, r)
		if again.Allowed(url) != allowed {
			t.Errorf("%q: %v, after storing %v", url, allowed, !allowed)
		}
		if d := cmp.Diff(r, again, exported); d != "" {
			t.Error(d)
		}
	})
}

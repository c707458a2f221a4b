package optout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

func TestParseRobots(t *testing.T) {
	star := func(lines string) string { return "User-agent: *\n" + lines }
	tests := []struct {
		name, body string
		want       map[string]string // the line that refuses, by path
	}{
		{"access says nothing of use", star("Disallow: /"), map[string]string{"/": ""}},
		{"content signal", star("Content-Signal: search=yes, ai-train=no\nAllow: /"), map[string]string{"/a": "Content-Signal: search=yes, ai-train=no"}},
		{"content signal that allows", star("Content-Signal: search=no, ai-train=yes"), map[string]string{"/a": ""}},
		{"case and spaces", star("content-signal :ai-train = NO # 中文"), map[string]string{"/a": "content-signal :ai-train = NO"}},
		{"content usage", star("Content-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y"), map[string]string{"/a": "Content-Usage: train-ai=n", "/ai-ok/x": ""}},
		{"a conflict forbids", star("Content-Usage: /a train-ai=y\nContent-Usage: /a train-ai=n"), map[string]string{"/a": "Content-Usage: /a train-ai=n", "/b": ""}},
		{"the last of a key", star("Content-Usage: train-ai=n, train-ai=y"), map[string]string{"/": ""}},
		{"no token", star(`Content-Usage: train-ai="n"`), map[string]string{"/": ""}},
		{"earlier words", star("Content-Usage: ai=n"), map[string]string{"/": "Content-Usage: ai=n"}},
		{"path alone", star("Content-Usage: /a"), map[string]string{"/a": ""}},
		{"DisallowAITraining", star("DisallowAITraining: /a\nAllowAITraining: /a/b"), map[string]string{"/": "", "/a/c": "DisallowAITraining: /a", "/a/b/c": ""}},
		{"DisallowAITraining, empty", star("DisallowAITraining:"), map[string]string{"/": ""}},
		{"one allows, another forbids", star("AllowAITraining: /\nContent-Signal: ai-train=no"), map[string]string{"/": "Content-Signal: ai-train=no"}},
		{"for others", "User-agent: GPTBot\nContent-Signal: ai-train=no", map[string]string{"/": ""}},
		{"for all that a star begins", "User-agent: GPTBot\nAllow: /\nUser-agent: *bot\nContent-Signal: ai-train=no", map[string]string{"/": "Content-Signal: ai-train=no"}},
		{"for all, as types are written", "User-agent: */*\nDisallowAITraining: /", map[string]string{"/": "DisallowAITraining: /"}},
		{"for us", star("Content-Signal: ai-train=yes\n\nUser-agent: Sluice/1.0\nContent-Signal: ai-train=no"), map[string]string{"/": "Content-Signal: ai-train=no"}},
		{"ours in place of all", star("Content-Signal: ai-train=no\nUser-agent: sluice\nAllow: /"), map[string]string{"/": ""}},
		{"the statement ends the names", star("Content-Signal: ai-train=no\nUser-agent: GPTBot\nContent-Signal: ai-train=yes"), map[string]string{"/": "Content-Signal: ai-train=no"}},
		{"names share a group", "User-agent: GPTBot\nUser-agent: *\nSitemap: /s\nDisallowAITraining: /", map[string]string{"/": "DisallowAITraining: /"}},
		{"before any group", "DisallowAITraining: /\nUser-agent: sluice\nAllow: /", map[string]string{"/": "DisallowAITraining: /"}},
		{"line ends", "User-agent: *\rDisallowAITraining: /\r", map[string]string{"/": "DisallowAITraining: /"}},
		{"other encoding in a comment", "User-agent: * # \xd6\xd0\nDisallowAITraining: / # \xce\xc4", map[string]string{"/": "DisallowAITraining: /"}},
		{"beyond the bound", "#" + strings.Repeat("x", robotstxt.MaxFile) + "\n" + star("DisallowAITraining: /"), map[string]string{"/": ""}},
		{"a line too long", star("DisallowAITraining: /" + strings.Repeat("*", maxLine)), map[string]string{"/": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, refusals(Robots(robotstxt.Read([]byte(tt.body), "sluice")), tt.want)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseAI(t *testing.T) {
	star := func(lines string) string { return "# Spawning AI\nUser-Agent: *\n" + lines }
	tests := []struct {
		name, body string
		want       map[string]string
	}{
		{"all", star("Disallow: /\nDisallow: *"), map[string]string{"/": "Disallow: /", "/a.html": "Disallow: /"}},
		{"kinds of text mean pages", star("Disallow: *.txt\nDisallow: *.pdf\nAllow: /"), map[string]string{"/news/1": "Disallow: *.txt"}},
		{"other kinds do not", star("Disallow: *.jpg\nAllow: *.txt\nAllow: /"), map[string]string{"/news/1": ""}},
		{"text is allowed", star("Allow: *.html\nDisallow: /"), map[string]string{"/news/1": ""}},
		{"paths", star("Disallow: /blog/\nAllow: /blog/free/"), map[string]string{"/": "", "/blog/1": "Disallow: /blog/", "/blog/free/1": ""}},
		{"tie is allow", star("Disallow: /a\nAllow: /a"), map[string]string{"/a": ""}},
		{"for others", "User-Agent: GPTBot\nDisallow: /", map[string]string{"/": ""}},
		{"usage lines count, too", star("Content-Usage: train-ai=n"), map[string]string{"/": "Content-Usage: train-ai=n"}},
		{"a page in its place", "\ufeff \n<html>\nUser-Agent: *\nDisallow: /", map[string]string{"/": ""}},
		{"prose", "# About us\nDisallow nothing: we like robots.\n", map[string]string{"/": ""}},
		{"empty", "", map[string]string{"/": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, refusals(ParseAI([]byte(tt.body), "sluice"), tt.want)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	body := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune("User-agent: *\nDisallow: /新")) {
		body = append(body, byte(c), byte(c>>8))
	}
	if got := ParseAI(body, "sluice").Refusal(pathmatch.Path("/新闻")); got != "Disallow: /新" {
		t.Errorf("refused by %q", got)
	}
}

// refusals asks for the paths of want.
func refusals(l *Lines, want map[string]string) map[string]string {
	got := map[string]string{}
	for path := range want {
		got[path] = l.Refusal(pathmatch.Path(path))
	}
	return got
}

// hostile are files that cost a naive parser or matcher seconds.
func hostile() map[string][]byte {
	wild := bytes.NewBufferString("User-agent: *\n")
	for i := range 20_000 {
		fmt.Fprintf(wild, "Disallow: /*a*a*a*b%d$\n", i)
	}
	return map[string][]byte{
		"wildcards":   wild.Bytes(),
		"colons":      bytes.Repeat([]byte("A:\n"), robotstxt.MaxFile/3),
		"user agents": bytes.Repeat([]byte("User-agent: sluice\n"), robotstxt.MaxFile/19),
		"long lines":  []byte("User-agent: *\nDisallow: /" + strings.Repeat("a", 1<<20)),
		"signals":     []byte("User-agent: *\nContent-Signal: " + strings.Repeat("ai-train=no,", robotstxt.MaxFile/13)),
	}
}

func TestHostileLines(t *testing.T) {
	for name, body := range hostile() {
		l := ParseAI(body, "sluice")
		if l != nil && len(l.lines) > 2*maxRules {
			t.Errorf("%s: %d lines are kept", name, len(l.lines))
		}
		l.Refusal("/" + strings.Repeat("a", 2000))
	}
}

func BenchmarkParseAI(b *testing.B) {
	for name, body := range hostile() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ParseAI(body, "sluice").Refusal("/" + strings.Repeat("a", 2000))
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a%3c*b$\nContent-Signal: search=yes, ai-train=no\n"), "/a%3C1b")
	f.Add([]byte("DisallowAITraining: /\nUser-agent: Sluice/1\nContent-Usage: /a train-ai=y;x=1, bots=n"), "/a")
	f.Add([]byte("User-agent: *\r\nDisallow: *.html$\nAllow: /\x00"), "https://a.test/新")
	f.Fuzz(func(t *testing.T, body []byte, url string) {
		path := pathmatch.Path(url)
		for name, l := range map[string]*Lines{"robots.txt": Robots(robotstxt.Read(body, "sluice")), "ai.txt": ParseAI(body, "sluice")} {
			stored, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			again := new(Lines)
			if err := json.Unmarshal(stored, again); err != nil {
				t.Fatal(err)
			}
			if before, after := l.Refusal(path), again.Refusal(path); before != after {
				t.Errorf("%s: %q refuses %q, after storing %q", name, before, path, after)
			}
		}
	})
}

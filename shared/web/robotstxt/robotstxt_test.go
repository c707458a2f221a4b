package robotstxt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	body := "\ufeffDisallow: /all\nUser-agent: *\nCrawl-delay: 2 # slow\nUser-agent: x\r\nDisalow /a\nsite-map: /s\nUser-agent: Us/1.0\nContent_Signal: ai-train=no\nUser-agent: x\nNoise: 1\nAllow:\u3000/b"
	want := []Line{
		{Key: "disallow", Value: "/all", Text: "Disallow: /all", Before: true},
		{Key: "crawldelay", Value: "2", Text: "Crawl-delay: 2"},
		{Key: "disallow", Value: "/a", Text: "Disalow /a"},
		{Key: "sitemap", Value: "/s", Text: "site-map: /s"},
		{Key: "contentsignal", Value: "ai-train=no", Text: "Content_Signal: ai-train=no", Ours: true, OursStrict: true},
		{Key: "allow", Value: "/b", Text: "Allow:\u3000/b", Ours: true},
	}
	if d := cmp.Diff(want, Read([]byte(body), "us")); d != "" {
		t.Error(d)
	}
	star := want
	for i, ours := range []struct{ ours, strict bool }{{}, {true, true}, {true, false}, {true, false}, {}, {}} {
		star[i].Ours, star[i].OursStrict = ours.ours, ours.strict
	}
	if d := cmp.Diff(star, Read([]byte(body), "nobody")); d != "" {
		t.Error(d)
	}
}

// What is written in another way than it should be is read as strictly as it can.
func TestReadStrict(t *testing.T) {
	body := "User-agent: *bot\nContent-Signal: ai-train=no\nAllow: /\nUser-agent: */*\nDisallow-AI: /a\nAllow-AI: /b\nDisallow-AI-Training: /c"
	want := []Line{
		{Key: "contentsignal", Value: "ai-train=no", Text: "Content-Signal: ai-train=no", OursStrict: true},
		{Key: "allow", Value: "/", Text: "Allow: /", OursStrict: true},
		{Key: "disallow", Value: "/a", Text: "Disallow-AI: /a", OursStrict: true},
		{Key: "disallowaitraining", Value: "/c", Text: "Disallow-AI-Training: /c", OursStrict: true},
	}
	if d := cmp.Diff(want, Read([]byte(body), "us")); d != "" {
		t.Error(d)
	}
}

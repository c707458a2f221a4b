package fidelity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	plain := "财经\t" + headline + first + second + "\n\n时政\t" + third + "\r\n体育\t" + headline + first + "\n"
	objects := `{"url": "http://a.test/1.html#top", "title": "x", "body": "` + second + `"}` + "\n" +
		`{"url": "http://a.test/1.html", "body": "another"}` + "\n"
	s, err := Load(write(t, "plain.tsv", "\uFEFF"+plain), write(t, "objects.jsonl", objects))
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 5 {
		t.Errorf("%d sources, want 5", s.Len())
	}
	page := func(paragraphs ...string) string {
		return "<h1>x</h1><p>　　" + strings.Join(paragraphs, "</p>\n<p>　　") + "</p><ul><li>" + headline + "</ul>"
	}
	for _, test := range []struct {
		name, url, markup string
		want              string // text of the source, "" for none
	}{
		{"by its URL, with any text", "http://a.test/1.html", page(third), second},
		{"by what it shows", "http://b.test/1", page(first, second), headline + first + second},
		{"by what it shows most", "http://b.test/2", page(first), headline + first},
		{"in entities", "http://b.test/3", strings.ReplaceAll(page(third), "门票", "&#38376;&#31080;"), third},
		{"a headline alone", "http://b.test/4", page(share), ""},
		{"empty", "http://b.test/5", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if source := s.Find(test.url, test.markup); source != nil {
				got = source.Text
			}
			if got != test.want {
				t.Errorf("Find = %q, want %q", got, test.want)
			}
		})
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"no label", "one text\n", "line 1: want a label and a text"},
		{"no text", "label\t \n", "line 1: want a label and a text"},
		{"no object", "label\ttext\n{\"url\": 1}\n", "line 2: json: "},
		{"no body", `{"url": "http://a.test/"}`, "line 1: want url and body"},
		{"no URL", `{"url": "x", "body": "y"}`, `line 1: url "x": `},
		{"not UTF-8", "label\t\xff\n", "line 1: it is not UTF-8"},
		{"nothing", "\n\n", "no sources found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Load(write(t, "sources", test.content)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("Load of no file = nil")
	}
}

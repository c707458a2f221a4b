package pathmatch

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		name, pattern string
		fits, misses  []string
	}{
		{"prefix", "/fish", []string{"/fish", "/fish.html", "/fish/a", "https://a.test/fish?x#y"}, []string{"/", "/Fish", "/catfish"}},
		{"root", "/", []string{"/", "https://a.test", "https://a.test?b", "?b", ""}, nil},
		{"wildcard inside", "/a*c", []string{"/ac", "/abc/d"}, []string{"/ab"}},
		{"wildcard first", "*.pdf", []string{"/a/b.pdf", "/b.pdf?x"}, []string{"/a"}},
		{"anchored", "/*.php$", []string{"/a.php"}, []string{"/a.php?x", "/a.php5"}},
		{"anchored, no wildcard", "/$", []string{"/", "https://a.test"}, []string{"/a"}},
		{"wildcard needs room", "/*ab*ba$", []string{"/abba"}, []string{"/aba", "/abba/"}},
		{"escapes are compared by what they mean", "/%7ejoe/%e6%96%b0", []string{"/~joe/新", "/%7Ejoe/%E6%96%B0"}, []string{"/joe"}},
		{"escaped wildcard", "/a%2Ab", []string{"/a*b"}, []string{"/axb"}},
		{"nothing", "", []string{"/", "/a"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Compile(tt.pattern)
			for _, url := range tt.fits {
				if !p.Match(Path(url)) {
					t.Errorf("%q does not fit %q", tt.pattern, url)
				}
			}
			for _, url := range tt.misses {
				if p.Match(Path(url)) {
					t.Errorf("%q fits %q", tt.pattern, url)
				}
			}
		})
	}
}

// A pattern that costs a matcher with backtracking minutes.
func BenchmarkMatchHostile(b *testing.B) {
	p := Compile("/" + strings.Repeat("*a", 200) + "*b$")
	path := "/" + strings.Repeat("a", 2000)
	for b.Loop() {
		if p.Match(path) {
			b.Fatal("it fits")
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("/a%3c*b$", "/a%3C1b")
	f.Add("/*新$$", "https://a.test/新?x#y")
	f.Add("**", "")
	f.Fuzz(func(t *testing.T, pattern, url string) {
		p := Compile(pattern)
		again := Compile(p.String())
		if again.String() != p.String() {
			t.Errorf("%q becomes %q", p.String(), again.String())
		}
		path := Path(url)
		if Path(path) != path {
			t.Errorf("%q becomes %q", path, Path(path))
		}
		if !strings.HasPrefix(path, "/") {
			t.Errorf("path %q of %q", path, url)
		}
		if p.Match(path) != again.Match(path) {
			t.Errorf("%q and %q differ about %q", pattern, p.String(), path)
		}
		whole := Compile(path + "$")
		if !whole.Match(path) {
			t.Errorf("%q does not fit itself", path)
		}
	})
}

package urlshape

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustOf(t testing.TB, u string) Shape {
	t.Helper()
	s, err := Of(u)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOf(t *testing.T) {
	type split struct {
		Host string
		Path []string
	}
	tests := []struct {
		name, url string
		want      split
	}{
		{"plain", "http://www.x.cn/a/b.html", split{"www.x.cn", []string{"a", "b.html"}}},
		{"host case, path case", "HTTP://WWW.X.cn/News", split{"www.x.cn", []string{"news"}}},
		{"user, port, query, fragment", "https://u:p@x.cn:80/a?b/c#d/e", split{"x.cn", []string{"a"}}},
		{"query behind host", "http://x.cn?a=/b", split{"x.cn", nil}},
		{"empty parts", "http://x.cn//a///b/", split{"x.cn", []string{"a", "b"}}},
		{"no scheme", "x.cn/a", split{"x.cn", []string{"a"}}},
		{"scheme-relative", "//x.cn/a", split{"x.cn", []string{"a"}}},
		{"url in the path", "x.cn/http://y.cn", split{"x.cn", []string{"http:", "y.cn"}}},
		{"ipv6", "http://[::1]:80/a", split{"::1", []string{"a"}}},
		{"blanks around", " http://x.cn/ ", split{"x.cn", nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustOf(t, tt.url)
			got := split{Host: s.host}
			for _, p := range s.path {
				got.Path = append(got.Path, p.class)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, u := range []string{"", " ", "http://", "/a/b", "http:///a", "http://:80/", "?x.cn"} {
		if s, err := Of(u); !errors.Is(err, errNoHost) {
			t.Errorf("Of(%q) = %+v, %v", u, s, err)
		}
	}
}

func TestComparePaper(t *testing.T) {
	p := Params{Alpha: 0.7, Beta: 0.3, Threshold: 0.6, A: 0.6, B: 0.1, D: 8, APath: 0.3}
	steep := p
	steep.B = 0.5
	tests := []struct {
		name   string
		p      Params
		x, y   string
		same   bool
		score  float64
		scored bool
	}{
		{"equal hosts", p, "http://x.cn/a", "http://x.cn/b/c", true, 0, false},
		{"host contains", p, "http://news.x.cn/a", "http://x.cn/", true, 0, false},
		{"contained in the middle of a label", p, "http://x.c/", "http://max.com/", true, 0, false},
		{"host case", p, "http://X.cn/", "http://x.CN/", true, 0, false},
		// finance~sports: {f i n a c e} and {s p o r t} share nothing
		{"sibling hosts", p, "http://finance.ab.cn/", "http://sports.ab.cn/", true, 0.7 * (0.5 + 0.4), true},
		{"www divided", p, "http://www.ab.cn/", "http://www.xy.cn/", false, 0.7 * (0.6/8 + 0.4), true},
		{"paths", p, "http://q.ab.cn/ab/12?z", "http://r.cd.cn//bc/12/x", false, 0.7*0.4 + 0.3*(0.3/3+0.15), true},
		{"shorter list", p, "http://q.ab.cn/", "http://r.ab/a", false, 0.7 * 0.5, true},
		{"non-ascii sets", p, "http://新闻.ab/", "http://新浪.cd/", false, 0.7 * (0.6 / 3), true},
		{"the first character beyond ASCII", p, "http://\u0080.ab/", "http://\u0080x.cd/", false, 0.7 * (0.6 / 2), true},
		{"weights below zero", steep, "http://q.w.ab.cn/", "http://r.z.ab.cn/", false, 0.7 * (-0.4 - 0.9), true},
		{"threshold is not passed by equality", Params{Alpha: 1, A: 0.5, D: 1, Threshold: 0.5}, "http://a.x/", "http://a.y/", false, 0.5, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			same, score, scored := tt.p.Compare(mustOf(t, tt.x), mustOf(t, tt.y))
			if same != tt.same || scored != tt.scored || math.Abs(score-tt.score) > 1e-12 {
				t.Errorf("Compare = %v, %v, %v; want %v, %v, %v", same, score, scored, tt.same, tt.score, tt.scored)
			}
		})
	}
}

// TestComparePaperByDefinition compares with A9 written down with maps.
func TestComparePaperByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(parts int, sep string) string {
		pieces := []string{"www", "news", "财经", "2020", "a-b", "财", "x", "html.", "~", "\U0001F600"}
		var out []string
		for range parts {
			out = append(out, pieces[random.IntN(len(pieces))]+pieces[random.IntN(len(pieces))][:1])
		}
		if random.IntN(3) == 0 {
			out[0] = "www"
		}
		return strings.ToValidUTF8(strings.Join(out, sep), "é")
	}
	for range 5000 {
		p := Params{
			Alpha: random.Float64(), Beta: random.Float64(), Threshold: random.Float64(), A: random.Float64(),
			B: random.Float64(), D: 1 + random.Float64(), APath: random.Float64(),
		}
		host1, host2 := text(1+random.IntN(4), "."), text(1+random.IntN(4), ".")
		path1, path2 := text(1+random.IntN(4), "/"), text(1+random.IntN(4), "//")
		same, score, scored := p.Compare(mustOf(t, "http://"+host1+"/"+path1), mustOf(t, "http://"+host2+"/"+path2))
		if strings.Contains(host1, host2) || strings.Contains(host2, host1) {
			if !same || scored {
				t.Fatalf("%s and %s: %v, %v", host1, host2, same, scored)
			}
			continue
		}
		want := p.Alpha * weighted(strings.Split(host1, "."), strings.Split(host2, "."), p.D, p.A, func(w float64) float64 { return w - p.B })
		want += p.Beta * weighted(nonEmpty(path1), nonEmpty(path2), 1, p.APath, func(w float64) float64 { return w / 2 })
		if math.Abs(score-want) > 1e-12 || !scored || same != (score > p.Threshold) {
			t.Fatalf("%s/%s and %s/%s: %v, %v; want %v", host1, path1, host2, path2, same, score, want)
		}
	}
}

func nonEmpty(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

func weighted(x, y []string, d, w float64, next func(float64) float64) float64 {
	sum := 0.0
	for i := range min(len(x), len(y)) {
		all, both := map[rune]bool{}, map[rune]bool{}
		for _, r := range x[i] + y[i] {
			all[r] = true
			if strings.ContainsRune(x[i], r) && strings.ContainsRune(y[i], r) {
				both[r] = true
			}
		}
		j := 0.0
		if len(all) > 0 {
			j = float64(len(both)) / float64(len(all))
		}
		if x[i] == "www" && y[i] == "www" {
			j /= d
		}
		sum += w * j
		w = next(w)
	}
	return sum
}

func TestComparePath(t *testing.T) {
	tests := []struct {
		name, x, y string
		same       bool
	}{
		{"same section, other date", "http://www.x.cn/gn/2020/04-02/9145168.shtml", "http://www.x.cn/gn/2021/05-28/9487670.shtml", true},
		{"section and its front page", "http://www.x.cn/gn/", "http://www.x.cn/gn/2020/04-02/9145168.shtml", true},
		{"other section", "http://www.x.cn/gn/2020/04-02/9145168.shtml", "http://www.x.cn/ty/2020/04-02/9145169.shtml", false},
		{"article and front page", "http://www.x.cn/", "http://www.x.cn/gn/2020/04-02/9145168.shtml", false},
		{"front page twice", "http://www.x.cn/", "http://www.x.cn", true},
		{"section by host, dates in the path", "http://finance.x.cn/2010/0620/100339.shtml", "http://finance.x.cn/2012/1122/1.shtml", true},
		{"sections by host", "http://finance.x.cn/2010/0620/100339.shtml", "http://sports.x.cn/2010/0620/100340.shtml", false},
		{"contained host", "http://x.cn/2010/1.html", "http://sports.x.cn/2010/1.html", false},
		{"articles by number", "http://x.cn/article-15188-1.html", "http://x.cn/article-3-2.html", true},
		{"article and tag", "http://x.cn/article-15188-1.html", "http://x.cn/tags/CRI/", false},
		{"ids", "http://tv.x.cn/2023/10/04/VIDEWhgIDDU7ge09fcLm4bfE231004.shtml", "http://tv.x.cn/2026/04/29/VIDEMS8ulHuPYKcXy8s1GcK8260429.shtml", true},
		{"same section elsewhere", "http://finance.x.cn/stock/2020/1.html", "http://finance.y.cn/stock/2020/2.html", true},
		{"www elsewhere", "http://www.x.cn/gn/2020/1.html", "http://www.y.cn/gn/2020/1.html", false},
		{"query makes no difference", "http://x.cn/list.php?cat=1", "http://x.cn/list.php?cat=2", true},
	}
	p := DefaultParams(FormPath)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			same, score, scored := p.Compare(mustOf(t, tt.x), mustOf(t, tt.y))
			if same != tt.same || !scored {
				t.Errorf("Compare = %v, %v, %v; want %v", same, score, scored, tt.same)
			}
		})
	}
	p.Threshold = p.Alpha + p.Beta
	if same, score, _ := p.Compare(mustOf(t, "http://x.cn/gn/"), mustOf(t, "http://x.cn/gn/")); same || score != p.Threshold {
		t.Errorf("Compare at the threshold %v = %v, %v; want false", p.Threshold, same, score)
	}
}

func TestClassOf(t *testing.T) {
	tests := []struct{ text, want string }{
		{"gn", "gn"},
		{"2020", "#"},
		{"03-30", "#-#"},
		{"9142537.shtml", "#.shtml"},
		{"article-15188-1.html", "article-#-#.html"},
		{"t20200330_1.HTML", "t#_#.html"},
		{"VIDEWhgIDDU7ge09fcLm4bfE231004.shtml", "*.shtml"},
		{"9f86d081884c7d65", "*"},
		{"ab12cd3z", "*"},      // the shortest id
		{"ab12c3z", "ab#c#z"},  // too short
		{"abc123cd", "abc#cd"}, // letters and digits change too rarely
		{"abcd12e3", "*"},
		{"the-quick-brown-fox.html", "~.html"},
		{"go1.26", "go#.#"},
		{".html", ".html"},
		{"%E6%94", "%e#%#"},
		{"财经2020", "财经#"},
	}
	for _, tt := range tests {
		if got := classOf(tt.text); got != tt.want {
			t.Errorf("classOf(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestVote(t *testing.T) {
	p := DefaultParams(FormPath)
	in, out := mustOf(t, "http://x.cn/gn/1.html"), mustOf(t, "http://x.cn/ty/1.html")
	tests := []struct {
		name   string
		sample []Shape
		want   bool
	}{
		{"no history", nil, false},
		{"one alike", []Shape{in}, true},
		{"half", []Shape{in, out}, false},
		{"more than half", []Shape{in, out, in}, true},
		{"none", []Shape{out, out}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Vote(p, mustOf(t, "http://x.cn/gn/2.html"), tt.sample); got != tt.want {
				t.Errorf("Vote = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	for _, form := range []Form{"", FormPaper, FormPath} {
		if err := DefaultParams(form).Validate(); err != nil {
			t.Errorf("defaults of %q: %v", form, err)
		}
	}
	largest := Params{Alpha: 1e6, Beta: -1e6, Threshold: 1e6, A: 1e6, B: 1e6, D: 1e-6, APath: 1e6}
	if err := largest.Validate(); err != nil {
		t.Errorf("the largest constants: %v", err)
	}
	bad := Params{Form: "papper", Alpha: math.NaN(), Beta: math.Inf(1), A: 1e300}
	err := bad.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"papper", "alpha", "beta", "constant a ", "constant d "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error does not name %q: %v", want, err)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("http://www.x.cn/gn/2020/04-02/1.shtml", "http://新闻.cn/中/\xff")
	f.Add("x..cn/", "http://[::1]/a")
	f.Fuzz(func(t *testing.T, first, second string) {
		x, err := Of(first)
		if err != nil {
			return
		}
		y, err := Of(second)
		if err != nil {
			return
		}
		for _, p := range []Params{DefaultParams(FormPaper), DefaultParams(FormPath)} {
			same, score, scored := p.Compare(x, y)
			if same2, score2, scored2 := p.Compare(y, x); same != same2 || score != score2 || scored != scored2 {
				t.Errorf("%s: not symmetric: %q %q", p.Form, first, second)
			}
			if same, _, _ := p.Compare(x, x); !same {
				t.Errorf("%s: %q is not like itself", p.Form, first)
			}
			if p.Form == FormPath && (score < 0 || score > 1+1e-9) {
				t.Errorf("score %v: %q %q", score, first, second)
			}
		}
	})
}

func TestCompareAllocatesNothing(t *testing.T) {
	x, y := mustOf(t, "http://新闻.x.cn/财经/2020/1.html"), mustOf(t, "http://新浪.y.cn/财/2020/1.html")
	for _, form := range []Form{FormPaper, FormPath} {
		p := DefaultParams(form)
		if n := testing.AllocsPerRun(100, func() { p.Compare(x, y) }); n > 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	}
}

func BenchmarkVote(b *testing.B) {
	u := mustOf(b, "http://finance.x.cn/gn/2020/04-02/9145168.shtml")
	var sample []Shape
	for range 20 {
		sample = append(sample, mustOf(b, "http://sports.y.cn/ty/2021/05-28/9487670.shtml"))
	}
	for _, form := range []Form{FormPaper, FormPath} {
		p := DefaultParams(form)
		b.Run(string(form), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Vote(p, u, sample)
			}
		})
	}
}

func BenchmarkOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustOf(b, "http://www.x.cn/gn/2020/04-02/9145168.shtml")
	}
}

package pagescore

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
)

func newWeb(t *testing.T, lines string) *frozenweb.Web {
	t.Helper()
	w, err := frozenweb.Read(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var text = strings.Repeat("央行昨天宣布下调利率，股市随即上涨，分析人士认为行情还会延续。", 10)

func web(t *testing.T) *frozenweb.Web {
	t.Helper()
	html := fmt.Sprintf("<html><head><title>央行宣布下调利率_门户网</title><meta name=description content=央行><meta name=keywords content='银行,利率'></head><body><h1>央行宣布下调利率</h1><p>%s</p></body></html>", text)
	return newWeb(t, fmt.Sprintf(`{"url": "http://finance.x.test/1", "type": "text/html; charset=utf-8", "text": %q, "label": "finance"}
{"url": "http://sports.x.test/1", "title": "球队", "description": "比赛", "text": "球员", "label": "sports"}
{"url": "http://x.test/", "text": "<title>门户</title>", "label": "finance", "kind": "list"}
{"url": "http://y.test/", "title": "无", "text": "", "label": ""}
{"url": "http://y.test/3", "title": "目录", "text": "", "label": "none", "kind": "page"}
{"url": "ftp://y.test/4", "text": "<title>文件</title>", "label": "weather"}
{"url": "http://y.test/2", "kind": "page", "title": "天气", "text": "", "label": "weather"}
`, html))
}

func TestDocuments(t *testing.T) {
	got, err := Documents(web(t), "finance", "x.test", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Document{
		{URL: "http://finance.x.test/1", Positive: true, Title: "央行宣布下调利率_门户网", Description: "央行\n银行\n利率", Headline: "央行宣布下调利率", Body: text},
		{URL: "http://sports.x.test/1", Title: "球队", Description: "比赛", Headline: "球队", Body: "球员"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, test := range []struct{ name, label, hosts, want string }{
		{"label", "politics", "", `no article has the label "politics"; there are finance, sports, weather`},
		{"host", "finance", "z.test", "no article on z.test has a label"},
		{"one-sided", "finance", "finance.x.test", `all articles on finance.x.test have the label "finance"`},
	} {
		if _, err := Documents(web(t), test.label, test.hosts, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want it to say %q", test.name, err, test.want)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	w := web(t)
	leaveOut, err := LeaveOut(w, strings.NewReader("\uFEFFHTTP://Sports.X.test:80/1\r\n\n  http://x.test/\n"))
	if err != nil {
		t.Fatal(err)
	}
	documents, err := Documents(w, "finance", "", leaveOut)
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, d := range documents {
		urls = append(urls, d.URL)
	}
	if diff := cmp.Diff([]string{"http://finance.x.test/1", "http://y.test/2"}, urls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, test := range []struct{ name, list, want string }{
		{"misspelt", "http://x.test/\nhttp://x.test/z\n", `line 2: the web has no page "http://x.test/z"`},
		{"no URL", "\n\nfinance.x.test/1", `line 3: the web has no page "finance.x.test/1"`},
		{"no list", strings.Repeat("x", maxURL+1), "line 1: "},
	} {
		if _, err := LeaveOut(w, strings.NewReader(test.list)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want it to say %q", test.name, err, test.want)
		}
	}
}

func TestOnHost(t *testing.T) {
	for _, test := range []struct {
		url, host string
		want      bool
	}{
		{"http://a.x.test/", "x.test", true},
		{"http://X.test:81/", "x.TEST", true},
		{"http://a.x.test/", "*.x.test", true},
		{"http://ax.test/", "x.test", false},
		{"http://x.test.evil.test/", "x.test", false},
		{"http://any.test/", "", true},
		{"http://%zz/", "x.test", false},
	} {
		if got := OnHost(test.url, test.host); got != test.want {
			t.Errorf("OnHost(%q, %q) = %v", test.url, test.host, got)
		}
	}
}

// words takes blanks between words, each word once.
func words(text string) []string {
	var distinct []string
	seen := map[string]bool{}
	for _, w := range strings.Fields(text) {
		if !seen[w] {
			seen[w] = true
			distinct = append(distinct, w)
		}
	}
	return distinct
}

func TestTable(t *testing.T) {
	documents := []Document{
		{Positive: true, Title: "bank", Headline: "bank", Description: "x", Body: "bank rate"},
		{Positive: true, Title: "x", Headline: "x", Description: "bank", Body: "bank"},
		{Title: "team", Headline: "team", Description: "y", Body: "match"},
		{Title: "x", Headline: "x", Description: "match", Body: "team"},
	}
	rows := Table(documents, Topic{
		Words: map[string]float64{"bank": 1}, Segment: words,
		Relevance: func(words []string) float64 {
			for _, w := range words {
				if w == "bank" {
					return 1 / float64(len(words))
				}
			}
			return 0
		},
		Threshold: func(text Text) (float64, bool) { return 0.9, text == Body },
	})
	type cells struct {
		Text     Text
		Method   string
		AUC, F1  float64
		Own, OwF float64
	}
	nan := math.NaN()
	want := []cells{
		{Title, rel, 0.75, 2.0 / 3, nan, nan},
		{Title, cosine, 0.75, 2.0 / 3, nan, nan},
		{Title, vector, 0.75, 2.0 / 3, nan, nan},
		{Description, rel, 0.75, 2.0 / 3, nan, nan},
		{Description, cosine, 0.75, 2.0 / 3, nan, nan},
		{Description, vector, 0.75, 2.0 / 3, nan, nan},
		{TitleDescription, rel, 1, 1, nan, nan},
		{TitleDescription, cosine, 1, 1, nan, nan},
		{TitleDescription, vector, 1, 1, nan, nan},
		{Body, rel, 1, 1, 0.9, 2.0 / 3},
		{Body, cosine, 1, 1, nan, nan},
		{Body, vector, 1, 1, nan, nan},
		{TitleBody, rel, 1, 1, nan, nan},
		{TitleBody, cosine, 1, 1, nan, nan},
		{TitleBody, vector, 1, 1, nan, nan},
	}
	var got []cells
	for _, r := range rows {
		got = append(got, cells{r.Text, r.Method, float64(r.AUC), float64(r.BestF1), float64(r.Own), float64(r.OwnF1)})
	}
	near := cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 || a != a && b != b })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCosines(t *testing.T) {
	// idf: bank ln 2, rate ln 4, team ln 4, x ln 1
	s := newSpace([]string{"bank x. bank", "bank x rate", "x team", "x"}, words)
	got := s.cosines(map[string]float64{"bank": 1, "rate": 0.5, "absent": 1})
	norm := math.Hypot(1, 1) // of the topic, in units of ln 2: 1 and 0.5·2
	want := []float64{1 / norm, (1*1 + 2*1) / (norm * math.Hypot(1, 2)), 0, 0}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if items := s.cosines(nil); metric.AUC([]metric.Scored{{Score: items[0], Positive: true}, {Score: items[1]}}) != 0.5 {
		t.Errorf("without topic words cosines are %v, want all equal", items)
	}
}

// TestClassifierF1 learns the words of either kind, and nothing from words that
// are those of a single text.
func TestClassifierF1(t *testing.T) {
	type labelled struct {
		text     string
		positive bool
	}
	of := func(n int, text func(i int) labelled) (texts []string, positive []bool) {
		for i := range n {
			l := text(i)
			texts, positive = append(texts, l.text), append(positive, l.positive)
		}
		return texts, positive
	}
	told := func(i int) labelled {
		if i%3 == 0 {
			return labelled{fmt.Sprintf("bank rate page%d", i), true}
		}
		return labelled{fmt.Sprintf("team match page%d", i), false}
	}
	for _, test := range []struct {
		name     string
		n        int
		text     func(i int) labelled
		min, max float64
	}{
		{"words that tell", 40, told, 1, 1},
		{"words of a single text", 40, func(i int) labelled {
			return labelled{fmt.Sprintf("page%d", i), i%3 == 0}
		}, 0, 0.55}, // 14 of 40: .52 for taking all
		{"every fifth label is wrong", 100, func(i int) labelled {
			l := told(i)
			l.positive = l.positive != (i%5 == 0)
			return l
		}, 0.65, 0.85},
		{"too few", 12, told, math.NaN(), 0},
	} {
		texts, positive := of(test.n, test.text)
		got := classifierF1(newSpace(texts, words), positive)
		if math.IsNaN(test.min) != math.IsNaN(got) || got < test.min || got > test.max {
			t.Errorf("%s: F1 is %v, want %v to %v", test.name, got, test.min, test.max)
		}
		if again := classifierF1(newSpace(texts, words), positive); again != got && !math.IsNaN(got) {
			t.Errorf("%s: F1 is %v, and %v the second time", test.name, got, again)
		}
	}
}

// The topic vector finds a text without any of the author's words by the words of
// those that have some (METHOD B1, B2).
func TestTopicVector(t *testing.T) {
	texts := []string{"bank rate. rate", "bank rate", "rate x", "team match", "team x", "match x"}
	s := newSpace(texts, words)
	author := map[string]float64{"bank": 1}
	plain, near := s.cosines(author), s.nearTo(s.topicVector(author))
	if plain[2] != 0 || !(near[2] > 0.1) || near[3] != 0 || !(near[0] > near[2]) {
		t.Errorf("cosines %v, with the words of texts near the author's %v", plain, near)
	}
	v := s.topicVector(author)
	if _, other := v["x"]; other || !(v["bank"] > v["rate"]) {
		t.Errorf("topic vector %v", v)
	}
	if v := s.topicVector(map[string]float64{"absent": 1}); len(v) > 1 || v["absent"] != 0 {
		t.Errorf("without a seed page the topic vector is %v", v)
	}
}

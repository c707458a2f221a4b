package wholecrawl_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

const topicYAML = `
name: money
strategy: semantic
words: [股市, 银行]
thresholds: {description: 0.2, priority: 0.15}
weights: {alpha: 0.1, beta: 1, lambda: 0.05}
`

// prose is a main text about nothing in particular.
const prose = "记者昨天从有关部门获悉，这项工作正在进行，预计年底完成。" +
	"现场的负责人介绍，前期的准备用了三个多月，比原来的计划要长，因为雨下得比往年多。" +
	"附近的居民大多表示支持，也有人担心夜里的声音会影响孩子睡觉。" +
	"对此，施工的一方答应晚上十点以后停下来，并在路口立了牌子，写明联系的方法。" +
	"如果天气好，第一段可能在下个月就交付使用，剩下的部分要看材料什么时候运到。"

// newWeb has a home page, a list and articles of two sections, each on a host
// of its own. One article about money has a title and an anchor that do not say
// so, one about games speaks of the stock market.
func newWeb(t *testing.T) *frozenweb.Web {
	t.Helper()
	return read(t, webFile())
}

func read(t *testing.T, file string) *frozenweb.Web {
	t.Helper()
	web, err := frozenweb.Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return web
}

func webFile() string {
	var b strings.Builder
	b.WriteString(`{"web": "small", "seeds": ["http://www.portal.test/"]}` + "\n")
	add := func(url, label, kind, title string, links ...string) {
		var html strings.Builder
		fmt.Fprintf(&html, "<html><head><title>%s</title></head><body><h1>%s</h1>", title, title)
		for _, link := range links {
			target, anchor, _ := strings.Cut(link, " ")
			fmt.Fprintf(&html, "<a href='%s'>%s</a>", target, anchor)
		}
		html.WriteString("<p>" + prose + "</p></body></html>")
		fmt.Fprintf(&b, "{\"url\": %q, \"type\": \"text/html; charset=utf-8\", \"label\": %q, \"kind\": %q, \"text\": %q}\n",
			url, label, kind, html.String())
	}
	add("http://www.portal.test/", "none", "home", "门户首页",
		"http://money.portal.test/ 银行", "http://games.portal.test/ 比赛")
	add("http://money.portal.test/", "money", "list", "银行 股市 列表",
		"/1.html 银行利率", "/2.html 股市上涨", "/3.html 今日新闻", "/dead.html 银行关闭")
	add("http://money.portal.test/1.html", "money", "article", "银行利率")
	add("http://money.portal.test/2.html", "money", "article", "股市上涨")
	add("http://money.portal.test/3.html", "money", "article", "今日新闻")
	add("http://games.portal.test/", "games", "list", "比赛 列表", "/1.html 球队比赛", "/2.html 股市球队")
	add("http://games.portal.test/1.html", "games", "article", "球队比赛")
	add("http://games.portal.test/2.html", "games", "article", "股市球队")
	return b.String()
}

// A web of https is crawled like any other: its robots.txt is missing, not
// refused.
func TestRunOverHTTPS(t *testing.T) {
	t.Parallel()
	web := read(t, strings.ReplaceAll(webFile(), "http://", "https://"))
	o, err := wholecrawl.Run(t.Context(), setup(t, web), wholecrawl.BreadthFirst())
	if err != nil || len(o.Fetched) != 8 {
		t.Errorf("fetched %v (%v), want 8 pages", o.Fetched, err)
	}
}

// Files about a site are no pages, whether the web has them or not, and what is
// missing is counted by itself.
func TestSiteFilesAreNoPages(t *testing.T) {
	t.Parallel()
	file := webFile() +
		`{"url": "http://money.portal.test/robots.txt", "type": "text/plain", "text": "User-agent: *\nDisallow: /3.html\n"}` + "\n" +
		`{"url": "http://games.portal.test/ai.txt", "type": "text/plain", "text": "\n"}` + "\n"
	o, err := wholecrawl.Run(t.Context(), setup(t, read(t, file)), wholecrawl.BreadthFirst())
	if err != nil || len(o.Fetched) != 7 || o.Missing != 1 {
		t.Errorf("fetched %v, %d missing (%v), want 7 pages without /3.html, and /dead.html missing", o.Fetched, o.Missing, err)
	}
}

func setup(t *testing.T, web *frozenweb.Web) wholecrawl.Setup {
	t.Helper()
	source := []byte(topicYAML)
	compiled, err := topic.Read("money.yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	return wholecrawl.Setup{Web: web, Topic: compiled, Source: source, RandomSeed: 1, Workers: 2}
}

func TestRun(t *testing.T) {
	t.Parallel()
	web := newWeb(t)
	const money, games = "http://money.portal.test/", "http://games.portal.test/"
	for _, test := range []struct {
		variant wholecrawl.Variant
		kept    []string
		fetched int // of the web
	}{
		{wholecrawl.AsIs(), []string{money, money + "1.html", money + "2.html"}, 4},
		{wholecrawl.Keyword(), []string{money, money + "1.html", money + "2.html"}, 4},
		{wholecrawl.BreadthFirst(), []string{
			games, games + "1.html", games + "2.html", money, money + "1.html", money + "2.html", money + "3.html",
			"http://www.portal.test/",
		}, 8},
	} {
		t.Run(test.variant.Name, func(t *testing.T) {
			o, err := wholecrawl.Run(t.Context(), setup(t, web), test.variant)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(o.Kept)
			if diff := cmp.Diff(test.kept, o.Kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if len(o.Fetched) != test.fetched || o.Fetched[0] != "http://www.portal.test/" {
				t.Errorf("fetched %v, want %d pages", o.Fetched, test.fetched)
			}
		})
	}
}

// Keywords are the author's words, without those that a compiled topic adds:
// here 新闻 is a related word, and 银行 similar to 股市.
func TestKeywordsOfCompiledTopic(t *testing.T) {
	t.Parallel()
	web := newWeb(t)
	s := setup(t, web)
	file := *s.Topic.File
	file.Words = []topic.Word{{Text: "股市", Weight: 1}, {Text: "新闻", Weight: 1, Related: true}}
	terms := map[string]float64{"股市": 1, "新闻": 1}
	similarity := func(term string) func(string) float64 {
		same := topic.SameWord(term)
		return func(d string) float64 {
			if term == "股市" && d == "银行" {
				return 0.9
			}
			return same(d)
		}
	}
	compiled := *file.Compiled()
	compiled.Lexicon = topic.Compile(terms, nil, 1, similarity, []string{"股市", "新闻", "银行"}).WithAnchors([]string{"股市", "银行"})
	s.Topic = &compiled
	const money, games = "http://money.portal.test/", "http://games.portal.test/"
	for _, test := range []struct {
		variant wholecrawl.Variant
		seeds   []string
		want    []string
	}{
		{wholecrawl.AsIs(), []string{money}, []string{money, money + "1.html", money + "2.html", money + "3.html"}},
		{wholecrawl.Keyword(), []string{money, games}, []string{games + "2.html", money, money + "2.html"}},
	} {
		t.Run(test.variant.Name, func(t *testing.T) {
			s := s
			s.Seeds = test.seeds
			o, err := wholecrawl.Run(t.Context(), s, test.variant)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(o.Kept)
			if diff := cmp.Diff(test.want, o.Kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
		})
	}
}

// A variant changes the crawl it is for, and the topic not at all.
func TestVariantsLeaveTheTopicAlone(t *testing.T) {
	web := newWeb(t)
	s := setup(t, web)
	before, lexicon := *s.Topic.File, s.Topic.Lexicon
	before.Words = slices.Clone(before.Words)
	for _, v := range slices.Concat(wholecrawl.Ablations(), []wholecrawl.Variant{wholecrawl.Priority(0.01), wholecrawl.Keyword(), wholecrawl.BreadthFirst()}) {
		file := s.Spec(v, t.TempDir()).Topic.File
		if v.Name == wholecrawl.Priority(0.01).Name && file.Weights.Lambda >= file.Thresholds.Priority {
			t.Errorf("λ is %v at threshold %v: the vote alone passes any link", file.Weights.Lambda, file.Thresholds.Priority)
		}
	}
	if diff := cmp.Diff(before, *s.Topic.File); diff != "" {
		t.Errorf("the topic has changed (-before +after):\n%s", diff)
	}
	if s.Topic.Lexicon != lexicon {
		t.Error("the topic has another lexicon")
	}
}

// What Spec says is all that it takes to crawl into a folder that stays.
func TestSpecOfACrawlThatIsKept(t *testing.T) {
	web := newWeb(t)
	s := setup(t, web)
	dir := t.TempDir()
	c, err := local.Open(t.Context(), s.Spec(wholecrawl.AsIs(), dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Run(t.Context(), t.Context())
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	o, err := wholecrawl.Of(t.Context(), dir)
	if err != nil || o.Name != "money" || o.Pages != 5 || len(o.Kept) != 3 {
		t.Errorf("the folder holds %+v (%v), want a crawl of 5 responses and 3 documents", o, err)
	}
	if source, err := topic.ReadSource(local.TopicPath(dir)); err != nil || string(source) != topicYAML {
		t.Errorf("the folder's topic is %q (%v)", source, err)
	}
}

func TestJudge(t *testing.T) {
	web := newWeb(t)
	number := func(n int) *int { return &n }
	const money, games = "http://money.portal.test/", "http://games.portal.test/"
	o := &wholecrawl.Outcome{
		Name: "x", Fetched: []string{"http://www.portal.test/", money, money + "1.html", games + "2.html", money + "3.html", money + "2.html"},
		Kept: []string{money, money + "1.html", games + "2.html", money + "unknown.html"},
	}
	ignore := cmpopts.IgnoreFields(wholecrawl.Result{}, "Sites")
	near := cmp.Comparer(func(a, b metric.Number) bool { return math.Abs(float64(a-b)) < 1e-12 || a != a && b != b })
	for _, test := range []struct {
		name  string
		hosts string
		want  wholecrawl.Score
	}{
		{"everywhere", "", wholecrawl.Score{
			Fetched: number(6), Kept: 4, Right: 2, Wanted: 3, Found: 1,
			Precision: 0.5, Recall: 1.0 / 3, F1: 0.4, Harvest: 1.0 / 3, To80: number(6),
		}},
		{"on a host", "money.portal.test", wholecrawl.Score{
			Fetched: number(4), Kept: 3, Right: 2, Wanted: 3, Found: 1,
			Precision: 2.0 / 3, Recall: 1.0 / 3, F1: 4.0 / 9, Harvest: 0.5, To80: number(6),
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := wholecrawl.Question{Web: web, Label: "money", Hosts: test.hosts}
			if err := q.Check(); err != nil {
				t.Fatal(err)
			}
			got := q.Judge(o)
			if diff := cmp.Diff(wholecrawl.Result{Name: "x", Score: test.want}, got, ignore, near); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var sites []string
			for _, s := range got.Sites {
				sites = append(sites, s.Site)
			}
			want := []string{"games.portal.test", "money.portal.test"}
			if test.hosts != "" {
				want = want[1:]
			}
			if diff := cmp.Diff(want, sites); diff != "" {
				t.Errorf("sites (-want +got):\n%s", diff)
			}
		})
	}
	for name, q := range map[string]wholecrawl.Question{
		"label": {Web: web, Label: "weather"},
		"hosts": {Web: web, Label: "money", Hosts: "games.portal.test"},
	} {
		if err := q.Check(); err == nil || !strings.Contains(err.Error(), "money, games") {
			t.Errorf("unknown %s: error is %v, want it to list the labels", name, err)
		}
	}
}

func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, "corpus"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "corpus", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("00002.jsonl", "{\"url\": \"http://a.test/2\"}\n{\"url\": \"http://a.test/cut")
	write("00001.jsonl", "{\"url\": \"http://a.test/0\", \"final_url\": \"http://a.test/1\"}\n{\"final_url\": \"http://a.test/1\"}\n")
	kept, err := wholecrawl.Kept(dir)
	if diff := cmp.Diff([]string{"http://a.test/1", "http://a.test/2"}, kept); err != nil || diff != "" {
		t.Errorf("Kept: %v (-want +got):\n%s", err, diff)
	}
	write("00003.jsonl", "{}\nnonsense\n")
	if err := wholecrawl.Documents(dir, func(*corpus.Document) error { return nil }); err == nil || !strings.Contains(err.Error(), "00003.jsonl: line 2: ") {
		t.Errorf("error is %v, want file and line", err)
	}
}

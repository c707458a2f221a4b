package local_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sluice/shared/console"
	"sluice/shared/crawl/reading"
	"sluice/shared/dataset/export"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
)

// market is a site about money, in two sections, and the weather. Of the pages in each
// section some are not what the words of the author make of them. foot ends each page about money.
func market(t testing.TB, on int, foot string) *site {
	t.Helper()
	money := "央行公布利率，贷款和存款都有增加，投资者关注收益和风险，基金和债券的价格上涨，分析师认为行情还会持续"
	weather := "天气晴朗，气温上升，公园里的游客很多，孩子们在湖边放风筝，老人在树下下棋，傍晚才慢慢散去"
	pages := map[string]string{}
	var home strings.Builder
	add := func(path string, n int, text, foot string) {
		for i := range n {
			at := fmt.Sprintf("/%s/%s/%d.html", []string{"stocks", "banks"}[i%2], path, i)
			fmt.Fprintf(&home, "<a href=%s>更多</a>", at)
			pages[at] = fmt.Sprintf("<title>通知%d</title><article><p>%s。</p><p>这是第%d篇。</p>%s</article>", i, text, i, foot)
		}
	}
	add("on", on, "股市和银行："+money, foot)
	add("off", 30, weather, "")
	add("found", 5, money+"，记者从股市了解到"+strings.Repeat("，"+fillers, 2), foot) // too few words of the author
	add("passing", 5, weather+"，路过一家银行和股市，回家了", "")                         // enough of them
	add("named", 5, weather+"，路过一家银行"+strings.Repeat("，"+fillers, 3), "")   // too few, rightly
	pages["/"] = "<title>首页</title>" + home.String()
	return serve(t, pages)
}

// marketURL has no port of its own for each run: which pages are sampled depends on their URLs.
const marketURL = "http://market.test"

func specOfMarket(t testing.TB, yaml string, web *site) local.Spec {
	t.Helper()
	s := specOf(t, yaml, marketURL+"/")
	s.Contact = "https://tests.invalid/"
	s.Transport = frozenweb.Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme, r.URL.Host = "", ""
		web.answer(w, r)
	})}
	return s
}

// marketSpec is a crawl of a market with 30 pages about money.
func marketSpec(t testing.TB, foot string) (*site, local.Spec) {
	t.Helper()
	web := market(t, 30, foot)
	return web, specOfMarket(t, secondLookYAML, web)
}

// fillers make a text longer.
const fillers = "昨天下午记者来到现场看见许多群众排队等候工作人员介绍说准备充分大家耐心配合秩序良好没有发生意外"

const secondLookYAML = `
name: money
words: [股市, 银行]
seeds: ["http://127.0.0.1:1/"]
scope: {mode: domain}
strategy: best-first
thresholds: {description: 0.3, priority: 0.45, body: 0.04}
budgets: {max_pages: 200, max_pages_per_host: 200, max_depth: 3}
`

func sections(urls []string) map[string]int {
	n := map[string]int{}
	for _, u := range urls {
		parts := strings.Split(u, "/")
		n[parts[len(parts)-2]]++
	}
	return n
}

func keptSections(t *testing.T, dir string) map[string]int {
	t.Helper()
	return sections(slices.Collect(maps.Keys(documents(t, dir))))
}

// At its end a crawl keeps pages about the topic that lack its words, and removes
// those that mention them in passing.
func TestSecondLook(t *testing.T) {
	t.Parallel()
	_, s := marketSpec(t, "")
	sum := run(t, s)
	want := map[string]int{"on": 30, "found": 5}
	if got := keptSections(t, s.Dir); !maps.Equal(got, want) {
		t.Fatalf("kept %v, want %v", got, want)
	}
	if sum.Kept != 35 || sum.Fetched != 76 || sum.Rejected != 41 || sum.RefusedLater != 5 || sum.Rules[reading.RuleSecondLook] != 5 {
		t.Errorf("%d fetched, %d kept, %d rejected, %d of them later, by rules %v", sum.Fetched, sum.Kept, sum.Rejected, sum.RefusedLater, sum.Rules)
	}
	var refused []string
	for _, r := range fixture.Lines[corpus.Reject](t, s.Dir, "rejects", "*") {
		refused = append(refused, r.URL)
	}
	if got := sections(refused); got["found"] != 0 || got["passing"] != 5 || got["named"] != 5 || len(refused) != 41 {
		t.Errorf("rejected are %v", got)
	}
	wantLook(t, s.Dir, console.SecondLook{On: 35, Off: 11, Added: 5, Removed: 5})

	f := folder(t, s.Dir)
	for path, kept := range map[string]bool{"/banks/found/1.html": true, "/banks/passing/1.html": false} {
		if x := explain(t, f, marketURL+path); x.Kept != kept || x.Rule != reading.RuleSecondLook {
			t.Errorf("%s: kept %v, rule %q", path, x.Kept, x.Rule)
		}
	}
	d := documents(t, s.Dir)["/banks/found/1.html"]
	if !slices.Equal(d.Verdicts, []string{"kept", reading.RuleSecondLook}) || d.WARC.Length == 0 || d.SimHash == "" || d.Path.Parent == "" {
		t.Errorf("the document is %+v", d)
	}
	dataset, err := f.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checked, err := export.CheckFolder(t.Context(), dataset, nil)
	if err != nil || checked.Records != 35 || checked.Others != 0 || len(checked.Problems) > 0 {
		t.Errorf("check: %+v, %v", checked, err)
	}
}

func wantLook(t *testing.T, dir string, want console.SecondLook) {
	t.Helper()
	st, err := folder(t, dir).Status(t.Context())
	if err != nil || st.SecondLook == nil {
		t.Fatalf("second look %v, %v", st.SecondLook, err)
	}
	got := *st.SecondLook
	if got.On != want.On || got.Off < want.Off || got.Added != want.Added || got.Removed != want.Removed || got.Threshold <= 0 || len(got.Words) == 0 {
		t.Errorf("second look %+v, want %+v", got, want)
	}
}

// A page is judged by all that it shows, not by its main text alone, where it is archived.
func TestSecondLookAtWholePages(t *testing.T) {
	t.Parallel()
	for archive, want := range map[string]int{"": 5, corpus.ArchiveKept: 0} {
		web, s := marketSpec(t, "")
		s.Archive = archive
		for i := range 5 {
			at := fmt.Sprintf("/whole/%d.html", i)
			web.pages["/"] += fmt.Sprintf("<a href=%s>更多</a>", at)
			web.pages[at] = fmt.Sprintf("<title>通知%d</title><ul><li><a href=/a%[1]d>股市和银行</a><li><a href=/b%[1]d>央行公布利率</a><li><a href=/c%[1]d>贷款和存款</a>"+
				"<li><a href=/d%[1]d>投资者关注收益</a><li><a href=/e%[1]d>基金和债券的价格</a></ul><article><p>%[2]s。</p><p>这是第%[1]d篇。</p></article>", i, fillers)
		}
		run(t, s)
		if got := keptSections(t, s.Dir)["whole"]; got != want {
			t.Errorf("archive %q: kept %d pages, want %d", archive, got, want)
		}
	}
}

// A page without any word of the topic becomes a document, too, where all pages are
// archived, and it is one that stays.
func TestSecondLookWithoutWords(t *testing.T) {
	t.Parallel()
	for archive, want := range map[string]map[string]int{
		"":                 {"on": 30, "found": 5, "silent": 5},
		corpus.ArchiveKept: {"on": 30, "found": 5},
	} {
		web, s := marketSpec(t, "")
		s.Archive = archive
		for i := range 5 {
			at := fmt.Sprintf("/silent/%d.html", i)
			web.pages["/"] += fmt.Sprintf("<a href=%s>更多</a>", at)
			web.pages[at] = fmt.Sprintf("<title>通知%d</title><article><p>央行公布利率，贷款和存款都有增加，"+
				"投资者关注收益和风险，基金和债券的价格上涨。</p><p>这是第%d篇。</p></article>", i, i)
		}
		for range 2 { // the second run makes no document again
			sum := run(t, s)
			if got := keptSections(t, s.Dir); !maps.Equal(got, want) {
				t.Errorf("archive %q: kept %v, want %v", archive, got, want)
			}
			if n := lines(t, s.Dir, "rejects"); sum.Fetched != 81 || sum.Kept+sum.Rejected != 81 || n != sum.Rejected {
				t.Errorf("archive %q: %d fetched, %d kept, %d rejected, %d rejects", archive, sum.Fetched, sum.Kept, sum.Rejected, n)
			}
			s.Resume = true
		}
		web.pages["/silent/1.html"] = strings.Replace(web.pages["/silent/1.html"], "这是第1篇", "这是修改后的第1篇", 1)
		s.Resume, s.Refresh = false, true
		if r := run(t, s).Refresh; archive == "" && (r.Changed != 1 || r.Gone != 0) {
			t.Errorf("archive %q: %+v", archive, r)
		}
	}
}

// A second look that was killed loses no page and keeps none twice: the next run
// does it again, though some pages stand in both places.
func TestSecondLookAgain(t *testing.T) {
	t.Parallel()
	_, s := marketSpec(t, "")
	first := run(t, s)
	want := keptSections(t, s.Dir)
	added := documents(t, s.Dir)["/banks/found/1.html"]
	appendLine(t, s.Dir, "rejects", &corpus.Reject{
		URL: added.URL, FinalURL: added.FinalURL, Rule: reading.RuleDescription, OffTopic: &corpus.OffTopic{Text: added.Text, SampledOneIn: 1},
	})
	for _, r := range fixture.Lines[*corpus.Reject](t, s.Dir, "rejects", "*") {
		if r.Rule == reading.RuleSecondLook {
			e := explain(t, folder(t, s.Dir), r.FinalURL).Entry
			appendLine(t, s.Dir, "corpus", &corpus.Document{
				URL: r.URL, FinalURL: r.FinalURL, Text: r.Text, WARC: corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length},
			})
			break
		}
	}
	s.Resume = true
	for range 2 {
		sum := run(t, s)
		if got := keptSections(t, s.Dir); !maps.Equal(got, want) {
			t.Errorf("kept %v, before %v", got, want)
		}
		if n := lines(t, s.Dir, "rejects"); sum.Kept != first.Kept || sum.Rejected != first.Rejected || n != sum.Rejected {
			t.Errorf("%d kept, %d rejected, %d rejects; before %d and %d", sum.Kept, sum.Rejected, n, first.Kept, first.Rejected)
		}
	}
}

// Words of the topic in lines of the site neither keep a page nor keep it out.
func TestSecondLookBesideBoilerplate(t *testing.T) {
	t.Parallel()
	_, s := marketSpec(t, "<p>欢迎订阅银行和股市的频道，欢迎订阅银行和股市的频道，每天早上更新</p>")
	want := map[string]int{"on": 30, "found": 5}
	for range 2 { // the second run makes no document again
		run(t, s)
		if got := keptSections(t, s.Dir); !maps.Equal(got, want) {
			t.Errorf("kept %v, want %v", got, want)
		}
		if d := documents(t, s.Dir)["/banks/found/1.html"]; d == nil || !slices.Contains(d.Verdicts, reading.RuleSecondLook) || strings.Contains(d.Text, "欢迎") {
			t.Errorf("the document is %+v", d)
		}
		s.Resume = true
	}
}

// Of pages with the same text those in a section about the topic become documents.
func TestSecondLookOfSections(t *testing.T) {
	t.Parallel()
	money, weather := "央行公布利率，贷款和存款都有增加，投资者关注收益和风险", "天气晴朗，气温上升，公园里的游客很多，孩子们在湖边放风筝"
	pages := map[string]string{}
	var home strings.Builder
	add := func(folder string, n int, text string) {
		for i := range n {
			at := fmt.Sprintf("/%s/%d.html", folder, i)
			fmt.Fprintf(&home, "<a href=%s>更多</a>", at)
			pages[at] = fmt.Sprintf("<title>通知%d</title><article><p>%s。</p><p>这是第%d篇。</p></article>", i, text, i)
		}
	}
	both := weather + "，股市的央行公布利率，贷款和存款都有增加，投资者关注收益"
	add("money/on", 30, "股市和银行："+money)
	add("city/off", 30, weather)
	add("money/both", 5, both)
	add("city/same", 5, both)
	pages["/"] = "<title>首页</title>" + home.String()
	web := serve(t, pages)
	s := specOfMarket(t, secondLookYAML, web)
	run(t, s)
	if got, want := keptSections(t, s.Dir), map[string]int{"on": 30, "both": 5}; !maps.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

// Of pages with the same text, and addresses of one kind, those become documents that a list of
// pages about the topic links to. The lists have no text.
func TestSecondLookByLinks(t *testing.T) {
	t.Parallel()
	money, weather := "央行公布利率，贷款和存款都有增加，投资者关注收益和风险", "天气晴朗，气温上升，公园里的游客很多，孩子们在湖边放风筝"
	pages := map[string]string{"/": "<title>首页</title>"}
	for i := range 6 {
		pages["/"] += fmt.Sprintf("<a href=/list/%d.html>更多</a>", i)
	}
	add := func(folder string, n int, text string, lists ...int) {
		for i := range n {
			at := fmt.Sprintf("/pages/%s/%d.html", folder, i)
			for _, list := range lists {
				pages[fmt.Sprintf("/list/%d.html", list)] += fmt.Sprintf("<a href=%s>更多</a>", at)
			}
			pages[at] = fmt.Sprintf("<title>通知%d</title><article><p>%s。</p><p>这是第%d篇。</p></article>", i, text, i)
		}
	}
	both := weather + "，股市的央行公布利率，贷款和存款都有增加，投资者关注收益"
	add("on", 30, "股市和银行："+money, 0, 1, 2)
	add("off", 60, weather, 3, 4, 5)
	add("both", 5, both, 0, 1, 2)
	add("same", 5, both, 3, 4, 5)
	web := serve(t, pages)
	s := specOfMarket(t, secondLookYAML, web)
	run(t, s)
	if got, want := keptSections(t, s.Dir), map[string]int{"on": 30, "both": 5}; !maps.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

// A page that was accepted and changes is accepted again, as its next version.
func TestSecondLookOfRefresh(t *testing.T) {
	t.Parallel()
	web, s := marketSpec(t, "")
	first := run(t, s)
	web.pages["/banks/found/1.html"] = strings.Replace(web.pages["/banks/found/1.html"], "这是第1篇", "这是修改后的第1篇", 1)
	s.Refresh = true
	sum := run(t, s)
	r := sum.Refresh
	if sum.Kept != first.Kept || r.Changed != 1 || r.Gone != 0 || r.Unchanged+r.Changed+r.New != sum.Kept {
		t.Errorf("%d kept, before %d, %d refused later; %+v", sum.Kept, first.Kept, sum.RefusedLater, r)
	}
	versions := 0
	for _, d := range fixture.Lines[corpus.Document](t, s.Dir, "corpus", "*") {
		if strings.HasSuffix(d.FinalURL, "/banks/found/1.html") {
			versions = max(versions, d.Version)
		}
	}
	if x := explain(t, folder(t, s.Dir), marketURL+"/banks/found/1.html"); versions != 2 || !x.Kept {
		t.Errorf("version %d, %s", versions, x.Fate)
	}
}

// A crawl without documents learns no words: neither its topic file nor its archives
// are texts to learn from.
func TestSecondLookOfNothing(t *testing.T) {
	t.Parallel()
	for _, compiled := range []bool{false, true} {
		web := market(t, 0, "")
		s := specOfMarket(t, strings.Replace(secondLookYAML, "0.04", "0.3", 1), web)
		if compiled {
			artifact(t, &s)
		}
		sum := run(t, s)
		st, err := folder(t, s.Dir).Status(t.Context())
		if err != nil || sum.Kept != 0 || st.SecondLook != nil {
			t.Errorf("compiled %v: %d kept, second look %+v, %v", compiled, sum.Kept, st.SecondLook, err)
		}
	}
}

// With the pages of a host goes what a crawl has learned of them.
func TestSecondLookForgotten(t *testing.T) {
	t.Parallel()
	_, s := marketSpec(t, "")
	run(t, s)
	host, err := forget.Parse("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := local.Forget(t.Context(), s.Dir, []forget.Target{host}, forget.Options{}); err != nil {
		t.Fatal(err)
	}
	if st, err := folder(t, s.Dir).Status(t.Context()); err != nil || st.SecondLook != nil {
		t.Errorf("second look %+v, %v", st.SecondLook, err)
	}
}

// appendLine appends a record to the last file of a kind.
func appendLine(t *testing.T, dir, kind string, record interface{ AppendJSON([]byte) ([]byte, error) }) {
	t.Helper()
	line, err := record.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, kind, "00001.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Without a second look: by the published method, with a random seed, and with too
// few pages to learn from.
func TestNoSecondLook(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*local.Spec){
		"random seed": func(s *local.Spec) { s.RandomSeed = 7 },
		"few pages":   func(s *local.Spec) { s.MaxPages = 8 },
	} {
		_, s := marketSpec(t, "")
		change(&s)
		sum := run(t, s)
		st, err := folder(t, s.Dir).Status(context.Background())
		if err != nil || st.SecondLook != nil || sum.RefusedLater != 0 {
			t.Errorf("%s: second look %+v, %v", name, st.SecondLook, err)
		}
	}
}

package local_test

import (
	stdcmp "cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/local/engine"
	"sluice/shared/rank"
	"sluice/shared/state/limits"
)

// orderYAML is a topic of another strategy than the default.
const orderYAML = `
name: money
words: [股市, 银行]
strategy: best-first
scope: {mode: domain}
thresholds: {description: 0.3, priority: 0.45, body: 0.05}
weights: {alpha: 0.1, beta: 1, lambda: 0.01}
budgets: {max_pages: 5000, max_pages_per_host: 5000, max_depth: 10}
`

// Islands of the topic behind weak links are found with METHOD B6, the nearest first
// and after all that no weak link leads to, as far as the floor; without it none is.
func TestIslands(t *testing.T) {
	t.Parallel()
	const islands, pagesOfOne = 5, 4
	pages := map[string]string{}
	island := func(name string) {
		for i := range pagesOfOne {
			pages[fmt.Sprintf("/%s/%d", name, i)] = fmt.Sprintf("<title>股市</title><p>%s的第%d条消息：银行说，股市很好；股市说，银行很好。</p><a href=/%s/%d>股市</a>", name, i, name, (i+1)%pagesOfOne)
		}
	}
	home := "<title>天气</title><a href=/main/0>股市</a>"
	island("main")
	for weak := 1; weak <= islands; weak++ { // links on the way to its first page
		name := fmt.Sprintf("island%d", weak)
		island(name)
		next := "/" + name + "/0"
		for step := weak - 1; step > 0; step-- {
			path := fmt.Sprintf("/to%d/%d", weak, step)
			pages[path] = "<title>天气</title><p>今天天气很好，我们去公园散步，明天也是这样。</p><a href=" + next + ">更多</a>"
			next = path
		}
		home += "<a href=" + next + ">更多</a>"
	}
	pages["/"] = home
	for _, test := range []struct {
		strategy string
		want     []string // in their order
	}{
		{"adaptive", []string{"main", "island1", "island2", "island3"}},
		{"semantic", []string{"main"}},
	} {
		t.Run(test.strategy, func(t *testing.T) {
			t.Parallel()
			web := serve(t, pages)
			var found []string
			web.on = func(path string) {
				if name, number, _ := strings.Cut(path[1:], "/"); len(number) == 1 && !strings.HasPrefix(name, "to") && !slices.Contains(found, name) {
					found = append(found, name)
				}
			}
			s := specOf(t, strings.Replace(orderYAML, "best-first", test.strategy, 1), web.URL+"/")
			s.Workers = 1
			sum := run(t, s)
			if diff := cmp.Diff(test.want, found); diff != "" || int(sum.Kept) != pagesOfOne*len(test.want) {
				t.Errorf("%d kept, %s (-want +got):\n%s", sum.Kept, sum.StopReason, diff)
			}
		})
	}
}

// A topic behind pages that do not speak of it is found, as far as the crawl may
// go without a sign of it.
func TestTunnel(t *testing.T) {
	t.Parallel()
	off := func(href string) string {
		return `<title>天气</title><p>今天天气很好，我们去公园散步，明天也是这样。</p><a href=` + href + `>更多</a>`
	}
	web := serve(t, map[string]string{
		"/": off("/a"), "/a": off("/b"), "/b": off("/c"), "/d": off("/e"), "/e": off("/f"),
		"/c": `<title>通知</title><p>股市和银行，银行和股市：今天的股市，今天的银行。</p><a href=/d>更多</a>`,
		"/f": `<title>股市</title><p>银行说，股市很好；股市说，银行很好，明天也是这样。</p>`,
	})
	for _, test := range []struct {
		name, yaml string
		kept       int64
		fates      map[string]string
	}{
		{
			"three steps", orderYAML, 2,
			map[string]string{"/a": "passed description_threshold", "/c": "kept", "/e": "passed description_threshold", "/f": "kept"},
		},
		{
			"two steps", orderYAML + "tunnel: 2\n", 0,
			map[string]string{"/b": "passed description_threshold", "/c": "dropped tunnel"},
		},
		{
			"as published", strings.Replace(orderYAML, "best-first", "semantic", 1), 0,
			map[string]string{"/a": "dropped priority"},
		},
		{
			"everything", strings.Replace(orderYAML, "best-first", "breadth-first", 1), 2,
			map[string]string{"/c": "kept", "/f": "kept"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := specOf(t, test.yaml, web.URL+"/")
			sum := run(t, s)
			if sum.Kept != test.kept || sum.StopReason != "frontier_empty" {
				t.Errorf("%d kept, %s", sum.Kept, sum.StopReason)
			}
			f := folder(t, s.Dir)
			for path, want := range test.fates {
				x := explain(t, f, web.URL+path)
				if got := strings.TrimSpace(x.Fate + " " + x.Rule); got != want {
					t.Errorf("%s is %s, want %s", path, got, want)
				}
			}
		})
	}
}

// Weak links wait for all others. A crawl that can be repeated follows them in
// their rounds.
func TestWeakLinksWait(t *testing.T) {
	t.Parallel()
	var home strings.Builder
	home.WriteString("<title>天气</title>")
	for i := range 40 {
		fmt.Fprintf(&home, "<a href=/weak%d>更多</a>", i)
	}
	home.WriteString("<a href=/1>股市</a>")
	pages := map[string]string{"/": home.String()}
	for i := range 40 {
		pages[fmt.Sprintf("/weak%d", i)] = "<title>天气</title>"
	}
	for i := 1; i <= 6; i++ {
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>股市%d</title><p>银行说，股市很好；股市说，银行很好，明天也是这样。%d</p><a href=/%d>股市</a>", i, i, i+1)
	}
	for seed, first := range map[uint64][]string{
		0: {"/", "/1", "/2", "/3", "/4", "/5", "/6"},
		7: {"/", "/1", "/weak0"},
	} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			web := serve(t, pages)
			var mu sync.Mutex
			var asked []string
			web.on = func(path string) {
				mu.Lock()
				defer mu.Unlock()
				if _, ok := pages[path]; ok {
					asked = append(asked, path)
				}
			}
			s := specOf(t, orderYAML, web.URL+"/")
			s.RandomSeed = seed
			if sum := run(t, s); sum.Fetched != 47+1 || sum.Kept != 6 {
				t.Errorf("%d fetched, %d kept", sum.Fetched, sum.Kept)
			}
			if diff := cmp.Diff(first, asked[:min(len(first), len(asked))]); diff != "" {
				t.Errorf("asked first (-want +got):\n%s", diff)
			}
		})
	}
}

// weakLinks adds n pages off topic to pages, on 16 hosts, and returns links to them.
func weakLinks(pages map[string]string, n int) string {
	var links strings.Builder
	for i := range n {
		url := fmt.Sprintf("http://a%02d.demo.test/%d", i%16, i)
		fmt.Fprintf(&links, "<a href=%s>更多</a>", url)
		pages[url] = fmt.Sprintf("<title>天气%d</title>", i)
	}
	return links.String()
}

// through crawls pages from the home page of www.demo.test.
func through(t *testing.T, pages map[string]string) local.Spec {
	t.Helper()
	s := specOf(t, orderYAML, "http://www.demo.test/")
	s.Proxies, s.Contact, s.Workers = serve(t, pages).proxy(t), "crawl@example.com", local.DefaultWorkers
	return s
}

// A crawl ends when weak links are left that lead nowhere.
func TestHarvestRate(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	pages["http://www.demo.test/"] = "<title>天气</title>" + weakLinks(pages, 640)
	spec := through(t, pages)
	sum := run(t, spec)
	if sum.StopReason != "harvest_rate" || sum.Fetched < 500 || sum.Fetched > 600 {
		t.Errorf("%s after %d pages", sum.StopReason, sum.Fetched)
	}
	if b := sum.Barren; b == nil || b.Read < 500 || b.Read >= sum.Fetched || b.Kept != 0 {
		t.Errorf("of %d pages the last that brought too little are %+v", sum.Fetched, b)
	}
	if st, err := folder(t, spec.Dir).Status(t.Context()); err != nil || !cmp.Equal(st.Barren, sum.Barren) {
		t.Errorf("the status says %+v (%v), the summary %+v", st.Barren, err, sum.Barren)
	}

	// With enough documents among them it ends with the last.
	pages = maps.Clone(pages)
	for i, url := range slices.Sorted(maps.Keys(pages)) {
		if i%50 == 0 {
			pages[url] = fmt.Sprintf("<title>通知</title><p>股市和银行，银行和股市：今天的股市，今天的银行，第%d次。</p>", i)
		}
	}
	if sum := run(t, through(t, pages)); sum.StopReason != "frontier_empty" || sum.Fetched != 641 || sum.Kept != 13 {
		t.Errorf("%s after %d pages, %d kept", sum.StopReason, sum.Fetched, sum.Kept)
	}
}

const onTopic = "<title>股市</title><p>银行说，股市很好；股市说，银行很好，明天也是这样。</p>"

// Links that lead to no page do not end a crawl, however many there are: redirects,
// errors and feeds say nothing of the links after them.
func TestHarvestOfPagesRead(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"best-first", "hybrid"} {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			pages := map[string]string{"http://www.demo.test/on": onTopic}
			links := weakLinks(pages, 1000)
			for i := range 800 {
				url := fmt.Sprintf("http://a%02d.demo.test/%d", i%16, i)
				switch i % 3 {
				case 0:
					delete(pages, url) // 404
				case 1:
					pages[url] = "301 /gone"
				default:
					pages[url] = "<rss><channel></channel></rss>"
				}
			}
			pages["http://www.demo.test/"] = "<title>天气</title><a href=/on>股市</a>" + links
			s := through(t, pages)
			s.Topic = specOf(t, strings.Replace(orderYAML, "best-first", strategy, 1), "http://www.demo.test/").Topic
			if sum := run(t, s); sum.StopReason != "frontier_empty" || sum.Fetched < 1002 || sum.Barren != nil {
				t.Errorf("%s after %d pages, %+v", sum.StopReason, sum.Fetched, sum.Barren)
			}
		})
	}
}

// Of equal weak links, those of other hosts are not the last.
func TestHostsTakeTurns(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"http://z.demo.test/": "<title>天气</title><a href=/on>股市</a>", "http://z.demo.test/on": onTopic}
	pages["http://www.demo.test/"] = "<title>天气</title>" + weakLinks(pages, 640) + "<a href=http://z.demo.test/>更多</a>"
	if sum := run(t, through(t, pages)); sum.StopReason != "harvest_rate" || sum.Kept != 1 {
		t.Errorf("%s after %d pages, %d kept", sum.StopReason, sum.Fetched, sum.Kept)
	}
}

// Hosts that ask to wait do not keep links of others from being followed, however many
// links they have.
func TestWeakLinksBesideBusyHosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		strategy, busy string // hosts that begin with it
		links          int
		others         int32 // pages of other hosts
	}{
		{"best-first", "http://a00.", 80, 76},
		{"hybrid", "http://a0", 160, 61},
	} {
		t.Run(test.strategy, func(t *testing.T) {
			t.Parallel()
			pages := map[string]string{}
			pages["http://www.demo.test/"] = "<title>天气</title>" + weakLinks(pages, test.links)
			for url := range pages {
				if strings.HasPrefix(url, test.busy) {
					pages[url] = "503 600"
				}
			}
			s := specOf(t, strings.Replace(orderYAML, "best-first", test.strategy, 1), "http://www.demo.test/")
			web := serve(t, pages)
			s.Proxies, s.Contact, s.Workers = web.proxy(t), "crawl@example.com", 4
			stop, cancel := context.WithCancelCause(t.Context())
			var asked atomic.Int32
			web.on = func(url string) {
				if page := pages[url]; page != "" && !strings.HasPrefix(page, "503") && asked.Add(1) == test.others {
					cancel(engine.ErrInterrupted)
				}
			}
			c := open(t, s)
			if _, err := c.Run(t.Context(), stop); err != nil || stop.Err() == nil {
				t.Errorf("%d pages asked for, %v", asked.Load(), err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Entries of a sitemap without a title wait like weak links.
func TestWeakSitemap(t *testing.T) {
	t.Parallel()
	const home = "http://www.demo.test/"
	pages := map[string]string{home: "<title>天气</title><a href=/on>更多</a>", home + "on": onTopic}
	links := regexp.MustCompile(`<a href=(\S+?)>更多</a>`).ReplaceAllString(weakLinks(pages, 640), "<url><loc>$1</loc></url>")
	pages[home+"map.xml"] = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + links + "</urlset>"
	pages[home+"robots.txt"] = "User-agent: *\nSitemap: " + home + "map.xml\n"
	if sum := run(t, through(t, pages)); sum.StopReason != "harvest_rate" || sum.Kept != 1 || sum.Fetched > 640 {
		t.Errorf("%s after %d pages, %d kept", sum.StopReason, sum.Fetched, sum.Kept)
	}
}

// A page whose text speaks of the topic only in lines of its site is not kept.
func TestBoilerplateOnTopic(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	var home strings.Builder
	home.WriteString("<title>天气</title>")
	for i := range 30 {
		fmt.Fprintf(&home, "<a href=/%d>更多</a>", i)
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>天气%d</title><article><p>第%d天天气很好，气温%d度，市民们纷纷到公园里散步、放风筝。</p>"+
			"<p>明天%d点以后可能有雨，请大家出门的时候带好雨具，注意安全。</p><p>本站为您提供银行和股市的最新消息，欢迎订阅我们的银行和股市早报</p></article>", i, i, i, i)
	}
	pages["/"] = home.String()
	s := specOf(t, orderYAML, serve(t, pages).URL+"/")
	if sum := run(t, s); sum.Fetched != 31 || sum.Kept != 0 {
		t.Errorf("%d fetched, %d kept", sum.Fetched, sum.Kept)
	}
}

// A crawl goes on by the strategy that it was begun with, also in a folder that was
// written when semantic was the only one and none was recorded.
func TestStrategyStays(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"/": "<title>天气</title><a href=/1>股市</a><a href=/weak>更多</a>", "/weak": "<title>天气</title>",
		"/1": onTopic + "<a href=/2>股市</a>", "/2": onTopic + "<p>还有更多的消息。</p>",
	}
	named := map[string]string{"": rank.Default, "semantic": "semantic", "best-first": "best-first"}
	for name, begun := range named {
		for _, before := range []bool{false, true} {
			for _, compiled := range []bool{false, true} {
				t.Run(fmt.Sprintf("%q before %v compiled %v", name, before, compiled), func(t *testing.T) {
					t.Parallel()
					yaml := strings.Replace(orderYAML, "strategy: best-first\n", "", 1)
					if name != "" {
						yaml += "strategy: " + name + "\n"
					}
					web := serve(t, pages)
					s := specOf(t, yaml, web.URL+"/")
					if compiled {
						s.Topic.File.Strategy = name // as older programs compiled it
						artifact(t, &s)
					}
					s.MaxPages = 1
					if before {
						s.Topic = s.Topic.As("")
					}
					run(t, s)
					want := begun
					if before {
						if err := local.BegunBefore(t.Context(), s.Dir); err != nil {
							t.Fatal(err)
						}
					}
					if name == "" && (before || compiled) {
						want = "semantic"
					}
					s = local.Spec{Dir: s.Dir, Version: "1.0", Resume: true, Limits: limits.Limits{MaxPages: 100}, Delay: -1}
					sum := run(t, s)
					f := folder(t, s.Dir)
					x := explain(t, f, web.URL+"/weak")
					if x.Dropped != (want == "semantic") || sum.Kept != 2 {
						t.Errorf("%d kept, %s %s; want %s", sum.Kept, x.Fate, x.Rule, want)
					}
					if read, err := f.ReadTopic(); err != nil || stdcmp.Or(read.File.Strategy, "semantic") != want {
						t.Errorf("ReadTopic = %+v, %v", read, err)
					}
				})
			}
		}
	}
}

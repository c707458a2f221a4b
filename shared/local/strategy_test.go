package local_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
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

// Weak links wait for all others, also in a crawl that can be repeated.
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
	for _, seed := range []uint64{0, 7} {
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
			if diff := cmp.Diff([]string{"/", "/1", "/2", "/3", "/4", "/5", "/6"}, asked[:min(7, len(asked))]); diff != "" {
				t.Errorf("asked first (-want +got):\n%s", diff)
			}
		})
	}
}

// A crawl ends when weak links are left that lead nowhere.
func TestHarvestRate(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	var home strings.Builder
	for i := range 640 {
		fmt.Fprintf(&home, "<a href=/%d>更多</a>", i)
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>天气%d</title>", i)
	}
	pages["/"] = "<title>天气</title>" + home.String()
	s := specOf(t, orderYAML, serve(t, pages).URL+"/")
	s.Workers = local.DefaultWorkers
	if sum := run(t, s); sum.StopReason != "harvest_rate" || sum.Fetched < 500 || sum.Fetched > 600 {
		t.Errorf("%s after %d pages", sum.StopReason, sum.Fetched)
	}

	// With enough documents among them it ends with the last.
	pages = maps.Clone(pages)
	for i := 0; i < 640; i += 50 {
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>通知</title><p>股市和银行，银行和股市：今天的股市，今天的银行，第%d次。</p>", i)
	}
	s = specOf(t, orderYAML, serve(t, pages).URL+"/")
	if sum := run(t, s); sum.StopReason != "frontier_empty" || sum.Fetched != 641 || sum.Kept != 13 {
		t.Errorf("%s after %d pages, %d kept", sum.StopReason, sum.Fetched, sum.Kept)
	}
}

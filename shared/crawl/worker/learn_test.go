package worker_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/rank"
	"sluice/shared/state/job"
	"sluice/shared/web/fetch"
)

// learning makes the topic of a stack one whose crawls learn.
func (c *cloud) learning(strategy string) {
	t := *c.topics.m["topics/finance.topic"]
	file := *t.File
	file.Strategy = strategy
	t.File = &file
	c.topics.set("topics/finance.topic", &t)
}

// sections is a host with a good and a bad section, whose links look alike. Each page
// links to the next of both.
func sections(host string) *web {
	w := &web{delay: time.Second}
	w.serve = func(url string) *fetch.Response {
		var section string
		n := 0
		if path, ok := strings.CutPrefix(url, "http://"+host+"/"); !ok {
			return respond(url, 404, "")
		} else if path != "p0" {
			section, _, _ = strings.Cut(path, "/")
			if _, err := fmt.Sscanf(path, section+"/%d.html", &n); err != nil {
				return respond(url, 404, "")
			}
		}
		title, text := "天气", "天气晴朗，适合出行，公园里有许多人在散步，孩子们在草地上玩耍。"
		if section == "good" {
			title, text = "股市 银行", "股市上涨，银行走强，正文足够长，可以被当作正文提取出来，是关于股市的一页。"
		}
		var b strings.Builder
		fmt.Fprintf(&b, "<html><head><title>%s %d</title></head><body><p>第%d页 %s %s</p>", title, n, n, section, strings.Repeat(text, 3))
		for i := 3*n + 1; i <= 3*n+3; i++ {
			for _, s := range strings.Fields("art auto books food games good health law music sport travel weather") {
				fmt.Fprintf(&b, `<a href="/%s/%d.html">新闻</a> `, s, i)
			}
		}
		return respond(url, 200, b.String())
	}
	return w
}

// Functions that forget learn together: what each counts goes with the host, each page
// once. Each batch is another process's.
func TestLearningIsShared(t *testing.T) {
	kept := map[string]int{}
	for _, strategy := range []string{rank.NameHybrid, rank.NameBestFirst} {
		bubble.Test(t, func(t *testing.T) {
			const host = "h0.demo.test"
			c := newCloud(t, sections(host))
			c.learning(strategy)
			c.forgets = true
			c.message(t, fmt.Sprintf(start, "one", `,"max_pages":300`))
			c.run(t, 2)
			wantManners(t, c)
			kept[strategy] = int(c.totals(t, "one").Verdicts["kept"])
			lease, err := c.store.Leases().Acquire(t.Context(), "one", host, "test", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			want := [2]int{300, kept[strategy]}
			if strategy != rank.NameHybrid {
				want = [2]int{}
			}
			if got := lease.State.Learned[""]; got != want {
				t.Errorf("%s: the host has the counts %v, want %v", strategy, got, want)
			}
		})
	}
	if kept[rank.NameHybrid] <= kept[rank.NameBestFirst] {
		t.Errorf("of 300 pages were kept %v", kept)
	}
}

// A crawl that can be repeated learns nothing: what it knew of a link would depend on
// what was read first.
func TestRoundsLearnNothing(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		const host = "h0.demo.test"
		c := newCloud(t, sections(host))
		c.learning(rank.NameHybrid)
		c.message(t, fmt.Sprintf(start, "one", `,"max_pages":120,"random_seed":7`))
		c.run(t, 2)
		alike := map[float64]int{}
		for round := range 10 {
			links, err := c.store.Backlog().Best(t.Context(), "one", host, round, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range links {
				alike[l.Parts.Like]++
			}
		}
		if len(alike) != 1 || c.totals(t, "one").Verdicts["kept"] == 0 {
			t.Errorf("links by what is expected of them: %v", alike)
		}
	})
}

// Weak links wait until no better one is left anywhere, and the crawl ends when too
// little comes of them.
func TestWeakLinksWait(t *testing.T) {
	const strong = 60
	bubble.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var asked []string // hosts of pages, in order
		w := &web{delay: time.Second}
		w.serve = func(url string) *fetch.Response {
			host, page, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
			n := 0
			if _, err := fmt.Sscanf(page, "p%d", &n); err != nil {
				return respond(url, 404, "")
			}
			mu.Lock()
			asked = append(asked, host)
			mu.Unlock()
			if host == "weak.demo.test" {
				return respond(url, 200, "<html><head><title>天气</title></head><body><p>天气晴朗，适合出行，公园里有许多人在散步，孩子们在草地上玩耍。</p></body></html>")
			}
			var b strings.Builder
			fmt.Fprintf(&b, "<html><head><title>天气 %d</title></head><body><p>天气晴朗</p>", n)
			if n < strong {
				fmt.Fprintf(&b, `<a href="/p%d">股市 银行</a>`, n+1)
			}
			for i := range 40 {
				fmt.Fprintf(&b, `<a href="http://weak.demo.test/p%d">新闻</a> `, 40*n+i)
			}
			return respond(url, 200, b.String())
		}
		c := newCloud(t, w)
		c.learning(rank.NameBestFirst)
		c.message(t, fmt.Sprintf(start, "one", `,"scope":{"mode":"any"}`))
		c.run(t, 1)
		wantEnd(t, c, "one", job.ReasonHarvestRate)
		wantManners(t, c)
		if first := slices.Index(asked, "weak.demo.test"); first < strong {
			t.Errorf("a weak link was followed after %d pages", first)
		}
		h := c.job(t, "one").Order.Watch.Last
		if h.Read < 500 || h.Read > 600 || h.Kept != 0 || len(asked) > 800 {
			t.Errorf("after %d pages the harvest is %+v", len(asked), h)
		}
	})
}

// A crawl of a site that says the same on ever more pages ends, though each batch is
// another process's; one of articles goes on.
func TestNothingNew(t *testing.T) {
	for name, reason := range map[string]string{"forms": job.ReasonCoverage, "articles": job.ReasonMaxPages} {
		bubble.Test(t, func(t *testing.T) {
			w := &web{delay: time.Second}
			w.serve = func(url string) *fetch.Response {
				n := 0
				if _, err := fmt.Sscanf(url, "http://h0.demo.test/p%d", &n); err != nil {
					return respond(url, 404, "")
				}
				var b strings.Builder
				fmt.Fprintf(&b, "<html><head><title>股市 银行 %d</title></head><body><p>股市上涨，银行走强，正文足够长，可以被当作正文提取出来，是关于股市的第%d页。", n, n)
				if name == "articles" {
					b.WriteString(itsOwn("h0.demo.test", n))
				}
				b.WriteString("</p>")
				for i := 3*n + 1; i <= 3*n+3; i++ {
					fmt.Fprintf(&b, `<a href="/p%d">股市 银行</a> `, i)
				}
				return respond(url, 200, b.String())
			}
			c := newCloud(t, w)
			c.learning(rank.NameHybrid)
			c.forgets = true
			c.message(t, fmt.Sprintf(start, "one", `,"max_pages":1500`))
			c.run(t, 2)
			wantEnd(t, c, "one", reason)
			g := c.job(t, "one").Order.Growth
			switch {
			case g == nil:
				t.Errorf("%s: nothing is watched", name)
			case reason == job.ReasonCoverage && (g.Last.Read < 1000 || g.Last.Kept < 900 || g.Last.Documents > 9 || c.totals(t, "one").Fetched > 1300):
				t.Errorf("%s: after %d pages the last brought %+v", name, c.totals(t, "one").Fetched, g.Last)
			case reason != job.ReasonCoverage && (g.Last.Read < 1000 || g.Last.Kept < 500 || g.Last.Documents < 500):
				t.Errorf("%s: the last pages brought %+v", name, g.Last)
			}
		})
	}
}

package worker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/rank"
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

package local_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"sluice/shared/state/forget"
)

// A crawl that learns leaves the section of a site that has nothing, though the links
// of both look alike; the next run of the crawl knows it from the start.
func TestHybrid(t *testing.T) {
	t.Parallel()
	var home strings.Builder
	home.WriteString("<title>天气</title>")
	pages := map[string]string{}
	for i := range 120 {
		fmt.Fprintf(&home, "<a href=/city/%d.html>更多</a><a href=/money/%d.html>更多</a>", i, i)
		pages[fmt.Sprintf("/city/%d.html", i)] = fmt.Sprintf("<title>天气%d</title><p>今天天气很好，我们去公园散步，明天也是这样，第%d天。</p>", i, i)
		pages[fmt.Sprintf("/money/%d.html", i)] = fmt.Sprintf("<title>通知%d</title><p>第%d位客人说，股市和银行，银行和股市：今天的股市，今天的银行，一共%d家。</p>", i, i, i+1)
	}
	pages["/"] = home.String()
	for _, strategy := range []string{"hybrid", "best-first"} {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			web := serve(t, pages)
			var mu sync.Mutex
			money, others := 0, 0
			web.on = func(path string) {
				mu.Lock()
				defer mu.Unlock()
				switch {
				case strings.HasPrefix(path, "/money/"):
					money++
				case strings.HasPrefix(path, "/city/"):
					others++
				}
			}
			s := specOf(t, strings.Replace(orderYAML, "best-first", strategy, 1), web.URL+"/")
			s.MaxPages, s.Workers = 90, 4
			sum := run(t, s)
			if sum.Fetched != 90 || int(sum.Kept) != money {
				t.Errorf("%s: %d fetched, %d kept, %d of the topic", sum.StopReason, sum.Fetched, sum.Kept, money)
			}
			if learned := strategy == "hybrid"; (money >= 70) != learned {
				t.Errorf("%d of the topic, %d others", money, others)
			}
			before := others
			s.Resume, s.MaxPages = true, 110
			if sum := run(t, s); sum.Fetched != 110 {
				t.Errorf("%d fetched by both runs", sum.Fetched)
			}
			if learned := strategy == "hybrid"; (others-before <= 2) != learned {
				t.Errorf("%d others in the second run", others-before)
			}
		})
	}
}

// A crawl that learns ends when it keeps too little, but not before its first page.
func TestHybridHarvest(t *testing.T) {
	t.Parallel()
	for kept, want := range []string{"frontier_empty", "harvest_rate"} {
		pages := map[string]string{}
		links := weakLinks(pages, 800)
		if kept > 0 {
			pages["http://www.demo.test/on"] = onTopic
			links = "<a href=/on>股市</a>" + links
		}
		pages["http://www.demo.test/"] = "<title>天气</title>" + links
		s := through(t, pages)
		s.Topic = specOf(t, strings.Replace(orderYAML, "best-first", "hybrid", 1), "http://www.demo.test/").Topic
		sum := run(t, s)
		if sum.StopReason != want || sum.Kept != int64(kept) || (sum.Fetched == 801) != (kept == 0) || sum.Fetched < 500 {
			t.Errorf("%s after %d pages, %d kept, want %s", sum.StopReason, sum.Fetched, sum.Kept, want)
		}
	}
}

// A resumed crawl that learns needs no document of its own run to end for too few.
func TestHybridHarvestResumed(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"http://www.demo.test/on": onTopic}
	pages["http://www.demo.test/"] = "<title>天气</title><a href=/on>股市</a>" + weakLinks(pages, 900)
	s := through(t, pages)
	s.Topic = specOf(t, strings.Replace(orderYAML, "best-first", "hybrid", 1), "http://www.demo.test/").Topic
	s.MaxPages = 100
	if sum := run(t, s); sum.StopReason != "max_pages" || sum.Kept != 1 {
		t.Fatalf("%s after %d pages, %d kept", sum.StopReason, sum.Fetched, sum.Kept)
	}
	s.Resume, s.MaxPages = true, 5000
	sum := run(t, s)
	if b := sum.Barren; sum.StopReason != "harvest_rate" || b == nil || b.Kept != 0 || sum.Fetched < 600 || sum.Fetched > 700 {
		t.Errorf("%s after %d pages, %+v", sum.StopReason, sum.Fetched, b)
	}
}

// What is learned of a section goes with its page, and a crawl goes on without it.
func TestForgetLearned(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"/": "<title>天气</title><a href=/geheim/1>股市</a><a href=/open/1>股市</a><a href=/open/2>股市</a>", "/geheim/1": onTopic,
		"/open/1": onTopic + "<p>还有更多的消息。</p>", "/open/2": onTopic + "<p>明天有更多的消息。</p>",
	})
	s := specOf(t, strings.Replace(orderYAML, "best-first", "hybrid", 1), web.URL+"/")
	if sum := run(t, s); sum.Kept != 3 {
		t.Fatalf("%d kept", sum.Kept)
	}
	forgetIn(t, s.Dir, forget.Options{}, web.URL+"/geheim/1")
	checkGone(t, s.Dir, "geheim")
	s.Resume = true
	if sum := run(t, s); sum.Kept != 2 {
		t.Errorf("%d kept after the page is gone", sum.Kept)
	}
	checkGone(t, s.Dir, "geheim")
}

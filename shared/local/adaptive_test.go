package local_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sluice/shared/console"
	"sluice/shared/local"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
)

const adaptiveYAML = `
name: money
words: [股市, 银行, 利率: 1.5]
strategy: adaptive
scope: {mode: domain}
budgets: {max_pages: 5000, max_pages_per_host: 5000, max_depth: 50}
`

// adaptiveWeb has pages about money, all of which speak of 国债 in two sections,
// and others, under a dateline.
func adaptiveWeb(money, others int) map[string]string {
	web := map[string]string{}
	var links strings.Builder
	for i := range max(money, others) {
		for kind, words := range map[string]string{
			"money": "股市和银行的消息说，国债的发行和利率有关，投资者把国债卖给银行",
			"games": "球队和球员的消息说，足球的联赛和教练有关，观众把门票卖给球迷",
		} {
			if kind == "money" && i >= money || kind == "games" && i >= others {
				continue
			}
			path := fmt.Sprintf("/%s%d/%d", kind, i%2, i)
			web[path] = fmt.Sprintf("<title>%s第%d条</title><p>新华社北京%d日电（记者张伟）%s，这是今年的第%d次，城市里的人都在谈论这件事情，孩子们也在学校里听说了。</p>",
				words[:12], i, 1+i%28, words, i)
			fmt.Fprintf(&links, "<a href=%s>%s</a> ", path, words[:12])
		}
	}
	web["/"] = "<title>首页</title>" + links.String()
	return web
}

func adjustments(t *testing.T, dir string) []job.Adjustment {
	t.Helper()
	s, err := folder(t, dir).Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s.Adjustments
}

// A crawl learns words and changes thresholds while it runs, says so, and
// takes them up again when it is continued.
func TestAdaptive(t *testing.T) {
	t.Parallel()
	web := serve(t, adaptiveWeb(150, 350))
	s := specOf(t, adaptiveYAML, web.URL+"/")
	s.MaxPages = 450
	if sum := run(t, s); sum.StopReason != "max_pages" {
		t.Fatalf("%s after %d pages", sum.StopReason, sum.Fetched)
	}
	first := adjustments(t, s.Dir)
	at := slices.IndexFunc(first, func(a job.Adjustment) bool { return a.Words != nil })
	if at < 0 {
		t.Fatalf("no word is learned: %+v", first)
	}
	var words []string
	for _, w := range first[at].Words {
		words = append(words, w.Word)
	}
	if !slices.Contains(words, "国债") || slices.Contains(words, "日电") || slices.Contains(words, "张伟") || slices.Contains(words, "足球") {
		t.Errorf("learned %v", words)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, local.LearnedFile)); err != nil {
		t.Error(err)
	}
	last := first[len(first)-1]
	x := explain(t, folder(t, s.Dir), web.URL+"/money0/0")
	constants := consoleConstants(t, s.Dir, web.URL+"/money0/0")
	if x.Fate != "kept" || constants.PriorityThreshold != last.Threshold {
		t.Errorf("%s, threshold %v, want %v", x.Fate, constants.PriorityThreshold, last.Threshold)
	}
	if n := len(constants.Changes); n != len(first) || constants.Changes[n-1] != (console.Change{Fetched: last.Fetched, Rule: last.Rule, Threshold: last.Threshold}) {
		t.Errorf("explain has the changes %+v, want %+v", constants.Changes, first)
	}

	s.MaxPages, s.Resume = 495, true
	run(t, s)
	second := adjustments(t, s.Dir)
	if len(second) < len(first) || second[0].Fetched != first[0].Fetched || second[0].Threshold != first[0].Threshold {
		t.Errorf("%+v after %+v", second, first)
	}
}

// What a crawl has learned is forgotten with the pages, and learned again.
func TestAdaptiveForgets(t *testing.T) {
	t.Parallel()
	web := serve(t, adaptiveWeb(100, 300))
	s := specOf(t, adaptiveYAML, web.URL+"/")
	s.MaxPages = 250
	run(t, s)
	learned := filepath.Join(s.Dir, local.LearnedFile)
	words := func() bool {
		return slices.ContainsFunc(adjustments(t, s.Dir), func(a job.Adjustment) bool { return a.Words != nil })
	}
	if _, err := os.Stat(learned); err != nil || !words() {
		t.Fatalf("nothing is learned: %v", err)
	}
	forgetIn(t, s.Dir, forget.Options{}, web.URL+"/money0/0")
	if _, err := os.Stat(learned); err == nil || words() {
		t.Errorf("after forget there are words: %v", words())
	}
	s.MaxPages, s.Resume = 400, true
	run(t, s)
	if _, err := os.Stat(learned); err != nil || !words() {
		t.Errorf("nothing is learned again: %v", err)
	}
}

func consoleConstants(t *testing.T, dir, url string) *console.Constants {
	t.Helper()
	x, err := local.NewConsole(dir).Explain(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	return x.Constants
}

package local_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/state/limits"
)

// pagesOfOneSite returns n pages about the topic: each links to the next ones, and text
// returns what the i-th says.
func pagesOfOneSite(n int, text func(i int) string) map[string]string {
	pages := map[string]string{}
	for i := range n {
		var links strings.Builder
		for next := i + 1; next <= i+20; next++ {
			fmt.Fprintf(&links, "<a href=/%d>股市</a>", next)
		}
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf("<title>股市%d</title><article>%s</article>%s", i, text(i), &links)
	}
	return pages
}

// dayOfCalendar is a page that differs from others in numbers alone.
func dayOfCalendar(i int) string {
	return fmt.Sprintf("<p>股市日历%d年%d月%d日：银行照常营业，股市照常开盘，本页列出当天的全部安排，没有其他内容。</p><p>查询编号为%d，共有%d条记录，请选择其他日期。</p>",
		2000+i/372, 1+i/31%12, 1+i%31, i, i*7)
}

// textOfItsOwn is a page like no other.
func textOfItsOwn(i int) string {
	rng := rand.New(rand.NewPCG(1, uint64(i)))
	common := []rune("的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实")
	rng.Shuffle(len(common), func(i, j int) { common[i], common[j] = common[j], common[i] })
	return "<p>股市和银行：" + string(common[:50]) + "。</p>"
}

// specOfSite crawls a site by a strategy.
func specOfSite(t *testing.T, strategy string, pages map[string]string) local.Spec {
	t.Helper()
	s := specOf(t, strings.Replace(orderYAML, "best-first", strategy, 1), serve(t, pages).URL+"/0")
	s.Topic.File.Budgets.MaxDepth = 10_000
	return s
}

// A crawl of a site that says the same on ever more pages ends, with the figures.
func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		strategy, pages string
		text            func(int) string
		reason          string
	}{
		{"hybrid", "calendar", dayOfCalendar, "coverage"},
		{"best-first", "calendar", dayOfCalendar, "coverage"},
		{"semantic", "calendar", dayOfCalendar, "max_pages"},
		{"hybrid", "articles", textOfItsOwn, "max_pages"},
		{"best-first", "articles", textOfItsOwn, "max_pages"},
	} {
		t.Run(test.strategy+" "+test.pages, func(t *testing.T) {
			t.Parallel()
			s := specOfSite(t, test.strategy, pagesOfOneSite(1600, test.text))
			s.MaxPages = 1500
			sum := run(t, s)
			if sum.StopReason != test.reason || sum.Kept < 900 {
				t.Fatalf("%s after %d pages, %d kept, %+v", sum.StopReason, sum.Fetched, sum.Kept, sum.Saturated)
			}
			g := sum.Saturated
			if test.reason != "coverage" {
				if g != nil || sum.Fetched != 1500 {
					t.Errorf("after %d pages saturated by %+v", sum.Fetched, g)
				}
				return
			}
			if g == nil || g.Read < 1000 || g.Kept < 900 || g.Documents > 5 || g.Words > 50 || sum.Fetched > 1200 {
				t.Errorf("of %d pages the last that brought nothing new are %+v", sum.Fetched, g)
			}
			if st, err := folder(t, s.Dir).Status(t.Context()); err != nil || !cmp.Equal(st.Saturated, g) {
				t.Errorf("the status says %+v (%v), the summary %+v", st.Saturated, err, g)
			}
		})
	}
}

// A crawl that goes on knows what earlier runs have kept; a refresh begins anew.
func TestCoverageOfRuns(t *testing.T) {
	t.Parallel()
	pages := pagesOfOneSite(4000, func(i int) string { return textOfItsOwn(i%700) + dayOfCalendar(i) })
	s := specOfSite(t, "hybrid", pages)
	s.MaxPages = 800
	if sum := run(t, s); sum.StopReason != "max_pages" || sum.Kept < 700 {
		t.Fatalf("%s, %d kept", sum.StopReason, sum.Kept)
	}
	s.Resume, s.Limits = true, limits.Limits{MaxPages: 4000}
	sum := run(t, s)
	if g := sum.Saturated; sum.StopReason != "coverage" || sum.Fetched > 2000 || g == nil || g.Documents > 30 || g.Words > 300 {
		t.Fatalf("resumed: %s after %d pages, %+v", sum.StopReason, sum.Fetched, g)
	}
	if sum = run(t, s); sum.StopReason != "coverage" || sum.Fetched > 3300 {
		t.Errorf("resumed again: %s after %d pages", sum.StopReason, sum.Fetched)
	}
	known := sum.Fetched
	s.Resume, s.Refresh, s.Limits = false, true, limits.Limits{}
	sum = run(t, s)
	if r := sum.Refresh; r.Unchanged < known*9/10 {
		t.Errorf("refreshed: %s after %d pages, %d of %d unchanged", sum.StopReason, r.Fetched, r.Unchanged, known)
	}
}

package step_test

import (
	"fmt"
	"testing"

	"sluice/shared/crawl/step"
	"sluice/shared/rank"
	"sluice/shared/state/ledger"
	webpage "sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// BenchmarkFollow is what the links of a page cost, 150 of them: 140 that are on other
// pages, too, and ten that are new. Each is judged and, if that is news, stored.
func BenchmarkFollow(b *testing.B) {
	for _, name := range []string{rank.NameSemantic, rank.NameHybrid} {
		b.Run(name, func(b *testing.B) { benchmarkFollow(b, name) })
	}
}

func benchmarkFollow(b *testing.B, strategy string) {
	const most, fresh = 150, 10
	w := newWorld(b, "")
	var err error
	if w.plan.Strategy, err = rank.New(strategy, rank.Settings{Weights: rank.Weights{Alpha: 0.1, Beta: 1, Lambda: 0.01}, Threshold: 0.45}); err != nil {
		b.Fatal(err)
	}
	learner, learns := w.plan.Strategy.(rank.Learner)
	s := step.New(w.plan, w.ports, w.opts)
	linkTo := func(section, n int) webpage.Link {
		u, err := urlnorm.Parse(fmt.Sprintf("http://www.a.test/section%d/2024-05/06/content_%d.html", section, n))
		if err != nil {
			b.Fatal(err)
		}
		return webpage.Link{URL: u, Anchor: fmt.Sprintf("股市和银行的新闻第%d条", n%1000), Beside: "2024-05-06"}
	}
	var links []webpage.Link
	for i := range most - fresh {
		links = append(links, linkTo(i%8, i))
		end := ledger.End{URL: linkTo(9, i).URL.String(), Entry: &ledger.Entry{Verdict: ledger.Kept, Relevant: true}}
		if _, err := w.store.Ledger().Complete(b.Context(), crawlID, []ledger.End{end}); err != nil {
			b.Fatal(err)
		}
	}
	n := 0
	for b.Loop() {
		at := linkTo(n%8, most+n*most).URL
		p := &webpage.Page{Links: links}
		for i := range fresh {
			p.Links = append(p.Links, linkTo(i%8, most+n*most+i))
		}
		if err := s.Follow(b.Context(), crawlID, link(at.String()), p, 0.3+0.1*float64(n%7)); err != nil {
			b.Fatal(err)
		}
		if learns {
			learner.Learn(at, n%2 == 0)
		}
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n*most), "µs/link")
}

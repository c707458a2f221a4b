package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/shared/bubble"
	"sluice/shared/fixture"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// The web of the model: few pages that lead to each other, within hosts and
// across them, and one that is only in a sitemap.
const modelHosts, modelPages = 2, 4

// liveThrough lets two workers crawl the model's web in trouble, and checks that
// nothing is lost and nothing there twice, that the crawl ends by itself, and
// that no more pages were fetched again than those of one task. It returns the
// number of effects.
func liveThrough(t *testing.T, h harm, at, every int64, twice bool) int64 {
	t.Helper()
	w := tree(modelHosts, modelPages)
	w.mapped = "h1.demo.test"
	c := newCloud(t, w)
	c.trouble.harm, c.trouble.at, c.trouble.every, c.trouble.twice = h, at, every, twice
	c.message(t, fmt.Sprintf(start, "one", ""))
	c.run(t, 2)
	wantEnd(t, c, "one", job.ReasonFrontierEmpty)
	const all = modelHosts*modelPages + 1
	if tot := c.totals(t, "one"); tot.Fetched != all || tot.Verdicts[ledger.Kept] != all {
		t.Errorf("totals are %+v, want %d pages, all kept, and a sitemap", tot, all)
	}
	if n, err := c.store.Backlog().Len(t.Context(), "one"); err != nil || n != 0 {
		t.Errorf("%d links are left in the backlog (%v)", n, err)
	}
	again, documents := 0, documentsOf(t, c)
	for url, n := range c.web.asked {
		again += n - 1
		if got := documents[url]; got != 1 && !strings.HasSuffix(url, "/sitemap.xml") {
			t.Errorf("%s is in the corpus %d times", url, got)
		}
	}
	effects := c.trouble.effects.Load()
	most := int64(modelPages) // of one task
	if every > 0 {
		most *= effects / every
	}
	if len(c.web.asked) != all+1 || int64(again) > most || c.web.rude > 0 {
		t.Errorf("%d pages were asked for, %d again, %d too soon", len(c.web.asked), again, c.web.rude)
	}
	return effects
}

// documentsOf counts the documents of the corpus by URL.
func documentsOf(t *testing.T, c *cloud) map[string]int {
	t.Helper()
	got := map[string]int{}
	for _, d := range fixture.Lines[corpus.Document](t, c.dir, "corpus", "*.jsonl") {
		got[d.FinalURL]++
	}
	return got
}

// TestTroubleAtEveryEffect kills the process behind an effect, the first, the
// second, and so on to the last, or has that effect fail, applied or not.
func TestTroubleAtEveryEffect(t *testing.T) {
	every := int64(short.Every(t, 19))
	for _, h := range []harm{dies, fails, applies} {
		t.Run(string(h), func(t *testing.T) {
			effects := int64(1)
			for at := int64(0); at <= effects; at += every {
				bubble.Test(t, func(t *testing.T) {
					n := liveThrough(t, h, at, 0, false)
					if at == 0 {
						effects = n
					}
				})
				if t.Failed() {
					t.Fatalf("in trouble at effect %d of %d", at, effects)
				}
			}
			t.Logf("a crawl has %d effects", effects)
		})
	}
}

// Messages that come twice cost nothing but deliveries.
func TestDuplicates(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		liveThrough(t, "", 0, 0, true)
	})
}

// TestTroubleAgainAndAgain does harm to every few effects, while all messages
// come twice.
func TestTroubleAgainAndAgain(t *testing.T) {
	for _, h := range []harm{dies, fails, applies} {
		for _, every := range []int64{43, 53, 71} {
			t.Run(fmt.Sprintf("%s %d", h, every), func(t *testing.T) {
				bubble.Test(t, func(t *testing.T) { liveThrough(t, h, 0, every, true) })
			})
		}
	}
}

// On a web of many hosts links are parked, and none is lost if a worker dies or a call fails.
func TestParkedInTrouble(t *testing.T) {
	const hosts, pages = 20, 3
	for _, h := range []harm{"", dies, fails, applies} {
		t.Run(string(h), func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				w := &web{pages: pages + 1, links: func(_ string, n int) (links []string) {
					for i := range hosts {
						links = append(links, fmt.Sprintf("http://h%d.demo.test/p%d", i, n+1))
					}
					return links[:min(len(links), hosts*(pages-n))]
				}}
				c := newCloud(t, w)
				c.trouble.harm, c.trouble.every, c.trouble.twice = h, 61, h != ""
				c.message(t, fmt.Sprintf(start, "one", ""))
				c.run(t, 2)
				wantEnd(t, c, "one", job.ReasonFrontierEmpty)
				documents := documentsOf(t, c)
				if got := c.totals(t, "one").Fetched; got != 1+hosts*pages || len(documents) != 1+hosts*pages {
					t.Errorf("%d pages, %d documents, want %d", got, len(documents), 1+hosts*pages)
				}
				if n, err := c.tracker.Queued(t.Context(), "one", ""); n != 0 || err != nil || c.tracker.parked == 0 {
					t.Errorf("%d links are under way, %v; %d marks were parked", n, err, c.tracker.parked)
				}
			})
		})
	}
}

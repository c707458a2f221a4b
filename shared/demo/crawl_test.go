package demo

import (
	"strings"
	"testing"
)

// A crawler that follows an anchor only where it speaks of money finds every
// finance article and leaves most of the rest alone.
func TestFocusedCrawl(t *testing.T) {
	w := New()
	reached := focused(t, w, nil)
	for _, s := range w.order {
		for _, a := range s.articles {
			if a.section.topic && !reached[s.url(a.path())] {
				t.Errorf("%s %q is out of reach", s.url(a.path()), a.title)
			}
		}
	}
	onHost := map[string]int{}
	for u := range reached {
		host, _, _ := strings.Cut(strings.TrimPrefix(u, "http://"), "/")
		onHost[host]++
	}
	for host, n := range onHost {
		if n > 45 {
			t.Errorf("the crawl visits %s %d times: at a second each it takes too long to watch", host, n)
		}
	}
	if len(reached) > w.Pages()/2 {
		t.Errorf("the crawl visits %d pages of %d: the lure is too strong", len(reached), w.Pages())
	}
}

// Without the bridges a few finance articles are out of reach: a crawler that
// never follows links of an off-topic page misses them.
func TestTunnels(t *testing.T) {
	w := New()
	closed, hidden := map[string]bool{}, map[string]bool{}
	for _, s := range w.order {
		for _, a := range s.articles {
			if a.bridge {
				closed[s.url(a.path())] = true
			}
			if a.hidden {
				hidden[s.url(a.path())] = true
			}
		}
	}
	if len(hidden) < 4 || len(closed) < len(hidden) {
		t.Fatalf("%d hidden articles behind %d bridges, want at least 4 and as many", len(hidden), len(closed))
	}
	for u := range focused(t, w, closed) {
		if hidden[u] {
			t.Errorf("%s is reached without a bridge", u)
		}
	}
}

// focused returns the pages that links lead to whose anchor speaks of money,
// without the closed ones. It stops where a crawler's trap rules would.
func focused(t *testing.T, w *Web, closed map[string]bool) map[string]bool {
	t.Helper()
	reached := map[string]bool{}
	for queue := w.Seeds(); len(queue) > 0; queue = queue[1:] {
		at := canonical(queue[0])
		if reached[at] || closed[at] || strings.Contains(at, "year=2028") || strings.Contains(at, "/neibu/") || !strings.Contains(at, Domain) {
			continue
		}
		reached[at] = true
		a := get(t, w, at)
		for _, l := range a.links(t) {
			if countMoney(l.text) > 0 || a.code/100 == 3 {
				queue = append(queue, l.url)
			}
		}
	}
	return reached
}

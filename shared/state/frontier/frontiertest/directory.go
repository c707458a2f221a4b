package frontiertest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
)

func checkWaiting(t *testing.T, b *Backlog) {
	add(t, b, crawl,
		link("http://low.test/", 0.1), link("http://b.test/1", 0.5), link("http://a.test/1", 0.5),
		link("http://a.test/2", 0.2), link("http://seed.test/", 1e9), link("http://minus.test/", -2))
	all := []frontier.HostDepth{
		{Host: "seed.test", Links: 1, Best: 1e9},
		{Host: "a.test", Links: 2, Best: 0.5},
		{Host: "b.test", Links: 1, Best: 0.5},
		{Host: "low.test", Links: 1, Best: 0.1},
		{Host: "minus.test", Links: 1, Best: -2},
	}
	wantWaiting(t, b, 0, 0, 100, all...)
	wantWaiting(t, b, 0, 0, 2, all[:2]...)
	wantWaiting(t, b, 0, 1, 3, all[1:4]...)
	wantWaiting(t, b, 0, 5, 3)
	wantWaiting(t, b, 0, 0, 0)
}

func checkWaitingRounds(t *testing.T, b *Backlog) {
	of := func(url string, round int, priority float64) frontier.Link {
		return frontier.Link{URL: url, Round: round, Priority: priority}
	}
	add(t, b, crawl,
		of("http://a.test/1", 1, 1), of("http://a.test/2", 2, 5), of("http://a.test/3", 2, 5),
		of("http://b.test/1", 1, 3), of("http://b.test/3", 3, 9), of("http://late.test/", 3, 7))
	wantWaiting(t, b, 0, 0, 10)
	wantWaiting(t, b, 1, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 3}, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
	wantWaiting(t, b, 2, 0, 10, frontier.HostDepth{Host: "a.test", Links: 3, Best: 5}, frontier.HostDepth{Host: "b.test", Links: 1, Best: 3})
	wantWaiting(t, b, 3, 0, 10, frontier.HostDepth{Host: "b.test", Links: 2, Best: 9},
		frontier.HostDepth{Host: "late.test", Links: 1, Best: 7}, frontier.HostDepth{Host: "a.test", Links: 3, Best: 5})
	wantWaiting(t, b, 3, 1, 1, frontier.HostDepth{Host: "late.test", Links: 1, Best: 7})
}

func checkWaitingPages(t *testing.T, b *Backlog) {
	const n, page = 100, 7
	var links []frontier.Link
	for i := range n {
		links = append(links, link(fmt.Sprintf("http://h%d.test/", i), float64(i%10)))
	}
	add(t, b, crawl, links...)
	seen := map[string]bool{}
	last := frontier.HostDepth{Best: 1e9}
	for skip := 0; ; skip += page {
		hosts, err := b.Waiting(t.Context(), crawl, 0, skip, page)
		if err != nil {
			t.Fatalf("Waiting: %v", err)
		}
		for _, h := range hosts {
			if cmp.Or(cmp.Compare(last.Best, h.Best), cmp.Compare(h.Host, last.Host)) < 0 {
				t.Errorf("%+v comes after %+v", h, last)
			}
			seen[h.Host], last = true, h
		}
		if len(hosts) < page {
			break
		}
	}
	if len(seen) != n {
		t.Errorf("%d hosts on all pages, want %d", len(seen), n)
	}
}

func checkWaitingAfterRemove(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/1", 1), link("http://a.test/5", 5), link("http://b.test/3", 3))
	take(t, b, "a.test", "http://a.test/5")
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 3}, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
	take(t, b, "b.test", "http://b.test/3")
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
	add(t, b, crawl, link("http://b.test/3", 3))
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "b.test", Links: 1, Best: 3}, frontier.HostDepth{Host: "a.test", Links: 1, Best: 1})
}

func checkRaise(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/low", 1), link("http://a.test/high", 5), link("http://a.test/gone", 1))
	take(t, b, "a.test", "http://a.test/gone")
	err := b.Raise(t.Context(), crawl, []frontier.Link{
		link("http://a.test/low", 7), link("http://a.test/high", 2), link("http://a.test/gone", 9),
		link("http://a.test/never", 9), link("http://other.test/", 9),
	})
	if err != nil {
		t.Fatalf("Raise: %v", err)
	}
	want := []frontier.Link{link("http://a.test/low", 7), link("http://a.test/high", 5)}
	if diff := gocmp.Diff(want, best(t, b, crawl, "a.test", 0, 10)); diff != "" {
		t.Errorf("after Raise (-want +got):\n%s", diff)
	}
	wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: 2, Best: 7})
}

func checkReorder(t *testing.T, b *Backlog) {
	add(t, b, crawl, link("http://a.test/low", 1), link("http://a.test/high", 5), link("http://a.test/same", 3), link("http://a.test/gone", 1))
	take(t, b, "a.test", "http://a.test/gone")
	for range 2 { // the second time it changes nothing
		err := b.Reorder(t.Context(), crawl, []frontier.Link{
			link("http://a.test/low", 4), link("http://a.test/high", 2), link("http://a.test/same", 3), link("http://a.test/gone", 9),
			link("http://a.test/never", 9), link("http://other.test/", 9),
		})
		if err != nil {
			t.Fatalf("Reorder: %v", err)
		}
		want := []frontier.Link{link("http://a.test/low", 4), link("http://a.test/same", 3), link("http://a.test/high", 2)}
		if diff := gocmp.Diff(want, best(t, b, crawl, "a.test", 0, 10)); diff != "" {
			t.Errorf("after Reorder (-want +got):\n%s", diff)
		}
		wantWaiting(t, b, 0, 0, 10, frontier.HostDepth{Host: "a.test", Links: 3, Best: 4})
	}
	other := link("http://a.test/same", 9)
	other.Parent = "http://a.test/other" // judged before that of the parent which waits was added
	if err := b.Reorder(t.Context(), crawl, []frontier.Link{other}); err != nil {
		t.Fatalf("Reorder: %v", err)
	}
	add(t, b, crawl, link("http://a.test/high", 1), link("http://a.test/low", 6))
	want := []frontier.Link{link("http://a.test/low", 6), link("http://a.test/same", 3), link("http://a.test/high", 2)}
	if diff := gocmp.Diff(want, best(t, b, crawl, "a.test", 0, 10)); diff != "" {
		t.Errorf("after Add (-want +got):\n%s", diff)
	}
	take(t, b, "a.test", "http://a.test/high")
	want = want[:2]
	if diff := gocmp.Diff(want, best(t, b, crawl, "a.test", 0, 10)); diff != "" {
		t.Errorf("after Remove (-want +got):\n%s", diff)
	}
}

// checkAnyOrder adds random links in random order and batches, and compares
// with a plain map.
func checkAnyOrder(t *testing.T, b *Backlog) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		crawl := fmt.Sprintf("run%d", seed)
		links := make([]frontier.Link, 1+rng.IntN(25))
		for i := range links {
			links[i] = anyLink(rng)
		}
		model := map[string]frontier.Link{}
		for _, l := range links {
			if old, ok := model[l.URL]; !ok || compareLinks(l, old) < 0 {
				model[l.URL] = l
			}
		}
		rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
		for rest := links; len(rest) > 0; {
			n := 1 + rng.IntN(len(rest))
			if err := b.Add(t.Context(), crawl, rest[:n]); err != nil {
				t.Fatalf("seed %d: Add: %v", seed, err)
			}
			rest = rest[n:]
		}
		for _, host := range []string{"a.test", "b.test"} {
			got, err := b.Best(t.Context(), crawl, host, 9, 100)
			if err != nil {
				t.Fatalf("seed %d: Best: %v", seed, err)
			}
			for i, l := range got {
				if want := model[l.URL]; compareLinks(l, want) != 0 {
					t.Errorf("seed %d: %s waits as %+v, want %+v", seed, l.URL, l, want)
				}
				if i > 0 && frontier.BestFirst(got[i-1], l) > 0 {
					t.Errorf("seed %d: %+v comes after %+v", seed, l, got[i-1])
				}
				delete(model, l.URL)
			}
		}
		if len(model) > 0 {
			t.Errorf("seed %d: not waiting: %v", seed, model)
		}
	}
}

// anyLink draws from few values, so that links collide.
func anyLink(rng *rand.Rand) frontier.Link {
	return frontier.Link{
		URL:      pick(rng, "http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/1"),
		Round:    rng.IntN(3),
		Priority: pick(rng, -1, 0, 0.5, 1, 1e9),
		Tie:      pick(rng, -1, 0, 0, 1e-9),
		Parent:   pick(rng, "", "http://p.test/1", "http://p.test/2"),
	}
}

func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

// compareLinks is the order of Backlog.Add: the better link first.
func compareLinks(a, b frontier.Link) int {
	return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.Tie, a.Tie), cmp.Compare(a.Parent, b.Parent))
}

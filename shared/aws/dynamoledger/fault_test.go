package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// persist calls f until it has no error, as callers do by fault class.
func persist(t *testing.T, what string, f func() error) (errs int) {
	t.Helper()
	for range 200 {
		err := f()
		if err == nil {
			return errs
		}
		errs++
		if c := fault.Of(err); c.Class != fault.Retryable {
			t.Fatalf("%s: error of class %v: %v", what, c.Class, err)
		}
		if !errors.Is(err, errRefused) && !errors.Is(err, errLost) {
			t.Fatalf("%s: the cause is lost: %v", what, err)
		}
	}
	t.Fatalf("%s: no end of errors", what)
	return errs
}

// odds of each fault in the tests below; a call of 25 requests hardly ever
// passes at the first try.
const testOdds = 0.05

// TestAddUnderFaults adds, betters and raises links while requests fail, and
// compares with a plain map.
func TestAddUnderFaults(t *testing.T) {
	s, p, _ := metered(t)
	b := s.Backlog()
	p.setOdds(testOdds)
	rng := rand.New(rand.NewPCG(5, 5))
	model := map[string]frontier.Link{}
	errs := 0
	for range 30 {
		var links []frontier.Link
		for range 1 + rng.IntN(12) {
			links = append(links, frontier.Link{URL: fmt.Sprintf("http://h%d.test/%d", rng.IntN(2), rng.IntN(20)), Priority: rng.Float64()})
		}
		raise := rng.IntN(3) == 0
		errs += persist(t, "add", func() error {
			if raise {
				return b.Raise(t.Context(), "c", links)
			}
			return b.Add(t.Context(), "c", links)
		})
		for _, l := range links {
			if old, ok := model[l.URL]; (ok || !raise) && l.Priority > old.Priority {
				model[l.URL] = l
			}
		}
	}
	if errs == 0 {
		t.Error("no call failed")
	}
	var urls []string
	states := []ledger.State(nil)
	for _, host := range []string{"h0.test", "h1.test"} {
		var links []frontier.Link
		persist(t, "best", func() (err error) {
			links, err = b.Best(t.Context(), "c", host, 0, 1000)
			return err
		})
		var taken []string
		for _, l := range links {
			if diff := cmp.Diff(model[l.URL], l); diff != "" {
				t.Errorf("waiting link (-want +got):\n%s", diff)
			}
			delete(model, l.URL)
			taken = append(taken, l.URL)
		}
		persist(t, "remove", func() error { return b.Remove(t.Context(), "c", host, taken) })
		urls = append(urls, taken...)
	}
	if len(model) > 0 {
		t.Errorf("links lost: %v", model)
	}
	persist(t, "states", func() (err error) {
		states, err = s.Ledger().States(t.Context(), "c", urls)
		return err
	})
	if i := slices.IndexFunc(states, func(st ledger.State) bool { return st != ledger.Queued }); i >= 0 {
		t.Errorf("%s is in state %d, want queued", urls[i], states[i])
	}
	persist(t, "waiting", func() error {
		hosts, err := b.Waiting(t.Context(), "c", 0, 0, 10)
		if len(hosts) > 0 {
			t.Errorf("waiting after all was removed: %+v", hosts)
		}
		return err
	})
}

// TestCompleteUnderFaults completes pages while requests fail: each
// has its entry once, in the totals and in the history.
func TestCompleteUnderFaults(t *testing.T) {
	s, p, _ := metered(t)
	l := s.Ledger()
	p.setOdds(testOdds)
	const pages, batch = 200, 25
	var urls []string
	for i := range pages {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
	}
	errs := persist(t, "mark", func() error { return l.MarkQueued(t.Context(), "c", urls) })
	for chunk := range slices.Chunk(urls, batch) {
		var ends []ledger.End
		for _, u := range chunk {
			ends = append(ends, ledger.End{URL: u, Entry: &ledger.Entry{
				Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 2, Drops: map[string]int{"scope": 3}, Dropped: 3,
			}})
		}
		tried := 0
		errs += persist(t, "complete", func() error {
			refused, err := l.Complete(t.Context(), "c", ends)
			for i, r := range refused {
				if r != nil && (tried == 0 || !errors.Is(r, ledger.ErrDone)) {
					t.Errorf("completion of %s: %v", ends[i].URL, r)
				}
			}
			tried++
			return err
		})
	}
	if errs == 0 {
		t.Error("no call failed")
	}
	want := &ledger.Totals{
		Fetched: pages, Relevant: pages, Enqueued: 2 * pages, Dropped: 3 * pages,
		Verdicts: map[ledger.Verdict]int64{ledger.Kept: pages}, Rules: map[string]int64{}, Drops: map[string]int64{"scope": 3 * pages},
	}
	persist(t, "totals", func() error {
		got, err := l.Totals(t.Context(), "c")
		if diff := cmp.Diff(want, got); err == nil && diff != "" {
			t.Errorf("totals (-want +got):\n%s", diff)
		}
		return err
	})
	persist(t, "sample", func() error {
		got, err := l.Sample(t.Context(), "c", 0, 2*pages, rand.New(rand.NewPCG(1, 1)))
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(slices.Values(urls)), got); err == nil && diff != "" {
			t.Errorf("history (-want +got):\n%s", diff)
		}
		return err
	})
	persist(t, "entry", func() error {
		e, err := l.Entry(t.Context(), "c", urls[0])
		if err == nil && e == nil {
			t.Error("no entry")
		}
		return err
	})
}

// TestGaugeUnderFaults notes tasks sent and ended while requests fail.
func TestGaugeUnderFaults(t *testing.T) {
	s, p, c := metered(t)
	g := s.Gauge()
	p.setOdds(testOdds)
	var marks []frontier.Mark
	for i := range 60 {
		marks = append(marks, frontier.Mark{Crawl: "c", Host: fmt.Sprintf("h%d.test", i%7), ID: fmt.Sprint(i), Links: 1, Due: c.Now()})
	}
	errs := persist(t, "sent", func() error { return g.Sent(t.Context(), marks) })
	count := func(host string, want int) {
		t.Helper()
		persist(t, "queued", func() error {
			got, err := g.Queued(t.Context(), "c", host)
			if err == nil && got != want {
				t.Errorf("%d links queued, want %d", got, want)
			}
			return err
		})
	}
	count("", 60)
	errs += persist(t, "ended", func() error { return g.Ended(t.Context(), marks[10:]) })
	count("", 10)
	count("h1.test", 2)
	errs += persist(t, "close", func() error { return s.Backlog().Close(t.Context(), "c", "h1.test", "trap") })
	errs += persist(t, "standings", func() error {
		all, err := g.Standings(t.Context(), "c")
		if err == nil && (len(all) != 7 || !cmp.Equal(all[1], frontier.Standing{Host: "h1.test", Queued: 2, Closed: "trap"})) {
			t.Errorf("standings are %+v", all)
		}
		return err
	})
	if errs == 0 {
		t.Error("no call failed")
	}
}

// TestWorkersApart lets stores that share only the tables add, take and remove
// the same few links at once. In the end each link is added again and must
// wait.
func TestWorkersApart(t *testing.T) {
	c := newClock()
	client := emulator(t)
	opts := tables(t, client)
	opts.Now = c.Now
	const workers, turns, urls = 8, 15, 3
	err := each(t.Context(), workers, func(ctx context.Context, w int) error {
		b := New(client, opts).Backlog()
		rng := rand.New(rand.NewPCG(6, uint64(w)))
		for range turns {
			l := frontier.Link{URL: fmt.Sprintf("http://a.test/%d", rng.IntN(urls)), Priority: float64(rng.IntN(4))}
			if err := b.Add(ctx, "c", []frontier.Link{l}); err != nil {
				return err
			}
			if rng.IntN(2) == 0 {
				continue
			}
			links, err := b.Best(ctx, "c", "a.test", 0, 1)
			if err != nil {
				return err
			}
			for _, l := range links {
				if err := b.Remove(ctx, "c", "a.test", []string{l.URL}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b := New(client, opts).Backlog()
	for i := range urls {
		if err := b.Add(t.Context(), "c", []frontier.Link{{URL: fmt.Sprintf("http://a.test/%d", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	links, err := b.Best(t.Context(), "c", "a.test", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(links) != urls {
		t.Errorf("%d links wait, want %d: %+v", len(links), urls, links)
	}
}

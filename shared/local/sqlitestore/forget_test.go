package sqlitestore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/shared/state/forget"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
)

// forgetting selects x.cn.
func forgetting(t *testing.T, dryRun bool) *Forgetting {
	t.Helper()
	targets, err := forget.ParseAll([]string{"x.cn", "http://x.cn/leased"})
	if err != nil {
		t.Fatal(err)
	}
	return &Forgetting{Set: forget.NewSet(targets), DryRun: dryRun, At: time.Unix(1e9, 0)}
}

// fill brings URLs of x.cn and y.cn into every table of the crawls c and d.
func fill(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, crawl := range []string{"c", "d"} {
		for i := range 3000 {
			host := []string{"x.cn", "y.cn"}[i%2]
			url := fmt.Sprintf("http://%s/%d", host, i)
			trace, err := json.Marshal(map[string]any{"link": &frontier.Link{URL: url, Parent: fmt.Sprintf("http://x.cn/%d/parent", i), Anchor: "anchor of x.cn"}})
			check(err)
			e := &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Segment: "warc/x.cn", Trace: trace, Round: i % 3, Drops: map[string]int{"anchor": 1}, Dropped: 1}
			if i%5 == 0 {
				e.Verdict, e.Relevant, e.Rule = ledger.Rejected, false, "rule_"+host
			}
			check(complete(ctx, s, crawl, url, e))
		}
		var links []frontier.Link
		var drops []ledger.Decision
		for i := range 1500 {
			l := frontier.Link{URL: fmt.Sprintf("http://%s/w/%d", []string{"x.cn", "y.cn"}[i%2], i), Parent: "http://x.cn/parent", Anchor: "x.cn", Priority: float64(i)}
			links = append(links, l)
			l.URL += "/let-go"
			drops = append(drops, ledger.Decision{Link: l, Rule: "anchor"})
		}
		check(s.Backlog().Add(ctx, crawl, links))
		check(s.Ledger().MarkQueued(ctx, crawl, frontier.URLs(links)))
		check(s.Ledger().Drop(ctx, crawl, drops))
		for _, host := range []string{"x.cn", "y.cn"} {
			task := frontier.NewTask(crawl, host, []frontier.Link{{URL: "http://" + host + "/task", Parent: "http://x.cn/parent"}}, time.Unix(1e9, 0))
			check(s.Queue().Send(ctx, []frontier.Outgoing{{Task: task}}))
			check(s.Queue().Bury(ctx, task, "reason"))
			leased := "http://" + host + "/leased" // by an earlier version
			check(s.Ledger().MarkQueued(ctx, crawl, []string{leased}))
			check(s.writeCrawl(ctx, crawl, func(tx *tx, id int64) error {
				k := s.key(id, leased)
				_, err := tx.exec("UPDATE urls SET state = 2, until = 1, owner = ?, epoch = 1 WHERE key = ?", host, k[:])
				return err
			}))
			lease, err := s.Leases().Acquire(ctx, crawl, host, "owner", time.Minute)
			check(err)
			check(s.Leases().Release(ctx, crawl, lease))
			check(s.Robots().PutRobots(ctx, "http://"+host, new(hosts.Rules)))
		}
	}
	_, err := s.Ledger().Sample(ctx, "c", 2, 5, rand.New(rand.NewPCG(1, 2))) // some history is published, some staged
	check(err)
}

// What goes leaves every table in order, and not a byte in the file.
func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path, Options{})
	fill(t, s)
	before, err := s.Ledger().Totals(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	dry, done := forgetting(t, true), forgetting(t, false)
	if err := s.Forget(t.Context(), dry); err != nil {
		t.Fatal(err)
	}
	checkSums(t, s)
	if err := s.Forget(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	if went := done.Set.Tally(0); went.Entries != 3000 || went.Links != 2*(750+750+2) || *dry.Set.Tally(0) != *went {
		t.Errorf("%+v went, %+v would", went, dry.Set.Tally(0))
	}
	after, err := s.Ledger().Totals(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if after.Verdicts[ledger.Forgotten] != 1500 || after.Verdicts[ledger.Kept] != 1200 || after.Fetched != before.Fetched/2 || after.Rules["rule_x.cn"] != 0 || after.Drops["anchor"] != 1500 {
		t.Errorf("totals %+v, were %+v", after, before)
	}
	if _, named := after.Rules["rule_x.cn"]; named {
		t.Error("a rule without links is reported")
	}
	states, err := s.Ledger().States(t.Context(), "c", []string{"http://x.cn/0", "http://x.cn/w/0", "http://x.cn/leased", "http://y.cn/1", "http://y.cn/w/1"})
	if want := []ledger.State{ledger.Done, ledger.Absent, ledger.Absent, ledger.Done, ledger.Queued}; err != nil || !slices.Equal(states, want) {
		t.Errorf("states %v, want %v, error %v", states, want, err)
	}
	for round := range 4 {
		urls, err := s.Ledger().Sample(t.Context(), "c", round, 5000, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range urls {
			if !strings.HasPrefix(u, "http://y.cn/") {
				t.Fatalf("round %d: %q is in the history", round, u)
			}
		}
	}
	taken, err := s.Queue().Receive(t.Context(), 10)
	if err != nil || len(taken) != 2 || taken[0].Task.Host != "y.cn" || taken[0].Task.Links[0].Parent != "" {
		t.Errorf("%d tasks are left, error %v", len(taken), err)
	}
	if n, err := s.Queue().Queued(t.Context(), "c", ""); n != 1 || err != nil {
		t.Errorf("%d links are queued, want 1, error %v", n, err)
	}
	closeStore(t, s)
	if err := Compact(path); err != nil {
		t.Fatal(err)
	}
	if err := Compact(path); err != nil {
		t.Errorf("compacted again: %v", err)
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if i := bytes.Index(data, []byte("x.cn/")); i >= 0 {
			t.Errorf("%s holds %q", name, data[max(0, i-40):min(len(data), i+40)])
		}
	}
	closeStore(t, openAt(t, path, Options{})) // and it is sound
}

package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fault"
	"sluice/shared/short"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

// must stops a test whose set-up fails.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testTask(host string, priority float64) *frontier.Task {
	return &frontier.Task{ID: host, Crawl: "c", Host: host, Links: []frontier.Link{{URL: "http://" + host + "/", Priority: priority}}}
}

func sendAll(t *testing.T, s *Store, tasks ...*frontier.Task) {
	t.Helper()
	for _, task := range tasks {
		must(t, s.Queue().Send(t.Context(), []frontier.Outgoing{{Task: task}}))
	}
}

// TestOpenErrors says of what cannot be opened which file it is and why.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	must(t, os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o600))
	later := filepath.Join(dir, "later.db")
	c, err := openConn(later, mayCreate, "user_version=99")
	must(t, err)
	must(t, c.close())
	for name, tc := range map[string]struct{ path, want string }{
		"not a database": {text, "not a database"},
		"later version":  {later, "version 99, this program writes 2"},
		"no folder":      {filepath.Join(dir, "none", "x.db"), "unable to open"},
	} {
		s, err := Open(tc.path, Options{})
		if err == nil {
			t.Errorf("%s: Open succeeded: %v", name, s.Close())
			continue
		}
		if !strings.Contains(err.Error(), tc.path) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error is %q, want the path and %q", name, err, tc.want)
		}
	}
	missing := filepath.Join(dir, "missing.db")
	if _, err := OpenReader(missing); err == nil {
		t.Error("OpenReader of a missing file succeeded")
	}
	if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenReader made a file (%v)", err)
	}
}

// TestPathWithSpecials opens a file whose name has what a URI escapes.
func TestPathWithSpecials(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a ?mode=memory#%41 党.db")
	s := openAt(t, path, Options{})
	must(t, s.SetMeta(t.Context(), "k", "v"))
	closeStore(t, s)
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the store is elsewhere: %v", err)
	}
}

func TestMeta(t *testing.T) {
	s := open(t, Options{})
	if _, ok, err := s.Meta(t.Context(), "k"); ok || err != nil {
		t.Errorf("Meta before SetMeta: %v, %v", ok, err)
	}
	must(t, s.SetMeta(t.Context(), "k", "old"))
	must(t, s.SetMeta(t.Context(), "k", `{"党":'"'}`))
	if v, ok, err := s.Meta(t.Context(), "k"); v != `{"党":'"'}` || !ok || err != nil {
		t.Errorf("Meta = %q, %v, %v", v, ok, err)
	}
}

// Links of tasks count as delayed while their delay is long, in the crawl asked for.
func TestDelayed(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "state.db"), Options{})
	defer closeStore(t, s)
	sendAll(t, s, testTask("a.test", 1))
	must(t, s.Queue().Send(t.Context(), []frontier.Outgoing{{Task: testTask("b.test", 2), Delay: time.Minute}, {Task: testTask("c.test", 3), Delay: time.Hour}}))
	for least, want := range map[time.Duration]int{time.Second: 2, 2 * time.Minute: 1, 2 * time.Hour: 0} {
		if n, err := s.Queue().Delayed(t.Context(), "c", least); n != want || err != nil {
			t.Errorf("delayed for longer than %v: %d links, %v; want %d", least, n, err, want)
		}
	}
	if n, err := s.Queue().Delayed(t.Context(), "other", 0); n != 0 || err != nil {
		t.Errorf("of another crawl: %d links, %v; want none", n, err)
	}
}

// TestReopen reads back by another store what one has written.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path, Options{})
	sendAll(t, s, testTask("a.test", 1), testTask("b.test", 2))
	must(t, s.Ledger().MarkQueued(t.Context(), "c", []string{"http://a.test/"}))
	closeStore(t, s)

	s = openAt(t, path, Options{})
	defer closeStore(t, s)
	for host, want := range map[string]int{"": 2, "a.test": 1, "x.test": 0} {
		if n, err := s.Queue().Queued(t.Context(), "c", host); n != want || err != nil {
			t.Errorf("Queued(%q) = %d, %v, want %d", host, n, err, want)
		}
	}
	states, err := s.Ledger().States(t.Context(), "c", []string{"http://a.test/", "http://b.test/"})
	must(t, err)
	if diff := cmp.Diff([]ledger.State{ledger.Queued, ledger.Absent}, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
}

func TestRecover(t *testing.T) {
	c := newClock()
	s := open(t, testOptions(c))
	ctx := t.Context()
	sendAll(t, s, testTask("flight.test", 2), testTask("late.test", 1))
	ds, err := s.Queue().Receive(ctx, 2)
	must(t, err)
	must(t, s.Queue().Delay(ctx, ds[1].Receipt, 10*time.Second))
	lease, err := s.Leases().Acquire(ctx, "c", "free.test", "dead", time.Hour)
	must(t, err)
	must(t, s.Leases().Release(ctx, "c", lease))
	for _, host := range []string{"held.test", "slow.test"} {
		_, err = s.Leases().Acquire(ctx, "c", host, "dead", time.Hour)
		must(t, err)
	}
	must(t, s.Robots().PutRobots(ctx, "https://slow.test", hosts.ParseRules([]byte("User-agent: *\nCrawl-delay: 20"))))

	must(t, s.Recover(ctx, 3*time.Second))

	again, err := s.Queue().Receive(ctx, 2)
	must(t, err)
	if len(again) != 1 || again[0].Task.Host != "flight.test" || again[0].Receives != 1 {
		t.Errorf("visible after Recover: %+v, want flight.test, received once", again)
	}
	for host, want := range map[string]time.Time{"free.test": {}, "held.test": c.Now().Add(3 * time.Second), "slow.test": c.Now().Add(20 * time.Second)} {
		lease, err := s.Leases().Acquire(ctx, "c", host, "alive", time.Hour)
		must(t, err)
		if !lease.Next.Equal(want) {
			t.Errorf("Next of %s = %v, want %v", host, lease.Next, want)
		}
	}
}

// TestReceiveOrder is stricter than the contract: what the local queue does.
func TestReceiveOrder(t *testing.T) {
	priorities := []float64{1, 9, 3, 1e9, 2.5, 0, 9, -1}
	for name, tc := range map[string]struct {
		lanes int
		base  float64
		want  string
	}{
		"exact":       {0, 0, "3 1 6 2 4 0 5 7"},
		"one lane":    {1, 0, "0 1 2 3 4 5 6 7"},
		"three lanes": {3, 0, "1 3 6 2 4 0 5 7"},
		"other base":  {3, 0.25, "0 1 2 3 4 6 5 7"},
	} {
		opts := testOptions(newClock())
		opts.Lanes, opts.LaneBase = tc.lanes, tc.base
		s := open(t, opts)
		for i, p := range priorities {
			sendAll(t, s, testTask(fmt.Sprintf("%d.test", i), p))
		}
		ds, err := s.Queue().Receive(t.Context(), 100)
		must(t, err)
		var got []string
		for _, d := range ds {
			got = append(got, strings.TrimSuffix(d.Task.Host, ".test"))
		}
		if order := strings.Join(got, " "); order != tc.want {
			t.Errorf("%s: order is %s, want %s", name, order, tc.want)
		}
	}
}

// TestLowestLane holds that the lowest lane gets its turn while others are full.
func TestLowestLane(t *testing.T) {
	opts := testOptions(newClock())
	opts.Lanes = 3
	s := open(t, opts)
	sendAll(t, s, testTask("low.test", 0.1))
	for i := range 20 {
		sendAll(t, s, testTask(fmt.Sprintf("high%d.test", i), 100))
	}
	for i := range 20 {
		ds, err := s.Queue().Receive(t.Context(), 1)
		must(t, err)
		if ds[0].Task.Host == "low.test" {
			if i >= starveTurn {
				t.Errorf("the lowest lane came after %d receives, want %d at most", i, starveTurn)
			}
			return
		}
	}
	t.Error("the lowest lane was starved")
}

// TestRelane opens a queue with other settings than it was written with.
func TestRelane(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path, Options{Lanes: 1})
	sendAll(t, s, testTask("low.test", 1), testTask("high.test", 2))
	closeStore(t, s)
	s = openAt(t, path, Options{})
	defer closeStore(t, s)
	ds, err := s.Queue().Receive(t.Context(), 1)
	must(t, err)
	if ds[0].Task.Host != "high.test" {
		t.Errorf("received %s first, want high.test", ds[0].Task.Host)
	}
}

// TestReceiveWakes sends while a receiver waits with a very long poll.
func TestReceiveWakes(t *testing.T) {
	for name, delay := range map[string]time.Duration{"sent": 0, "becomes visible": 20 * time.Millisecond} {
		s := open(t, Options{Poll: time.Hour})
		got := make(chan error)
		go func() {
			ds, err := s.Queue().Receive(t.Context(), 1)
			if err == nil && len(ds) != 1 {
				err = fmt.Errorf("%d deliveries, want 1", len(ds))
			}
			got <- err
		}()
		must(t, s.Queue().Send(t.Context(), []frontier.Outgoing{{Task: testTask("a.test", 1), Delay: delay}}))
		if err := <-got; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGroupIsolation holds that an op that breaks the database's rules fails
// alone, and leaves nothing behind.
func TestGroupIsolation(t *testing.T) {
	s := open(t, Options{})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			key := fmt.Sprint(i)
			err := s.write(t.Context(), func(tx *tx) error {
				if _, err := tx.exec("INSERT INTO meta VALUES (?, 'x')", key); err != nil {
					return err
				}
				if i%5 != 0 {
					return nil
				}
				_, err := tx.exec("INSERT INTO meta VALUES (?, NULL)", "null")
				return err
			})
			if bad := i%5 == 0; bad != (err != nil) {
				t.Errorf("op %d: %v", i, err)
			} else if bad && fault.Of(err).Rule != "store" {
				t.Errorf("op %d: fault is %v, want the rule store", i, fault.Of(err))
			}
			if _, ok, _ := s.Meta(t.Context(), key); ok == (err != nil) {
				t.Errorf("op %d: stored %v, error %v", i, ok, err)
			}
		})
	}
	wg.Wait()
}

// TestClosed calls a closed store, and one that is being closed.
func TestClosed(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "state.db"), Options{Poll: time.Hour})
	waiting := make(chan error)
	go func() {
		_, err := s.Queue().Receive(context.WithoutCancel(t.Context()), 1)
		waiting <- err
	}()
	must(t, s.Close())
	must(t, s.Close())
	if err := <-waiting; !errors.Is(err, errClosed) {
		t.Errorf("a receive that waited ends with %v, want %v", err, errClosed)
	}
	_, _, err := s.Meta(t.Context(), "k")
	for _, err := range []error{err, s.SetMeta(t.Context(), "k", "v")} {
		if !errors.Is(err, errClosed) {
			t.Errorf("a call after Close ends with %v, want %v", err, errClosed)
		}
	}
}

// TestNextRound goes through rounds as the engine does.
func TestNextRound(t *testing.T) {
	s := open(t, Options{})
	ctx := t.Context()
	next := func(want int, wantOK bool) {
		t.Helper()
		for range 2 { // it may be called again
			if got, ok, err := s.NextRound(ctx, "c"); got != want || ok != wantOK || err != nil {
				t.Fatalf("NextRound = %d, %v, %v, want %d, %v", got, ok, err, want, wantOK)
			}
		}
	}
	published := func(want int) {
		t.Helper()
		h, err := s.Ledger().runs(ctx, 1, maxRounds)
		must(t, err)
		if h.total != int64(want) {
			t.Fatalf("%d entries are published, want %d", h.total, want)
		}
	}
	next(0, false)
	must(t, s.Backlog().Add(ctx, "c", []frontier.Link{
		{URL: "http://a.test/1", Round: 1}, {URL: "http://a.test/2", Round: 2}, {URL: "http://closed.test/", Round: 1}, {URL: "http://b.test/", Round: 4},
	}))
	must(t, s.Backlog().Close(ctx, "c", "closed.test", "trap"))
	next(1, true)
	complete := func(url string, round int) {
		t.Helper()
		must(t, s.Backlog().Remove(ctx, "c", urlnorm.HostOf(url), []string{url}))
		must(t, complete(ctx, s, "c", url, &ledger.Entry{Verdict: ledger.Kept, Relevant: true, Round: round}))
	}
	complete("http://a.test/1", 1)
	published(0)
	next(2, true)
	published(1)
	complete("http://a.test/2", 2)
	next(4, true)
	published(2)
	complete("http://b.test/", 4)
	published(2)
	next(0, false)
	published(3)
}

func TestExplain(t *testing.T) {
	c := newClock()
	s := open(t, testOptions(c))
	ctx := t.Context()
	l := frontier.Link{URL: "http://a.test/x", Priority: 0.5, Anchor: "党"}
	trail := func() *Trail {
		t.Helper()
		got, err := s.Explain(ctx, "c", l.URL)
		must(t, err)
		return got
	}
	check := func(when string, want *Trail) {
		t.Helper()
		if diff := cmp.Diff(want, trail()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	check("unknown", &Trail{})
	d := ledger.Decision{Link: l, Rule: "anchor"}
	must(t, s.Ledger().Drop(ctx, "c", []ledger.Decision{d}))
	check("dropped", &Trail{Dropped: &d})
	must(t, s.Backlog().Add(ctx, "c", []frontier.Link{l}))
	must(t, s.Ledger().MarkQueued(ctx, "c", []string{l.URL}))
	check("waiting", &Trail{State: ledger.Queued, Dropped: &d, Waiting: &l})
	task := &frontier.Task{ID: "1", Crawl: "c", Host: "a.test", Links: []frontier.Link{l}}
	sendAll(t, s, task)
	must(t, s.Backlog().Remove(ctx, "c", "a.test", []string{l.URL}))
	check("queued", &Trail{State: ledger.Queued, Dropped: &d, Queued: &l})
	ds, err := s.Queue().Receive(ctx, 1)
	must(t, err)
	must(t, s.Queue().Bury(ctx, task, "timeout"))
	must(t, s.Queue().Delete(ctx, []string{ds[0].Receipt}))
	dead := &DeadLetter{Crawl: "c", ID: l.URL, Link: l, Reason: "timeout", At: c.Now()}
	check("dead", &Trail{State: ledger.Queued, Dropped: &d, Dead: dead})
	e := &ledger.Entry{Verdict: ledger.Dead, Rule: "timeout", Fetched: true, At: c.Now()}
	must(t, complete(ctx, s, "c", l.URL, e))
	check("done", &Trail{State: ledger.Done, Entry: e, Dropped: &d, Dead: dead})

	status, err := s.Hosts(ctx, "c", 10)
	must(t, err)
	if diff := cmp.Diff([]HostStatus{{Host: "a.test", Fetched: 1}}, status); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

// TestReader looks into a store that another has open.
func TestReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path, Options{})
	defer closeStore(t, s)
	sendAll(t, s, testTask("a.test", 1))
	must(t, complete(t.Context(), s, "c", "http://a.test/", &ledger.Entry{Verdict: ledger.Kept, Fetched: true}))
	r, err := OpenReader(path)
	must(t, err)
	defer func() { must(t, r.Close()) }()
	if tot, err := r.Ledger().Totals(t.Context(), "c"); err != nil || tot.Fetched != 1 {
		t.Errorf("totals: %+v, %v", tot, err)
	}
	if tot, err := r.Ledger().Totals(t.Context(), "unknown"); err != nil || tot.Fetched != 0 {
		t.Errorf("totals of an unknown crawl: %+v, %v", tot, err)
	}
	if n, err := r.Queue().Queued(t.Context(), "c", ""); err != nil || n != 1 {
		t.Errorf("Queued = %d, %v, want 1", n, err)
	}
	if err := r.SetMeta(t.Context(), "k", "v"); !errors.Is(err, errReadOnly) {
		t.Errorf("a write to a reader ends with %v, want %v", err, errReadOnly)
	}
}

// TestLogIsBounded writes while readers keep the log in use.
func TestLogIsBounded(t *testing.T) {
	short.Skip(t, "writes 140 MB")
	s := open(t, Options{})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, _, err := s.Meta(t.Context(), "k"); err != nil {
					t.Errorf("Meta: %v", err)
					return
				}
			}
		})
	}
	value := strings.Repeat("x", 1<<20)
	largest := int64(0)
	for range 140 {
		must(t, s.SetMeta(t.Context(), "k", value))
		if fi, err := os.Stat(s.path + "-wal"); err == nil {
			largest = max(largest, fi.Size())
		}
	}
	close(stop)
	wg.Wait()
	if largest > 2*maxWAL {
		t.Errorf("the log grew to %d MB, want %d at most", largest>>20, 2*maxWAL>>20)
	}
}

// Hosts are failing from some failures in a row on.
func TestFailingHosts(t *testing.T) {
	s := open(t, Options{})
	for host, failures := range map[string]int{"down.test": 5, "page.test": 1, "fine.test": 0} {
		lease, err := s.Leases().Acquire(t.Context(), "c", host, "w", time.Minute)
		must(t, err)
		lease.State.Failures = failures
		must(t, s.Leases().Release(t.Context(), "c", lease))
	}
	names, err := s.FailingHosts(t.Context(), "c", 5)
	must(t, err)
	if diff := cmp.Diff([]string{"down.test"}, names); diff != "" {
		t.Errorf("failing hosts (-want +got):\n%s", diff)
	}
}

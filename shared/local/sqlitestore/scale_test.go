package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// scaleURLs names the number of URLs of BenchmarkStoreScale; 50,000 by default.
const scaleURLs = "SLUICE_STORE_URLS"

const scaleHosts = 1000

// BenchmarkStoreScale takes URLs of 1,000 hosts all the way: discovered 5 at a
// time, queued as host tasks, claimed and completed. One op is one URL.
func BenchmarkStoreScale(b *testing.B) {
	n := 50_000
	if v := os.Getenv(scaleURLs); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		s := open(b, Options{})
		cpu, start := cpuTime(b), time.Now()
		scale(b, n, "discover", func(i int) error { return discover(b.Context(), s, i) }, n/5)
		discovered, rss := time.Now(), residentMB(b)
		scale(b, n, "finish", func(i int) error { return finishHost(b.Context(), s, i) }, scaleHosts)
		end := time.Now()
		if err := s.writer.query("PRAGMA wal_checkpoint(TRUNCATE)", func(row) error { return nil }); err != nil {
			b.Fatal(err)
		}
		tot, err := s.Ledger().Totals(b.Context(), "c")
		if err != nil || tot.Fetched != int64(n/5*5) {
			b.Fatalf("totals: %+v, %v, want %d fetched", tot, err, n)
		}
		fi, err := os.Stat(s.path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/discovered.Sub(start).Seconds(), "discovered/s")
		b.ReportMetric(float64(n)/end.Sub(discovered).Seconds(), "done/s")
		b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(n), "cpu-µs/url")
		b.ReportMetric(float64(fi.Size())/float64(n), "bytes/url")
		b.ReportMetric(rss, "MB-discovered")
		b.ReportMetric(residentMB(b), "MB-end")
	}
}

// scale runs jobs 0 … jobs-1 on as many workers as a crawl has, and says how
// memory develops.
func scale(b *testing.B, n int, what string, job func(i int) error, jobs int) {
	b.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= jobs || b.Failed() {
					return
				}
				if err := job(i); err != nil {
					b.Errorf("%s %d: %v", what, i, err)
				}
				if i%(jobs/4) == 0 && n >= 1_000_000 {
					b.Logf("%s %3d %%: %.0f MB", what, i*100/jobs, residentMB(b))
				}
			}
		})
	}
	wg.Wait()
	if b.Failed() {
		b.FailNow()
	}
}

func scaleURL(host, i int) string {
	return fmt.Sprintf("http://www%d.test/2020/03/30/article-%d.html", host, i)
}

// discover adds the i-th five URLs.
func discover(ctx context.Context, s *Store, i int) error {
	host := i % scaleHosts
	var links []frontier.Link
	var urls []string
	for j := range 5 {
		u := scaleURL(host, i/scaleHosts*5+j)
		urls = append(urls, u)
		links = append(links, frontier.Link{URL: u, Parent: scaleURL(host, i), Anchor: "央行下调存款准备金率", Depth: 3, Priority: float64((i*5+j)%97) / 97})
	}
	if err := s.Backlog().Add(ctx, "c", links); err != nil {
		return err
	}
	return s.Ledger().MarkQueued(ctx, "c", urls)
}

// finishHost takes all links of a host through queue and ledger.
func finishHost(ctx context.Context, s *Store, i int) error {
	host := fmt.Sprintf("www%d.test", i)
	f := &frontier.Feeder{
		Crawl: "c", Backlog: s.Backlog(), Hosts: s.Backlog(), Queue: s.Queue(), Gauge: s.Queue(),
		HostCap: frontier.MaxLinks * callers, Now: time.Now,
	}
	for {
		fed, err := f.Feed(ctx, []string{host}, 0, frontier.MaxLinks)
		if err != nil {
			return err
		}
		if fed == 0 {
			return nil
		}
		ds, err := s.Queue().Receive(ctx, 1) // perhaps another host's
		if err != nil {
			return err
		}
		for _, d := range ds {
			if err := finishTask(ctx, s, d); err != nil {
				return err
			}
		}
	}
}

func finishTask(ctx context.Context, s *Store, d frontier.Delivery) error {
	urls := make([]string, len(d.Task.Links))
	for i, l := range d.Task.Links {
		urls[i] = l.URL
	}
	if _, err := s.Ledger().States(ctx, "c", urls); err != nil {
		return err
	}
	for _, l := range d.Task.Links {
		e := &ledger.Entry{Verdict: ledger.Passed, Fetched: true, Relevant: l.Priority > 0.5, At: time.Now()}
		if err := complete(ctx, s, "c", l.URL, e); err != nil {
			return err
		}
	}
	return s.Queue().Delete(ctx, []string{d.Receipt})
}

// residentMB returns the memory of the process, 0 where the system doesn't say.
func residentMB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}

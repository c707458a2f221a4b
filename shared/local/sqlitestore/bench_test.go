package sqlitestore

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

// callers is the number of workers that drive the store at a time.
const callers = 16

// BenchmarkStorePage is what one page of a crawl asks of the store: a claim,
// the states of 20 links, 5 of them added and marked, the entry; and a tenth
// of a task's way through the queue.
func BenchmarkStorePage(b *testing.B) {
	s := open(b, Options{})
	var n atomic.Int64
	b.SetParallelism((callers + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	start := cpuTime(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := page(b.Context(), s, int(n.Add(1))); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/float64(s.commits), "pages/commit")
	b.ReportMetric(float64((cpuTime(b)-start).Microseconds())/float64(b.N), "cpu-µs/op")
}

func page(ctx context.Context, s *Store, n int) error {
	const crawl = "bench"
	host := fmt.Sprintf("www%d.test", n%1000)
	url := func(i int) string { return fmt.Sprintf("http://%s/2020/03/30/article-%d.html", host, i) }
	self := url(n / 1000)
	if _, err := s.Ledger().States(ctx, crawl, []string{self}); err != nil {
		return err
	}
	var urls []string
	var links []frontier.Link
	for i := range 20 {
		urls = append(urls, url(n/1000*5+i))
	}
	if _, err := s.Ledger().States(ctx, crawl, urls); err != nil {
		return err
	}
	for i, u := range urls[15:] {
		links = append(links, frontier.Link{
			URL: u, Seed: "http://www.test/", Parent: self, Anchor: "央行宣布下调存款准备金率", Depth: 3,
			Priority: float64(i*n%97) / 97, Parts: frontier.Parts{Description: 0.4, Anchor: 0.2},
		})
	}
	if err := s.Backlog().Add(ctx, crawl, links); err != nil {
		return err
	}
	if err := s.Ledger().MarkQueued(ctx, crawl, urls[15:]); err != nil {
		return err
	}
	e := &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 5, Dropped: 3, Segment: "warc/000001.warc.gz", At: time.Now(), Trace: []byte(`{"relevance":0.31}`)}
	if err := complete(ctx, s, crawl, self, e); err != nil {
		return err
	}
	if n%10 == 0 {
		return task(ctx, s, crawl, host, links)
	}
	return nil
}

func task(ctx context.Context, s *Store, crawl, host string, links []frontier.Link) error {
	t := &frontier.Task{ID: "t", Crawl: crawl, Host: host, Links: append(links, links...)}
	if err := s.Queue().Send(ctx, []frontier.Outgoing{{Task: t}}); err != nil {
		return err
	}
	ds, err := s.Queue().Receive(ctx, 1)
	if err != nil {
		return err
	}
	for _, d := range ds {
		if err := s.Queue().Delete(ctx, []string{d.Receipt}); err != nil {
			return err
		}
	}
	return nil
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

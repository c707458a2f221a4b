package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkNews crawls the news web as fast as it can be served, and has the
// plain loop go over the pages that the crawler fetched. Its figures:
//
//	pages/s         fetched by the crawler, from its start to its end
//	cpu-s/1000      of the crawler, user and system, for 1,000 pages
//	loop-cpu-s/1000 of the plain loop
//	cpu-ratio       crawler to loop
//	peak-MB         most memory of the crawler
func BenchmarkNews(b *testing.B) {
	for _, bench := range []struct{ name, topic string }{
		{"everything", topicEverything}, // all pages are kept, as in the loop
		{"finance", topicFinance},       // a few hundred pages: mostly the start
	} {
		b.Run(bench.name, func(b *testing.B) { benchmarkNews(b, bench.topic) })
	}
}

func benchmarkNews(b *testing.B, topic string) {
	web, seeds := serve(b), newsSeeds(b)
	var pages, peak float64
	var wall, cpu, loop time.Duration
	for b.Loop() {
		web.reset(b)
		begun := time.Now()
		r := sluice(b, crawlArgs(topic, filepath.Join(b.TempDir(), "out"), web, seeds)...)
		wall += time.Since(begun)
		cpu += r.cpu
		pages += float64(r.summary(b, exitDone).Fetched)
		peak = max(peak, float64(r.peak))

		loop += plainLoop(b, web)
	}
	report(b, pages, peak, wall, cpu, loop)
}

// report prints the figures of crawls.
func report(b *testing.B, pages, peak float64, wall, cpu, loop time.Duration) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(pages/wall.Seconds(), "pages/s")
	b.ReportMetric(cpu.Seconds()/pages*1000, "cpu-s/1000")
	b.ReportMetric(loop.Seconds()/pages*1000, "loop-cpu-s/1000")
	b.ReportMetric(cpu.Seconds()/loop.Seconds(), "cpu-ratio")
	b.ReportMetric(peak/1e6, "peak-MB")
}

// BenchmarkPortal crawls pages as large as those of real portals, all of which
// are kept, and has the plain loop do the same work with libraries (plainloop
// -full). The figures are those of BenchmarkNews.
func BenchmarkPortal(b *testing.B) {
	web := newPortal(b)
	var pages, peak float64
	var wall, cpu, loop time.Duration
	for b.Loop() {
		args := []string{"crawl", "--json", "--topic", filepath.Join("testdata", "portal.yaml"), "--out", filepath.Join(b.TempDir(), "out"), "--delay", "0"}
		for _, seed := range web.seeds {
			args = append(args, "--seed", seed)
		}
		begun := time.Now()
		r := sluice(b, args...)
		wall += time.Since(begun)
		cpu += r.cpu
		sum := r.summary(b, exitDone)
		if sum.Kept != portalHosts*portalPages {
			b.Fatalf("kept %d pages of %d", sum.Kept, portalHosts*portalPages)
		}
		pages += float64(sum.Fetched)
		peak = max(peak, float64(r.peak))
		loop += runPlainLoop(b, web.asked(), "-full")
		web.asked()
	}
	report(b, pages, peak, wall, cpu, loop)
}

// plainLoop fetches the URLs that the server was asked for before, and returns
// its CPU time.
func plainLoop(b *testing.B, web *replay) time.Duration {
	b.Helper()
	var urls []string
	for _, h := range web.pages(b) {
		urls = append(urls, h.URL)
	}
	return runPlainLoop(b, urls, "-proxy", web.url)
}

// runPlainLoop returns the CPU time of the plain loop over these pages.
func runPlainLoop(b *testing.B, urls []string, flags ...string) time.Duration {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "plainloop", append(flags, "-out", filepath.Join(b.TempDir(), "pages.jsonl"))...)
	cmd.Stdin = strings.NewReader(strings.Join(urls, "\n"))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("plain loop: %v\n%s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

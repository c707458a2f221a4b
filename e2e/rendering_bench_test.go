package e2e_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// usage is what the processes of a crawl and of its browser have used.
type usage struct {
	cpu    map[bool]float64 // seconds, by whether it is the browser's
	memory map[bool]int64   // bytes at the peak, shared pages by share
}

// measure reads the usage of all processes whose folder for temporary files is temp, until
// the program ends. The time of a process that has ended is its parent's.
func measure(t testing.TB, temp string, p *program) usage {
	t.Helper()
	most := usage{map[bool]float64{}, map[bool]int64{}}
	for {
		cpu, memory := map[bool]float64{}, map[bool]int64{}
		processes, err := filepath.Glob("/proc/[0-9]*")
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range processes {
			environ, err := os.ReadFile(filepath.Join(dir, "environ"))
			if err != nil || !bytes.Contains(environ, []byte("TMPDIR="+temp)) {
				continue
			}
			browser := filepath.Base(dir) != strconv.Itoa(p.cmd.Process.Pid)
			cpu[browser] += cpuSeconds(dir, browser)
			memory[browser] += proportional(dir)
		}
		for _, browser := range []bool{false, true} {
			most.cpu[browser] = max(most.cpu[browser], cpu[browser])
			most.memory[browser] = max(most.memory[browser], memory[browser])
		}
		select {
		case <-p.ended:
			return most
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// cpuSeconds is the time of a process and, on request, of its children that have ended.
func cpuSeconds(dir string, children bool) float64 {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 15 {
		return 0
	}
	times := fields[11:13]
	if children {
		times = fields[11:15]
	}
	sum := 0.0
	for _, f := range times {
		ticks, _ := strconv.Atoi(f)
		sum += float64(ticks) / 100
	}
	return sum
}

// proportional is the memory of a process, with its share of what others have, too.
func proportional(dir string) int64 {
	rollup, err := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(rollup), "\nPss:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " kB")
	kib, _ := strconv.ParseInt(number, 10, 64)
	return kib << 10
}

// BenchmarkRendering crawls two hosts of 53 pages each by each setting of render.
func BenchmarkRendering(b *testing.B) {
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		b.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	for _, mode := range []string{"never", "auto", "always"} {
		b.Run(mode, func(b *testing.B) {
			for b.Loop() {
				temp := b.TempDir()
				b.Setenv("TMPDIR", temp)
				args := []string{"crawl", "--json", "--topic", renderedTopic(b, mode+"\nstrategy: breadth-first"), "--out", filepath.Join(temp, "out"), "--delay", "0", "--browser", path}
				var sites []*madeSite
				for _, host := range []string{"127.0.0.1", "127.0.0.2"} {
					s := serveMadeAt(b, host)
					sites = append(sites, s)
					args = append(args, "--seed", s.URL+"/")
				}
				started := time.Now()
				p := start(b, args...)
				used := measure(b, temp, p)
				sum := p.wait(b).summary(b, exitDone)
				seconds := time.Since(started).Seconds()
				shown := 0
				for _, s := range sites {
					for _, names := range s.shown() {
						shown += len(names)
					}
				}
				pages := float64(sum.Fetched)
				b.ReportMetric(pages, "pages")
				b.ReportMetric(float64(shown), "shown")
				b.ReportMetric(pages/seconds, "pages/s")
				b.ReportMetric(1000*used.cpu[false]/pages, "crawl-cpu-ms/page")
				if shown > 0 {
					b.ReportMetric(1000*used.cpu[true]/float64(shown), "browser-cpu-ms/shown")
				}
				b.ReportMetric(float64(used.memory[false])/1e6, "crawl-MB")
				b.ReportMetric(float64(used.memory[true])/1e6, "browser-MB")
			}
		})
	}
}

// serveMadeAt serves a site of 12 articles in each layer at an address of this machine.
func serveMadeAt(b *testing.B, host string) *madeSite {
	b.Helper()
	s := &madeSite{articles: 12}
	l, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		b.Fatal(err)
	}
	s.Server = httptest.NewUnstartedServer(s)
	if err := s.Listener.Close(); err != nil {
		b.Fatal(err)
	}
	s.Listener = l
	s.Start()
	b.Cleanup(s.Close)
	if !strings.HasPrefix(s.URL, fmt.Sprintf("http://%s:", host)) {
		b.Fatalf("the site is at %s", s.URL)
	}
	return s
}

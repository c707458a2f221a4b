package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Exit codes of sluice.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitStopped = 3
)

// contact is the contact that the tests' crawls send to other machines.
const contact = "crawler@example.org"

// runLimit is far more than any crawl here takes, also on a busy machine: a longer one is killed.
const runLimit = 10 * time.Minute

// program is a running sluice.
type program struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	peak           atomic.Int64 // bytes
	ended          chan struct{}
	err            error // of Wait, once ended is closed
}

// start runs the program, which ends with its test at the latest.
func start(t testing.TB, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runLimit)
	p := &program{cmd: exec.CommandContext(ctx, "sluice", args...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("start sluice: %v", err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	watched := make(chan struct{})
	go func() {
		p.watch()
		close(watched)
	}()
	t.Cleanup(func() {
		cancel()
		<-p.ended
		<-watched
	})
	return p
}

// watch records the peak memory of the process from its own high-water mark,
// since that in its resource usage starts with the mark of the process that
// forked it.
func (p *program) watch() {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if n := residentPeak(p.cmd.Process.Pid); n > p.peak.Load() {
			p.peak.Store(n)
		}
		select {
		case <-tick.C:
		case <-p.ended:
			return
		}
	}
}

// residentPeak returns the peak memory of a process, in bytes; 0 if the system
// does not report it.
func residentPeak(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " kB")
	kib, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// result is the result of a program.
type result struct {
	code           int
	stdout, stderr string
	cpu            time.Duration // user and system
	peak           int64         // bytes; 0 if unknown
}

// wait returns the result. It fails the test only for a program that did not
// end by itself or by a signal of the test.
func (p *program) wait(t testing.TB) result {
	t.Helper()
	<-p.ended
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		t.Fatalf("%v: %v", p.cmd.Args, p.err)
	}
	s := p.cmd.ProcessState
	return result{s.ExitCode(), p.stdout.String(), p.stderr.String(), s.UserTime() + s.SystemTime(), p.peak.Load()}
}

// sluice runs the program to its end.
func sluice(t testing.TB, args ...string) result {
	t.Helper()
	return start(t, args...).wait(t)
}

// summary is the part of a crawl's JSON summary that the tests read.
type summary struct {
	Fetched, Kept, Rejected, Passed, Enqueued int
	Rendered                                  int              //
	DeadLetters                               int              `json:"dead_letters"`
	DroppedLinks                              int              `json:"dropped_links"`
	HarvestRate                               float64          `json:"harvest_rate"`
	StopReason                                string           `json:"stop_reason"`
	DurationS                                 float64          `json:"duration_s"`
	Corpus, WARC                              string           //
	Rules                                     map[string]int   //
	ClosedHosts                               []map[string]any `json:"closed_hosts"`
}

// summary parses the output of a crawl with --json, and checks its exit code.
func (r result) summary(t testing.TB, code int) summary {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d; stdout:\n%s\nstderr:\n%s", r.code, code, r.stdout, r.stderr)
	}
	var s summary
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("summary is not one JSON document: %v\n%s\nstderr:\n%s", err, r.stdout, r.stderr)
	}
	return s
}

// topicFinance is the shipped topic, topicEverything takes all pages.
var (
	topicFinance    = filepath.Join("..", "topics", "finance.yaml")
	topicEverything = filepath.Join("testdata", "everything.yaml")
)

// crawlArgs is a crawl of a replayed web, without a delay and with a summary
// in JSON; more flags overrule.
func crawlArgs(topic, out string, web *replay, seeds []string, more ...string) []string {
	args := []string{"crawl", "--json", "--topic", topic, "--out", out, "--proxy", web.url, "--contact", contact, "--delay", "0"}
	for _, s := range seeds {
		args = append(args, "--seed", s)
	}
	return append(args, more...)
}

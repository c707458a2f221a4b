//go:build linux

package lambdahost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told is the answer of the actor.
type told struct {
	PID      int
	Env      []string
	ID, ARN  string
	Deadline time.Time
	Text     string
}

func do(t *testing.T, f *Function, event string) *Result {
	t.Helper()
	res, err := f.Invoke(t.Context(), []byte(event))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func tell(t *testing.T, res *Result) told {
	t.Helper()
	if res.Error != nil {
		t.Fatal(res.Error)
	}
	var a told
	if err := json.Unmarshal(res.Payload, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestInvoke(t *testing.T) {
	for _, test := range []struct {
		name, binary, event string
		opts                Options
		want                *FunctionError // id is that of the request
		again               bool           // the environment serves the next invocation
	}{
		{name: "succeeds", event: `{}`, again: true},
		{name: "fails", event: `{"do":"fail"}`, want: &FunctionError{"errorString", "as told"}, again: true},
		{name: "panics", event: `{"do":"panic"}`, want: &FunctionError{"string", "as told"}},
		{
			name: "exits", event: `{"do":"exit","n":7}`,
			want: &FunctionError{"Runtime.ExitError", "RequestId: id Error: Runtime exited with error: exit status 7"},
		},
		{
			name: "exits without an error", event: `{"do":"exit"}`,
			want: &FunctionError{"Runtime.ExitError", "RequestId: id Error: Runtime exited without providing a reason"},
		},
		{
			name: "times out", event: `{"do":"sleep","n":60000}`, opts: Options{Timeout: time.Second},
			want: &FunctionError{"Sandbox.Timedout", "RequestId: id Error: Task timed out after 1.00 seconds"},
		},
		{
			name: "is killed", event: `{"do":"sleep","n":60000}`,
			opts: Options{Timeout: time.Minute, Kill: func(n int, _ []byte) time.Duration {
				if n == 1 {
					return 100 * time.Millisecond
				}
				return 0
			}},
			want: &FunctionError{"Runtime.ExitError", "RequestId: id Error: Runtime exited with error: signal: killed"},
		},
		{name: "answers at length", event: fmt.Sprintf(`{"do":"say","n":%d}`, maxResponse-100), again: true},
		{
			name: "answers at too great length", event: fmt.Sprintf(`{"do":"say","n":%d}`, maxResponse),
			want: &FunctionError{"Function.ResponseSizeTooLarge", "Response payload size exceeded maximum allowed payload size (6291556 bytes)."},
		},
		{
			name: "exits at its start", binary: "badinit",
			want: &FunctionError{"Runtime.ExitError", "RequestId: id Error: Runtime exited with error: exit status 2"},
		},
		{
			name: "reports a bad start", binary: "badinit",
			opts: Options{Env: map[string]string{"REPORT": `{"errorType":"Config","errorMessage":"no table"}`}},
			want: &FunctionError{"Config", "no table"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.binary == "" {
				test.binary = "actor"
			}
			if test.opts.Timeout == 0 {
				test.opts.Timeout = time.Minute
			}
			f := open(t, test.binary, test.opts)
			res := do(t, f, test.event)
			if !res.Cold || res.Init <= 0 {
				t.Errorf("first invocation: cold %t, initialised in %v", res.Cold, res.Init)
			}
			if res.Error != nil {
				res.Error.Message = strings.Replace(res.Error.Message, res.RequestID, "id", 1)
			}
			if diff := cmp.Diff(test.want, res.Error); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if (res.Payload == nil) != (res.Error != nil) {
				t.Errorf("%d bytes of payload with error %v", len(res.Payload), res.Error)
			}
			if short := res.Billed - res.Init - res.Duration; short < 0 || short >= time.Millisecond || res.Billed%time.Millisecond != 0 {
				t.Errorf("billed %v for %v and %v", res.Billed, res.Init, res.Duration)
			}
			next := do(t, f, `{}`)
			if next.Cold == test.again {
				t.Errorf("second invocation: cold %t", next.Cold)
			}
			if test.binary == "actor" && next.Error != nil {
				t.Errorf("second invocation: %v", next.Error)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("NOT_PASSED", "1")
	f := open(t, "actor", Options{
		Env: map[string]string{"TABLE": "urls"}, Region: "cn-north-1", MemoryMB: 256, Timeout: time.Minute,
	})
	before := time.Now()
	res := do(t, f, `{"do":"tell"}`)
	a := tell(t, res)
	env := map[string]string{}
	for _, kv := range a.Env {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	for k, pattern := range map[string]string{
		"AWS_LAMBDA_RUNTIME_API":     `127\.0\.0\.1:\d+`,
		"AWS_LAMBDA_LOG_STREAM_NAME": `\d{4}/\d\d/\d\d/\[\$LATEST\][0-9a-f]{32}`,
		"_X_AMZN_TRACE_ID":           `Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0`,
	} {
		if !regexp.MustCompile("^" + pattern + "$").MatchString(env[k]) {
			t.Errorf("%s is %q", k, env[k])
		}
		delete(env, k)
	}
	if info, err := os.Stat(env["TMPDIR"]); err != nil || !info.IsDir() {
		t.Errorf("TMPDIR is %q: %v", env["TMPDIR"], err)
	}
	delete(env, "TMPDIR")
	want := map[string]string{
		"TABLE":                           "urls",
		"AWS_LAMBDA_FUNCTION_NAME":        "actor",
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_FORMAT":           "JSON",
		"AWS_LAMBDA_LOG_LEVEL":            "INFO",
		"AWS_LAMBDA_LOG_GROUP_NAME":       "/aws/lambda/actor",
		"AWS_REGION":                      "cn-north-1",
		"AWS_DEFAULT_REGION":              "cn-north-1",
		"LAMBDA_TASK_ROOT":                binaries,
		"LAMBDA_RUNTIME_DIR":              "/var/runtime",
		"LANG":                            "en_US.UTF-8",
		"PATH":                            "/usr/local/bin:/usr/bin/:/bin:/opt/bin",
		"TZ":                              ":UTC",
		"_HANDLER":                        "actor",
	}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if a.ID != res.RequestID || a.ARN != "arn:aws:lambda:cn-north-1:123456789012:function:actor" {
		t.Errorf("request %q (not %q) of %q", a.ID, res.RequestID, a.ARN)
	}
	if left := a.Deadline.Sub(before); left < time.Minute-time.Second || left > time.Minute+maxInit {
		t.Errorf("deadline after %v", left)
	}
}

// state is how the kernel sees a process: T is stopped.
func state(t *testing.T, pid int) string {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`State:\t(.)`).FindStringSubmatch(string(status))[1]
}

func TestFrozenBetweenInvocations(t *testing.T) {
	frozen := open(t, "actor", Options{})
	pid := tell(t, do(t, frozen, `{}`)).PID
	eventually(t, "the process to stop", func() bool { return state(t, pid) == "T" })
	if again := do(t, frozen, `{}`); again.Cold || tell(t, again).PID != pid {
		t.Errorf("second invocation: cold %t in process %d after %d", again.Cold, tell(t, again).PID, pid)
	}

	unfrozen := open(t, "actor", Options{Unfrozen: true})
	pid = tell(t, do(t, unfrozen, `{}`)).PID
	if s := state(t, pid); s == "T" {
		t.Errorf("state %s of a process that should go on", s)
	}
}

func TestConcurrency(t *testing.T) {
	f := open(t, "actor", Options{Concurrency: 2, Timeout: time.Minute})
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			res, err := f.Invoke(context.Background(), []byte(`{"do":"sleep","n":60000}`))
			if err != nil || res.Error == nil || res.Error.Type != "Runtime.ExitError" {
				t.Errorf("killed invocation: %+v, %v", res, err)
			}
		})
	}
	eventually(t, "two invocations in flight", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.busy) == 2
	})
	if _, err := f.Invoke(t.Context(), nil); !errors.Is(err, errThrottled) {
		t.Errorf("third invocation: %v", err)
	}
	eventually(t, "both to be killed", func() bool { f.Kill(); return f.Usage().Errors == 2 })
	group.Wait()
	if f.Kill() {
		t.Error("killed an idle environment")
	}
	res := do(t, f, `{}`)
	if !res.Cold {
		t.Error("a killed environment was used again")
	}
	got := f.Usage()
	if got.PeakRSS < res.PeakRSS || got.GBSeconds != gbSeconds(got.Billed, 128) || got.Billed < res.Billed {
		t.Errorf("usage %+v after %+v", got, res)
	}
	got.Billed, got.GBSeconds, got.PeakRSS, got.Processor = 0, 0, 0, 0
	want := Usage{Invocations: 3, Errors: 2, ColdStarts: 3, Throttles: 1, MaxConcurrency: 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestNoResult(t *testing.T) {
	f := open(t, "actor", Options{Timeout: time.Minute})
	if _, err := f.Invoke(t.Context(), make([]byte, maxRequest+1)); !errors.Is(err, errTooLarge) {
		t.Errorf("large payload: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := f.Invoke(ctx, []byte(`{"do":"sleep","n":60000}`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("context that ends: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Invoke(t.Context(), nil); !errors.Is(err, errClosed) {
		t.Errorf("closed function: %v", err)
	}
	if _, err := New("none", filepath.Join(binaries, "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no binary: %v", err)
	}
	text := filepath.Join(t.TempDir(), "bootstrap")
	if err := os.WriteFile(text, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	noBinary, err := New("text", text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer noBinary.Close() //nolint:errcheck // nothing was started
	if _, err := noBinary.Invoke(t.Context(), nil); !errors.Is(err, os.ErrPermission) {
		t.Errorf("binary that cannot run: %v", err)
	}
}

func TestCloseEndsProcesses(t *testing.T) {
	f := open(t, "actor", Options{})
	pid := tell(t, do(t, f, `{}`)).PID
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("process %d outlives its function: %v", pid, err)
	}
	if _, err := os.Stat(f.scratch); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("scratch directory is left: %v", err)
	}
}

func TestCloseEndsInvocations(t *testing.T) {
	f := open(t, "actor", Options{Timeout: time.Minute})
	ended := make(chan *Result)
	go func() {
		res, err := f.Invoke(context.Background(), []byte(`{"do":"sleep","n":60000}`))
		if err != nil {
			t.Error(err)
		}
		ended <- res
	}()
	eventually(t, "an invocation", func() bool { return f.Usage().Invocations == 1 })
	go f.Close() //nolint:errcheck // the cleanup looks at the error
	if res := <-ended; res == nil || res.Error == nil || res.Error.Type != "Runtime.ExitError" {
		t.Errorf("result %+v", res)
	}
}

func TestProcessorTime(t *testing.T) {
	f := open(t, "actor", Options{Timeout: time.Minute})
	const some = 400 * time.Millisecond
	busy, idle := do(t, f, fmt.Sprintf(`{"do":"work","n":%d}`, some.Milliseconds())), do(t, f, `{"do":"sleep","n":500}`)
	if busy.Processor < some-20*time.Millisecond {
		t.Errorf("%v for work of %v", busy.Processor, some)
	}
	if idle.Processor > some/2 {
		t.Errorf("%v for none", idle.Processor)
	}
	if sum := f.Usage().Processor; sum != busy.Processor+idle.Processor {
		t.Errorf("%v in all, want %v and %v", sum, busy.Processor, idle.Processor)
	}
}

func TestPeakMemory(t *testing.T) {
	const size = 64 << 20
	f := open(t, "actor", Options{Timeout: time.Minute})
	small, large := do(t, f, `{}`), do(t, f, fmt.Sprintf(`{"do":"use","n":%d}`, size))
	if small.PeakRSS < 1<<20 || small.PeakRSS > size {
		t.Errorf("%d bytes for nothing", small.PeakRSS)
	}
	if large.PeakRSS < size || large.PeakRSS > 3*size {
		t.Errorf("%d bytes for %d", large.PeakRSS, size)
	}
}

func TestLog(t *testing.T) {
	var log lines
	f := open(t, "actor", Options{Log: &log})
	do(t, f, `{"do":"print"}`)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("to stderr\nto stdout\n", log.String()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// Limits are written before the process enters the group, in either version of
// cgroups.
func TestConfine(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string // that the kernel made
		want  map[string]string
	}{
		{
			"version 2", []string{"memory.max", "memory.swap.max", "cgroup.procs"},
			map[string]string{"memory.max": "134217728", "memory.swap.max": "0", "cgroup.procs": "42"},
		},
		{
			"version 1", []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "cgroup.procs"},
			map[string]string{"memory.limit_in_bytes": "134217728", "memory.memsw.limit_in_bytes": "134217728", "cgroup.procs": "42"},
		},
		{
			"no account of swap", []string{"memory.max", "cgroup.procs"},
			map[string]string{"memory.max": "134217728", "cgroup.procs": "42"},
		},
		{"no memory controller", []string{"cgroup.procs"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			group := t.TempDir()
			for _, name := range test.files {
				if err := os.WriteFile(filepath.Join(group, name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			err := confine(group, 42, 128)
			if (err != nil) != (test.want == nil) {
				t.Fatalf("confine: %v", err)
			}
			for name, want := range test.want {
				if got, err := os.ReadFile(filepath.Join(group, name)); err != nil || string(got) != want {
					t.Errorf("%s: %q, %v; want %q", name, got, err, want)
				}
			}
		})
	}
	f := open(t, "actor", Options{MemoryCgroup: filepath.Join(t.TempDir(), "none")})
	if _, err := f.Invoke(t.Context(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("cgroup that is not there: %v", err)
	}
}

func TestLinesStayWhole(t *testing.T) {
	var log lines
	shared := &sink{w: &log}
	a, b := &lineWriter{sink: shared}, &lineWriter{sink: shared}
	for _, step := range []struct {
		to   *lineWriter
		text string
	}{{a, "a1"}, {b, "b1\nb"}, {a, "a2\na3\n"}, {b, "2"}, {b, "\n"}} {
		if _, err := step.to.Write([]byte(step.text)); err != nil {
			t.Fatal(err)
		}
	}
	got := slices.Collect(strings.Lines(log.String()))
	if diff := cmp.Diff([]string{"b1\n", "a1a2\n", "a3\n", "b2\n"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

//go:build linux

package lambdahost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Limits of Lambda.
const (
	// maxRequest is the size of the largest payload of an invocation, in bytes.
	maxRequest = 6 << 20
	// maxResponse is the size of the largest response, in bytes.
	maxResponse = 6<<20 + 100

	maxInit = 10 * time.Second
)

// Errors of an invocation that no environment saw.
var (
	// errTooLarge says that a payload exceeds maxRequest.
	errTooLarge = errors.New("payload too large")
	// errThrottled says that all environments the function may have are busy.
	errThrottled = errors.New("throttled")
	// errClosed says that the function was closed.
	errClosed = errors.New("function closed")
)

// Options are the settings of a function that have a default.
type Options struct {
	// Env is added to the variables that Lambda sets, and overrides them.
	// Nothing is inherited: credentials and AWS_ENDPOINT_URL belong here.
	Env         map[string]string
	Region      string        // us-east-1
	MemoryMB    int           // billed and reported to the function: 128
	Timeout     time.Duration // of an invocation: 3 s
	Concurrency int           // environments at a time: 1000
	Log         io.Writer     // output of the processes, in whole lines, complete after Close; nil: discarded

	// Unfrozen leaves processes running between invocations. Lambda freezes
	// them, with their background work.
	Unfrozen bool

	// MemoryCgroup is a directory of the memory controller (cgroup v1 or v2)
	// that the caller may make groups in. Each environment gets a group that
	// is limited to MemoryMB. Empty: memory is measured, and not limited.
	MemoryCgroup string

	// Kill is called before the function's n-th invocation, counted from 1, and
	// says when to kill the environment; zero and less mean never. A killed one
	// ends in Runtime.ExitError, unless it had answered. Calls may overlap.
	Kill func(n int, payload []byte) time.Duration
}

// Function is a Lambda function. Its methods are safe for concurrent use.
type Function struct {
	name, binary string
	opts         Options
	log          *sink
	scratch      string

	mu       sync.Mutex
	closed   bool
	live     int // environments: idle, busy, and about to start
	idle     []*environment
	busy     map[*environment]struct{}
	usage    Usage
	inFlight int

	pending sync.WaitGroup // invocations, and environments whose process runs
}

// New returns the function name that runs binary. Close ends its processes.
func New(name, binary string, opts Options) (*Function, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, fmt.Errorf("find binary of function %s: %w", name, err)
	}
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("find binary of function %s: %w", name, err)
	}
	opts.Region = cmp.Or(opts.Region, "us-east-1")
	opts.MemoryMB = cmp.Or(opts.MemoryMB, 128)
	opts.Timeout = cmp.Or(opts.Timeout, 3*time.Second)
	opts.Concurrency = cmp.Or(opts.Concurrency, 1000)
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	scratch, err := os.MkdirTemp("", "lambdahost-")
	if err != nil {
		return nil, fmt.Errorf("make scratch directory: %w", err)
	}
	return &Function{
		name: name, binary: binary, opts: opts,
		log: &sink{w: opts.Log}, scratch: scratch,
		busy: map[*environment]struct{}{},
	}, nil
}

// Invoke runs the function once. Errors of the function are in the result; an
// error says that there was no result: the payload is too large, all
// environments are busy, the binary cannot be run, the function was closed, or
// ctx ended, which kills the environment.
func (f *Function) Invoke(ctx context.Context, payload []byte) (*Result, error) {
	return f.invoke(ctx, payload, 0)
}

// invoke kills the environment after the given time, or that of Options.Kill if
// it is earlier. Zero means never.
func (f *Function) invoke(ctx context.Context, payload []byte, kill time.Duration) (*Result, error) {
	if len(payload) > maxRequest {
		return nil, fmt.Errorf("invoke %s with %d bytes: %w", f.name, len(payload), errTooLarge)
	}
	e, n, err := f.acquire()
	if err != nil {
		return nil, fmt.Errorf("invoke %s: %w", f.name, err)
	}
	res := &Result{RequestID: uuid.NewString(), Cold: e == nil}
	if e == nil {
		if e, err = f.start(ctx); err != nil {
			f.discard()
			return nil, fmt.Errorf("start environment of %s: %w", f.name, err)
		}
	}
	if f.opts.Kill != nil {
		if d := f.opts.Kill(n, payload); d > 0 && (kill <= 0 || d < kill) {
			kill = d
		}
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, e.kill)
		err = e.run(ctx, payload, res)
		timer.Stop() // before another invocation gets the environment
	} else {
		err = e.run(ctx, payload, res)
	}
	f.release(e, res, err)
	if err != nil {
		return nil, fmt.Errorf("invoke %s: %w", f.name, err)
	}
	return res, nil
}

// acquire takes an idle environment, or the right to start one, and counts
// the invocation.
func (f *Function) acquire() (e *environment, n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, 0, errClosed
	}
	for len(f.idle) > 0 && e == nil {
		last := len(f.idle) - 1 // the one used most recently, as Lambda does
		e, f.idle = f.idle[last], f.idle[:last]
		if e.dead() {
			e = nil
			f.live--
		}
	}
	switch {
	case e != nil:
		f.busy[e] = struct{}{}
	case f.live >= f.opts.Concurrency:
		f.usage.Throttles++
		return nil, 0, errThrottled
	default:
		f.live++
	}
	f.pending.Add(1)
	f.inFlight++
	f.usage.Invocations++
	f.usage.MaxConcurrency = max(f.usage.MaxConcurrency, f.inFlight)
	return e, f.usage.Invocations, nil
}

// start starts an environment for the right that acquire gave.
func (f *Function) start(ctx context.Context) (*environment, error) {
	e, err := startEnvironment(ctx, f)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy[e] = struct{}{}
	if f.closed {
		e.kill()
	}
	return e, nil
}

// discard gives the right to an environment back that did not start.
func (f *Function) discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.pending.Done()
	f.live--
	f.inFlight--
	f.usage.Errors++
}

// release keeps an environment that can be used again.
func (f *Function) release(e *environment, res *Result, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.pending.Done()
	delete(f.busy, e)
	f.inFlight--
	f.usage.add(res, err, f.opts.MemoryMB)
	if f.closed || e.dead() {
		e.kill()
		f.live--
		return
	}
	f.idle = append(f.idle, e)
}

// Kill kills one of the environments that run an invocation, drawn at random,
// and reports whether there was any.
func (f *Function) Kill() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.busy) == 0 {
		return false
	}
	skip := rand.IntN(len(f.busy))
	for e := range f.busy {
		if skip--; skip < 0 {
			e.kill()
			break
		}
	}
	return true
}

// Usage returns the function's usage so far.
func (f *Function) Usage() Usage {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.usage
}

// Close kills all environments, waits for their end, and removes their files.
// Invocations in flight end in Runtime.ExitError.
func (f *Function) Close() error {
	f.mu.Lock()
	f.closed = true
	for _, e := range f.idle {
		e.kill()
	}
	for e := range f.busy {
		e.kill()
	}
	f.mu.Unlock()
	f.pending.Wait()
	err := os.RemoveAll(f.scratch)
	for until := time.Now().Add(lingering); err != nil && time.Now().Before(until); err = os.RemoveAll(f.scratch) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return fmt.Errorf("remove scratch directory: %w", err)
	}
	return nil
}

// lingering is the time that programs which a function has started, such as a browser, may
// take to end after it.
const lingering = 5 * time.Second

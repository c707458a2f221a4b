//go:build linux

package lambdahost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// drain is how long a process that ended may leave its output open.
const drain = time.Second

// Reasons why an environment cannot continue.
var (
	errExited   = errors.New("process ended")
	errTimedOut = errors.New("timed out")
)

// environment is one execution environment. It runs one invocation at a time.
type environment struct {
	fn      *Function
	api     *runtimeAPI
	process *os.Process
	begun   time.Time
	spent   time.Duration // of the processor, up to the end of the last invocation
	cancel  context.CancelFunc
	doomed  <-chan struct{} // closed when the process was told to end …
	exited  chan struct{}   // … and when it has; reason is set then
	reason  string
}

// startEnvironment starts a process that outlives ctx.
func startEnvironment(ctx context.Context, f *Function) (*environment, error) {
	tmp, err := os.MkdirTemp(f.scratch, "tmp-")
	if err != nil {
		return nil, fmt.Errorf("make temporary directory: %w", err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	api, err := serveRuntimeAPI(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	cmd := exec.CommandContext(ctx, f.binary)
	cmd.Dir = filepath.Dir(f.binary)
	cmd.Env = f.environ(api.address, tmp)
	cmd.WaitDelay = drain
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}

	e := &environment{
		fn: f, api: api, begun: time.Now(),
		cancel: cancel, doomed: ctx.Done(), exited: make(chan struct{}),
	}
	started := make(chan error)
	f.pending.Go(func() {
		defer cancel()
		defer api.close()
		e.supervise(cmd, started)
	})
	if err := <-started; err != nil {
		return nil, err
	}
	return e, nil
}

// supervise runs the process from start to end.
func (e *environment) supervise(cmd *exec.Cmd, started chan<- error) {
	// The parent whose death kills the process is the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	log := &lineWriter{sink: e.fn.log}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	e.process = cmd.Process
	group, err := limitMemory(e.fn.opts.MemoryCgroup, e.process.Pid, e.fn.opts.MemoryMB)
	if err != nil {
		e.cancel()
	}
	started <- err
	_ = cmd.Wait() // the state says it better
	log.flush()
	e.reason = "Runtime exited without providing a reason"
	if state := cmd.ProcessState; !state.Success() {
		e.reason = "Runtime exited with error: " + state.String()
	}
	if group != "" {
		_ = os.Remove(group) // with the process gone, the group is empty
	}
	close(e.exited)
}

// run initialises a new environment and lets it handle payload. It kills an
// environment that cannot continue.
func (e *environment) run(ctx context.Context, payload []byte, res *Result) error {
	if res.Cold {
		err := e.await(ctx, maxInit)
		res.Init = time.Since(e.begun)
		if err != nil {
			return e.end(err, maxInit, e.api.initError(), res)
		}
	}
	begin := time.Now()
	if err := e.signal(syscall.SIGCONT); err != nil {
		return e.end(errExited, 0, nil, res)
	}
	inv := &invocation{
		id:       res.RequestID,
		arn:      e.fn.arn(),
		deadline: begin.Add(e.fn.opts.Timeout),
		payload:  payload,
	}
	e.api.events <- inv
	err := e.await(ctx, time.Until(inv.deadline))
	res.Duration = time.Since(begin)
	res.PeakRSS = peakRSS(e.process.Pid)
	if spent := processorTime(e.process.Pid); spent > 0 {
		res.Processor, e.spent = spent-e.spent, spent
	}
	var answered bool
	res.Payload, res.Error, answered = e.api.answer(inv)
	if err != nil && !(answered && errors.Is(err, errExited)) {
		return e.end(err, e.fn.opts.Timeout, nil, res)
	}
	if err == nil && !e.fn.opts.Unfrozen {
		err = e.signal(syscall.SIGSTOP)
	}
	if err != nil {
		e.kill() // the answer is valid: it came before the end
	}
	res.bill()
	return nil
}

// await waits until the runtime requests an event.
func (e *environment) await(ctx context.Context, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-e.api.ready:
		return nil
	case <-e.api.failed:
		return errExited
	case <-e.exited:
		return errExited
	case <-timer.C:
		return errTimedOut
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end kills the environment and says in the result why: by the function's own
// report if there is one.
func (e *environment) end(err error, limit time.Duration, report *FunctionError, res *Result) error {
	res.PeakRSS = cmp.Or(peakRSS(e.process.Pid), res.PeakRSS)
	e.kill()
	<-e.exited
	res.Payload = nil
	switch {
	case errors.Is(err, errTimedOut):
		res.Error = platformError("Sandbox.Timedout", res.RequestID,
			fmt.Sprintf("Task timed out after %.2f seconds", limit.Seconds()))
	case !errors.Is(err, errExited):
		return err
	case report != nil:
		res.Error = report
	default:
		res.Error = platformError("Runtime.ExitError", res.RequestID, e.reason)
	}
	res.bill()
	return nil
}

// signal stops or continues the process.
func (e *environment) signal(s syscall.Signal) error {
	if err := e.process.Signal(s); err != nil {
		return fmt.Errorf("signal process %d: %w", e.process.Pid, err)
	}
	return nil
}

// kill ends the process, frozen or not, and does not wait for its end.
func (e *environment) kill() { e.cancel() }

// dead reports whether the process has ended or is about to.
func (e *environment) dead() bool {
	select {
	case <-e.doomed:
		return true
	case <-e.exited:
		return true
	default:
		return false
	}
}

// platformError is an error that Lambda reports, not the function.
func platformError(kind, id, message string) *FunctionError {
	return &FunctionError{Type: kind, Message: "RequestId: " + id + " Error: " + message}
}

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interrupts are the signals that ask for an end. That of a terminal which closes is not
// where nohup has it ignored.
func interrupts() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// atOnce is the time within which interrupts by the same signal are one: timeout(1) sends it to
// its command, and then to the group of processes that the command is in.
const atOnce = 100 * time.Millisecond

// received is a signal that counted.
type received struct {
	signal os.Signal
	at     time.Time
}

// repeatedBy reports whether a signal at a time is not another interrupt than the first. SIGHUP
// never is: a shell that ends may send it twice.
func (r received) repeatedBy(sig os.Signal, at time.Time) bool {
	return r.signal != nil && (sig == syscall.SIGHUP || sig == r.signal && at.Sub(r.at) <= atOnce)
}

// OnInterrupt calls first and then second as interrupts come in, until the
// returned function is called. A third one ends the process.
func OnInterrupt(first, second func()) (stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, interrupts()...)
	over := make(chan struct{})
	go func() {
		var last received
		for acts := []func(){first, second}; len(acts) > 0; {
			select {
			case sig := <-signals:
				if now := time.Now(); !last.repeatedBy(sig, now) {
					acts[0]()
					acts, last = acts[1:], received{sig, now}
				}
			case <-over:
				return
			}
		}
		signal.Ignore(syscall.SIGHUP)
		signal.Stop(signals)
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// UntilInterrupt returns a context that ends with the first interrupt; a second
// one ends the process, unless it is SIGHUP.
func UntilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, interrupts()...)
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP)
		time.Sleep(atOnce) // the second signal of timeout(1) ends nothing
		stop()
	})
	return ctx, stop
}

// BrokenOff is the error of work that continues when it is called again.
func BrokenOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return Stopped("stopped early; continue with the same command")
	}
	return err
}

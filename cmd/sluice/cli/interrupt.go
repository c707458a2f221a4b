package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
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

// OnInterrupt calls first and then second as interrupts come in, until the
// returned function is called. A third one ends the process.
func OnInterrupt(first, second func()) (stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, interrupts()...)
	over := make(chan struct{})
	go func() {
		for _, act := range []func(){first, second} {
			select {
			case <-signals:
				act()
			case <-over:
				return
			}
		}
		signal.Stop(signals)
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// UntilInterrupt returns a context that ends with the first interrupt; a second
// one ends the process.
func UntilInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, interrupts()...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// BrokenOff is the error of work that continues when it is called again.
func BrokenOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return Stopped("stopped early; continue with the same command")
	}
	return err
}

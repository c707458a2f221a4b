// Command actor is a function that follows the instructions in its event.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do string `json:"do"`
	N  int    `json:"n"`
}

type answer struct {
	PID      int       `json:"pid"`
	Env      []string  `json:"env,omitempty"`
	ID       string    `json:"id,omitempty"`
	ARN      string    `json:"arn,omitempty"`
	Deadline time.Time `json:"deadline,omitzero"`
	Text     string    `json:"text,omitempty"`
}

func main() { lambda.Start(act) }

func act(ctx context.Context, e event) (answer, error) {
	a := answer{PID: os.Getpid()}
	switch e.Do {
	case "":
	case "fail":
		return a, errors.New("as told")
	case "panic":
		panic("as told")
	case "exit":
		os.Exit(e.N)
	case "sleep":
		time.Sleep(time.Duration(e.N) * time.Millisecond)
	case "say":
		a.Text = strings.Repeat("a", e.N)
	case "use":
		memory := slices.Repeat([]byte("page"), e.N/4)
		a.Text = fmt.Sprint(len(memory))
	case "work":
		var u syscall.Rusage
		for u.Utime.Nano() < int64(e.N)*1e6 {
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
				return a, fmt.Errorf("read the processor's time: %w", err)
			}
		}
	case "print":
		fmt.Fprintln(os.Stderr, "to stderr")
		fmt.Print("to stdout")
	case "tell":
		lc, ok := lambdacontext.FromContext(ctx)
		if !ok {
			return a, errors.New("no Lambda context")
		}
		a.Env, a.ID, a.ARN = os.Environ(), lc.AwsRequestID, lc.InvokedFunctionArn
		a.Deadline, _ = ctx.Deadline()
	default:
		return a, fmt.Errorf("cannot %s", e.Do)
	}
	return a, nil
}

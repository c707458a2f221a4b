package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"sluice/shared/aws/operator"
	"sluice/shared/aws/stack"
	"sluice/shared/dataset/export"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/structure/site"
	"sluice/shared/topic"
)

// Exit codes. They are part of the command's contract.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitStopped = 3 // stopped early, state kept
)

// ErrStopped says that a crawl was interrupted and can be resumed.
var ErrStopped = errors.New("stopped early; continue with --resume")

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage makes an error a mistake on the command line.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// ExitCode maps errors to the codes above. Wrong usage is a mistake that the
// caller can correct.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrStopped):
		return ExitStopped
	case IsUsage(err):
		return ExitUsage
	}
	if _, ok := errors.AsType[topic.Problems](err); ok {
		return ExitUsage
	}
	if _, ok := errors.AsType[*site.InvalidError](err); ok {
		return ExitUsage
	}
	for _, mistake := range []error{
		local.ErrNoContact, local.ErrExists, local.ErrNoCrawl, local.ErrOther, local.ErrForeign, local.ErrBrowser, local.ErrSeeds, local.ErrBadURL, local.ErrAuth, local.ErrProxy,
		operator.ErrRequest, operator.ErrBadURL, stack.ErrNoStack, job.ErrUnknown, job.ErrBadMessage,
		export.ErrOther, export.ErrForeign, export.ErrInput, export.ErrNoExport,
	} {
		if errors.Is(err, mistake) {
			return ExitUsage
		}
	}
	return ExitFailed
}

// IsUsage reports whether an error is a mistake on the command line.
func IsUsage(err error) bool {
	_, ok := errors.AsType[usageError](err)
	return ok
}

// Report prints an error for people, each of its lines as the program's own.
// A mistake on the command line gets a hint at the command's help.
func Report(w io.Writer, command string, err error) {
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintln(w, "sluice:", Clean(line))
		}
	}
	if IsUsage(err) {
		fmt.Fprintf(w, "sluice: see %s --help\n", command)
	}
}

// Stopped is an ErrStopped that says in its own words how to continue.
type Stopped string

func (e Stopped) Error() string { return string(e) }

// Is makes it an ErrStopped.
func (e Stopped) Is(target error) bool { return target == ErrStopped }

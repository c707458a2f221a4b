package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"sluice/shared/aws/operator"
	"sluice/shared/aws/stack"
	"sluice/shared/dataset/export"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// Exit codes. They are part of the command's contract.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitStopped = 3 // stopped early, state kept
)

// errStopped says that a crawl was interrupted and can be resumed.
var errStopped = errors.New("stopped early; --resume goes on")

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage makes an error a mistake on the command line.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// exitCode maps errors to the codes above. Wrong usage is whatever the caller
// can mend by calling again with something else.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errStopped):
		return exitStopped
	case isUsage(err):
		return exitUsage
	}
	if _, ok := errors.AsType[topic.Problems](err); ok {
		return exitUsage
	}
	for _, mistake := range []error{
		local.ErrNoContact, local.ErrExists, local.ErrNoCrawl, local.ErrOther, local.ErrForeign, local.ErrSeeds, local.ErrBadURL,
		operator.ErrRequest, operator.ErrBadURL, stack.ErrNoStack, job.ErrUnknown, job.ErrBadMessage,
		export.ErrOther, export.ErrForeign, export.ErrInput, export.ErrNoExport,
	} {
		if errors.Is(err, mistake) {
			return exitUsage
		}
	}
	return exitFailed
}

func isUsage(err error) bool {
	_, ok := errors.AsType[usageError](err)
	return ok
}

// report prints an error for people, each of its lines as the program's own.
// A mistake on the command line gets a hint at the command's help.
func report(w io.Writer, command string, err error) {
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintln(w, "sluice:", clean(line))
		}
	}
	if isUsage(err) {
		fmt.Fprintf(w, "sluice: see %s --help\n", command)
	}
}

// checkFolder refuses as DIR what exists and is no folder. What does not exist
// is for others to judge.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return usage(fmt.Errorf("%s is not a folder", dir))
	}
	return nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"sluice/shared/local"
)

// version goes into the User-Agent.
const version = "0.1"

// Exit codes. They are part of the command's contract.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitStopped = 3 // stopped early, state kept
)

// streams are the program's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// errStopped says that a crawl was interrupted and can be resumed.
var errStopped = errors.New("stopped early; --resume goes on")

// usageError is a mistake of the caller.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage makes an error a usage error.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// run is the program without its exit.
func run(args []string, s streams, getenv func(string) string) int {
	root := newRoot(s, getenv)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	code := exitCode(err)
	if err != nil {
		fmt.Fprintln(s.err, "sluice:", err)
		if code == exitUsage {
			fmt.Fprintln(s.err, "sluice: see sluice --help")
		}
	}
	return code
}

// exitCode maps errors to the codes above.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errStopped):
		return exitStopped
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	for _, e := range []error{local.ErrNoContact, local.ErrExists, local.ErrNoCrawl, local.ErrOther, local.ErrSeeds, local.ErrBadURL} {
		if errors.Is(err, e) {
			return exitUsage
		}
	}
	return exitFailed
}

// newRoot builds the command tree.
func newRoot(s streams, getenv func(string) string) *cobra.Command {
	root := &cobra.Command{
		Use:           "sluice",
		Short:         "Pan a domain corpus out of the web",
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	root.AddCommand(
		newCrawl(s, getenv), newStatus(s), newExplain(s), newEval(s), newDemo(s, getenv),
	)
	return root
}

// usageArgs makes the errors of an argument check usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error { return usage(check(cmd, args)) }
}

// printJSON prints one document.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// newLog writes warnings and errors for people to stderr.
func newLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

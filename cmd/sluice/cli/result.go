package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// WithResult completes a command that works something out and prints it, as JSON or
// as a page for people: it adds the flag for that behind the command's own, and
// without Args takes no arguments. What run returns with a method Failure is
// printed, and the command fails with the error of Failure.
func WithResult[R any](s Streams, cmd *cobra.Command, run func(ctx context.Context, args []string) (*R, error), page func(w *bytes.Buffer, r *R)) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = WantArgs()
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	var asJSON bool
	fl.BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result, err := run(cmd.Context(), args)
		if err != nil {
			return err
		}
		if file := fl.Lookup(jsonFile); file != nil && file.Value.String() != "" {
			if err := writeJSON(file.Value.String(), result); err != nil {
				return err
			}
		}
		err = PrintResult(s, asJSON, result, page)
		if f, ok := any(result).(interface{ Failure() error }); ok {
			err = errors.Join(err, f.Failure())
		}
		return err
	}
	return cmd
}

const jsonFile = "json-file"

// WithFile gives a command that has a result a flag that writes it to a file, too.
func WithFile(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().String(jsonFile, "", "also write the result as JSON to `FILE`")
	return cmd
}

func writeJSON(path string, result any) error {
	var document bytes.Buffer
	if err := printJSON(&document, result); err != nil {
		return err
	}
	if err := os.WriteFile(path, document.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

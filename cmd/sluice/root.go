package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sluice/shared/crawl/plan"
)

// version goes into the User-Agent.
const version = plan.Version

// streams are the program's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program without its exit.
func run(args []string, s streams, getenv func(string) string) int {
	root := newRoot(s, getenv)
	root.SetArgs(args)
	begun := false
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	cmd, err := root.ExecuteContextC(context.Background())
	if err != nil && !begun {
		err = usage(err) // a flag, an argument or a command that is none
	}
	report(s.err, cmd.CommandPath(), err)
	return exitCode(err)
}

const about = `Sluice pans a domain corpus out of the web: it crawls where the topic is, and
leaves clean text with its provenance in a folder.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped early with the state kept.`

// newRoot builds the command tree.
func newRoot(s streams, getenv func(string) string) *cobra.Command {
	root := &cobra.Command{
		Use:           "sluice",
		Short:         "Pan a domain corpus out of the web",
		Long:          about,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetUsageTemplate(usageTemplate)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		newCrawl(s, getenv), newStatus(s), newExplain(s), newTopic(s, getenv), newEval(s, getenv), newDemo(s, getenv), newSift(s),
		newSeed(s, getenv), newPause(s), newResume(s), newStop(s), newRedrive(s), newExport(s), newForget(s), newCost(s),
	)
	return root
}

// usageTemplate is cobra's without what no command here has.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
`

// wantArgs takes exactly the arguments of these names.
func wantArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf("unexpected argument %q", args[len(names)])
		}
		return nil
	}
}

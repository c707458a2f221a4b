package main

import (
	"context"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/cmd/sluice/crawlcmd"
	"sluice/cmd/sluice/evalcmd"
	"sluice/cmd/sluice/opscmd"
	"sluice/cmd/sluice/sitecmd"
	"sluice/cmd/sluice/topiccmd"
)

// run is the program without its exit.
func run(args []string, s cli.Streams, getenv func(string) string) int {
	root := newRoot(s, getenv)
	root.SetArgs(args)
	begun := false
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	cmd, err := root.ExecuteContextC(context.Background())
	if err != nil && !begun {
		err = cli.Usage(err) // an unknown flag, argument or command
	}
	cli.Report(s.Err, cmd.CommandPath(), err)
	return cli.ExitCode(err)
}

const about = `Sluice builds a text corpus for one topic: it crawls only where the topic is, and
keeps clean text with its provenance.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped early with the state kept.`

// newRoot builds the command tree.
func newRoot(s cli.Streams, getenv func(string) string) *cobra.Command {
	root := &cobra.Command{
		Use:           "sluice",
		Short:         "Build a text corpus for one topic from the web",
		Long:          about,
		Version:       cli.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetUsageTemplate(usageTemplate)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		crawlcmd.NewCrawl(s, getenv), opscmd.NewStatus(s), opscmd.NewExplain(s), topiccmd.New(s, getenv), sitecmd.New(s, getenv), evalcmd.New(s, getenv), crawlcmd.NewDemo(s, getenv), crawlcmd.NewSift(s),
		opscmd.NewSeed(s, getenv), opscmd.NewPause(s), opscmd.NewResume(s), opscmd.NewStop(s), opscmd.NewRedrive(s), opscmd.NewExport(s), opscmd.NewForget(s), opscmd.NewCost(s),
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

// Package sitecmd has the commands for the structure of sites.
package sitecmd

import (
	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
)

// New makes the command site.
func New(s cli.Streams, getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site COMMAND",
		Short: "Find the structure of pages: layers, lists, records and fields",
		Args:  cobra.ArbitraryArgs,
		RunE:  cli.NameOne("COMMAND", "command", " of site"),
	}
	cmd.AddCommand(newAnalyze(s, getenv), newShow(s), newExtract(s))
	return cmd
}

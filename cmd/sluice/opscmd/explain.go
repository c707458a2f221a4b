package opscmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
)

// unseen is the fate of a URL that no crawl has met.
const unseen = "unknown"

// NewExplain makes the command explain.
func NewExplain(s cli.Streams) *cobra.Command {
	var f stackFlags
	cmd := &cobra.Command{
		Use:   "explain DIR URL | --stack NAME CRAWL URL",
		Short: "Show what happened to a URL, and why",
		Long: `Show what happened to a URL, and why: in a crawl of this machine by
its folder, in one of a stack on AWS by its id. There it takes a while to find a
link that waits or was skipped. A URL that was never seen is a failure.`,
		Example: `  sluice explain out/finance https://example.com/a.html
  sluice explain --stack sluice finance https://example.com/a.html`,
		Args: f.onStackOr(cli.WantArgs("DIR", "URL"), cli.WantArgs("CRAWL", "URL")),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), args[0], "ask again", func(ctx context.Context, c crawl) error {
				x, err := c.Explain(ctx, args[1])
				if err != nil {
					return err
				}
				err = cli.PrintResult(s, f.json, x, explanationPage)
				if x.Fate == unseen {
					err = errors.Join(err, fmt.Errorf("the crawl has never seen %s", x.URL))
				}
				return err
			})
		},
	}
	f.register(cmd.Flags())
	return cmd
}

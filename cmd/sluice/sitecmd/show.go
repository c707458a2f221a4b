package sitecmd

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure/site"
)

func newShow(s cli.Streams) *cobra.Command {
	var f storeFlags
	cmd := &cobra.Command{
		Use:   "show HOST",
		Short: "Show what is known of a site",
		Long: `Show what site analyze has found on the pages of a host: the layers, the paths of
lists, records and fields. The file that it is kept in may be corrected.`,
		Example: `  sluice site show www.example.com`,
		Args:    cli.WantArgs("HOST"),
	}
	f.register(cmd.Flags())
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*site.Site, error) {
		store, _, err := f.open(ctx, cmd.Flags())
		if err != nil {
			return nil, err
		}
		return store.Site(ctx, args[0])
	}, func(w *bytes.Buffer, known *site.Site) {
		if data, err := known.Marshal(); err == nil {
			w.Write(data)
		}
	})
}

package sitecmd

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator"
	"sluice/shared/aws/s3sites"
	"sluice/shared/local/sitefolder"
	"sluice/shared/structure/site"
)

// storeFlags say where what is known of sites is kept.
type storeFlags struct{ sites, stack string }

func (f *storeFlags) register(fl *pflag.FlagSet) {
	cli.RegisterSites(fl, &f.sites)
	fl.StringVar(&f.stack, "stack", "", "in place of --sites: what the stack `NAME` knows of sites")
}

// open opens the store. name tells people where it keeps a host.
func (f *storeFlags) open(ctx context.Context, fl *pflag.FlagSet) (store site.Store, name func(host string) string, err error) {
	if f.stack == "" {
		folder := sitefolder.Folder(f.sites)
		return folder, func(host string) string { path, _ := folder.Path(host); return path }, nil
	}
	if fl.Changed("sites") {
		return nil, nil, cli.Usage(errors.New("--sites and --stack exclude each other"))
	}
	o, err := operator.Open(ctx, f.stack)
	if err != nil {
		return nil, nil, err
	}
	return o.Sites(), func(host string) string {
		file, _ := site.FileName(host)
		return s3sites.Folder + file + " of stack " + f.stack
	}, nil
}

package cli

import (
	"github.com/spf13/pflag"

	"sluice/shared/local/sitefolder"
)

// RegisterSites adds the flag --sites.
func RegisterSites(fl *pflag.FlagSet, sites *string) {
	fl.StringVar(sites, "sites", sitefolder.Default, "`FOLDER` with a file for each host: what was learned of its pages")
}

package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"sluice/shared/state/corpus"
)

// RegisterArchive adds the flag --archive.
func RegisterArchive(fl *pflag.FlagSet, archive *string, preset string) {
	fl.StringVar(archive, "archive", "", "which pages have their responses in the archive: `WHICH` is kept, relevant or all that were judged (default "+preset+")")
}

// CheckArchive refuses what is no value of --archive, if it is given.
func CheckArchive(archive string) error {
	if archive == "" {
		return nil
	}
	if err := corpus.CheckArchive(archive); err != nil {
		return Usage(fmt.Errorf("--archive is %q: %w", archive, err))
	}
	return nil
}

package corpus

import (
	"errors"
	"slices"
)

// What the archive of a crawl holds besides the exchanges of its documents and of
// the pages that its end judges again. Pages that opt out are never among it.
const (
	ArchiveKept     = "kept"     // no others
	ArchiveRelevant = "relevant" // relevant pages that were rejected, too
	ArchiveAll      = "all"      // every page that was read and judged
)

// Archives are these values.
var Archives = []string{ArchiveKept, ArchiveRelevant, ArchiveAll}

// CheckArchive refuses other values.
func CheckArchive(archive string) error {
	if !slices.Contains(Archives, archive) {
		return errors.New("use kept, relevant or all")
	}
	return nil
}

package export

import (
	"context"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// unpack reads the archives of a folder through: also what no document names is
// to be read one day.
func (k *folderChecker) unpack(ctx context.Context) {
	for _, in := range k.archives {
		k.progress("check "+in.Name, 0, in.Bytes)
		if err := k.unpackArchive(ctx, in); err != nil {
			k.res.wrong("%s: %v", in.Name, err)
		}
	}
}

// unpackArchive reads an archive up to its length when the check began. Its
// last record may be incomplete while a crawl is running.
func (k *folderChecker) unpackArchive(ctx context.Context, in Input) error {
	torn, err := eachRecord(ctx, filepath.Join(k.f.Dir, filepath.FromSlash(in.Name)), in.Bytes, func(rec *corpus.Record) error {
		k.progress("check "+in.Name, rec.Offset, in.Bytes)
		return nil
	})
	if err == nil && !k.f.Open {
		return torn
	}
	return err
}

package export

import (
	"context"
	"fmt"
	"io"
	"os"
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
	f, err := os.Open(filepath.Join(k.f.Dir, filepath.FromSlash(in.Name)))
	if err != nil {
		return fmt.Errorf("read archive: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	var damage error
	for rec, err := range corpus.ReadWARC(io.LimitReader(f, in.Bytes)) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case damage != nil: // it was not the end
			return damage
		case err != nil:
			damage = err
		default:
			k.progress("check "+in.Name, rec.Offset, in.Bytes)
		}
	}
	if k.f.Open {
		return nil
	}
	return damage
}

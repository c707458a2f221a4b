package export

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// ErrNoExport says that there is nothing to check.
var ErrNoExport = errors.New("no export is there")

// Checked is what Check found; the keys are stable.
type Checked struct {
	Out      string `json:"out"`
	Format   Format `json:"format"`
	Records  int64  `json:"records"`  // counted
	Located  int64  `json:"located"`  // records whose response was found in the archives
	Captures int64  `json:"captures"` // responses in the index of the archives
	Findings
}

// Check compares an export with its manifest: every file with its digest, the
// records with the counts, and the place that each names in the archives with
// the response there; the index with the archives. dir is an export's folder or
// a crawl's with exports in it; where there is neither the error wraps
// ErrNoExport. It changes nothing.
func Check(ctx context.Context, dir string, progress func(step string, done, all int64)) ([]*Checked, error) {
	exports, err := find(dir)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	list := []*Checked{}
	for _, out := range exports {
		k := &checker{out: out, progress: progress, res: &Checked{Out: out, Findings: noFindings()}}
		if err := k.run(ctx); err != nil {
			return nil, fmt.Errorf("check %s: %w", out, err)
		}
		k.res.end()
		list = append(list, k.res)
	}
	return list, nil
}

// FolderName is that of the folder, in a crawl's, where its exports lie by their
// formats.
const FolderName = "export"

// find returns the exports at a place.
func find(dir string) ([]string, error) {
	if isExport(dir) {
		return []string{dir}, nil
	}
	list, err := In(dir)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %s has no %s, nor has a folder in %s", ErrNoExport, dir, ManifestFile, filepath.Join(dir, FolderName))
	}
	return list, nil
}

// isExport reports whether a folder is an export's, complete or not.
func isExport(dir string) bool {
	for _, name := range []string{ManifestFile, planFile, dataFolder} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			return true
		}
	}
	return false
}

// checker checks one export.
type checker struct {
	out      string
	progress func(step string, done, all int64)
	m        *Manifest
	archives []*archive // by folder of the manifest; nil if there is none to look into
	res      *Checked
}

func (k *checker) run(ctx context.Context) error {
	var err error
	k.m, err = readManifest(k.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.res.wrong("%s is missing: the export is not complete; continue with the command that began it", ManifestFile)
		return nil
	case err != nil:
		k.res.wrong("%v", err)
		return nil
	}
	k.res.Format = k.m.Options.Format
	k.strangers()
	k.findArchives()
	defer k.closeArchives()
	whole := map[string]bool{}
	for _, f := range k.m.files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		k.progress("check "+f.Name, 0, f.Bytes)
		whole[f.Name] = k.digest(&f)
	}
	for i := range k.m.Shards {
		if whole[k.m.Shards[i].Name] {
			if err := k.shard(ctx, &k.m.Shards[i]); err != nil {
				return err
			}
		}
	}
	k.sums()
	if k.m.Index != nil && whole[IndexFile] {
		return k.index(ctx)
	}
	return nil
}

// strangers looks for shards that the manifest does not know.
func (k *checker) strangers() {
	known := map[string]bool{}
	for _, f := range k.m.files() {
		known[f.Name] = true
	}
	entries, err := os.ReadDir(filepath.Join(k.out, dataFolder))
	if err != nil {
		k.res.wrong("%s: %v", dataFolder, err)
	}
	for _, entry := range entries {
		if name := path.Join(dataFolder, entry.Name()); !known[name] {
			k.res.wrong("%s is not in %s", name, ManifestFile)
		}
	}
}

// digest compares a file with its size and digest.
func (k *checker) digest(want *File) bool {
	if !filepath.IsLocal(filepath.FromSlash(want.Name)) {
		k.res.wrong("%q is not the name of a file in the export", want.Name)
		return false
	}
	f, err := os.Open(filepath.Join(k.out, filepath.FromSlash(want.Name)))
	if errors.Is(err, fs.ErrNotExist) {
		k.res.wrong("%s is missing", want.Name)
		return false
	}
	if err != nil {
		k.res.wrong("%s: %v", want.Name, err)
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha256.New()
	n, err := io.Copy(h, f)
	switch sum := hexSum(h); {
	case err != nil:
		k.res.wrong("%s: %v", want.Name, err)
	case n != want.Bytes:
		k.res.wrong("%s has %d bytes, not %d", want.Name, n, want.Bytes)
	case sum != want.SHA256:
		k.res.wrong("%s has the digest %.12s…, not %.12s…", want.Name, sum, want.SHA256)
	default:
		return true
	}
	return false
}

// sums compares the manifest with itself.
func (k *checker) sums() {
	var t Totals
	for _, s := range k.m.Shards {
		t.Records += s.Records
		t.Characters += s.Characters
		t.Bytes += s.Bytes
	}
	t.Repeats = k.m.Totals.Repeats
	if t != k.m.Totals {
		k.res.wrong("%s: the shards come to %d records, %d characters, %d bytes, the totals say %d, %d, %d", ManifestFile,
			t.Records, t.Characters, t.Bytes, k.m.Totals.Records, k.m.Totals.Characters, k.m.Totals.Bytes)
	}
}

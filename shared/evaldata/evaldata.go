// Package evaldata finds, for tests, the evaluation data that is not part of
// the project.
package evaldata

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Path returns the path of a file or folder in the folder SLUICE_SHARED, or
// "shared" beside the repository. Without that folder it skips the test; CI
// must have it.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	path := filepath.Join(folder(tb), filepath.FromSlash(name))
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") != "true" {
		tb.Skipf("evaluation data is not here (set SLUICE_SHARED): %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// Open opens a file that zstd compressed, until the test ends.
func Open(tb testing.TB, name string) io.Reader {
	tb.Helper()
	f, err := os.Open(Path(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.Close() }) // it was only read
	z, err := zstd.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(z.Close)
	return z
}

func folder(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("SLUICE_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, "..", "shared")
}

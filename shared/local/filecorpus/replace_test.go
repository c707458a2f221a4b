package filecorpus_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sluice/shared/local/filecorpus"
)

// A file is written anew as a whole, in the place of one or not, or stays as it
// was.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	check := func(want string) {
		t.Helper()
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("the file holds %q, error %v; want %q", data, err, want)
		}
	}
	if err := filecorpus.Replace(path, func(io.Writer) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in the place of no file: %v", err)
	}
	for _, text := range []string{"one", "another", ""} {
		if err := filecorpus.Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		check(text)
	}
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	err := filecorpus.Replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "third")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	check("third")
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(then) {
		t.Errorf("it was changed at %v, error %v; want %v", info.ModTime(), err, then)
	}
	broken := errors.New("disk is full")
	if err := filecorpus.Replace(path, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	check("third")
}

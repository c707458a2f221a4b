package sqlitestore

import (
	"os"
	"path/filepath"
	"testing"
)

// A copy of a store is read without write access, beside a log or without one,
// and nothing is written.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetMeta(t.Context(), "key", "value"); err != nil {
		t.Fatal(err)
	}
	check := func(mode string) {
		t.Helper()
		r, err := openReader(path, mode)
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if v, ok, err := r.Meta(t.Context(), "key"); v != "value" || !ok || err != nil {
			t.Errorf("%s: %q, %v, %v", mode, v, ok, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	check(readOnly)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check(unchanging)
	if files, err := os.ReadDir(filepath.Dir(path)); len(files) != 1 || err != nil {
		t.Errorf("files %v, %v", files, err)
	}
}

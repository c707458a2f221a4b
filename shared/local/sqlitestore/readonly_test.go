package sqlitestore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sluice/shared/local/filecorpus"
)

// An error says why a store cannot be opened.
func TestOpenSaysWhy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	if err := os.Symlink(path, path); err != nil {
		t.Skip(err)
	}
	_, why := os.Open(path)
	_, err := Open(path, Options{})
	if !errors.Is(err, errors.Unwrap(why)) {
		t.Errorf("error %v, want %v", err, why)
	}
	if _, err := openReader(path, readOnly); !errors.Is(err, errors.Unwrap(why)) {
		t.Errorf("to read: error %v, want %v", err, why)
	}
}

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

// A store counts as unchanging only if write access is what is missing,
// and no process has the folder.
func TestModeWithoutAccess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "state.db")
	check := func(when, want string) {
		t.Helper()
		if mode, err := modeWithoutAccess(path); mode != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", when, mode, err, want)
		}
	}
	check("no other process has the folder", unchanging)
	lock, err := filecorpus.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	check("a process has it", readOnly)
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-wal", []byte("log"), 0o644); err != nil {
		t.Fatal(err)
	}
	check("there is a log", readOnly)

	if _, err := openReader(path, mustExist); !lacksAccess(err) {
		t.Errorf("SQLite cannot open a file: %v", err)
	}
	if err := os.WriteFile(path, make([]byte, 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openReader(path, mustExist); err == nil || lacksAccess(err) {
		t.Errorf("the file is no store: %v", err)
	}
}

package filecorpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

func writeFolder(t *testing.T, dir string, files int, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReplaceFolder(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(dir string) error{
		"at once": ReplaceFolder, "in two steps": func(dir string) error { return move(dir+PartSuffix, dir) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, "records")
			for _, text := range []string{"first", "second"} {
				writeFolder(t, dir+PartSuffix, 2, text)
				if err := replace(dir); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(dir, "1"))
				if err != nil || string(got) != text {
					t.Errorf("the file has %q, error %v, want %q", got, err, text)
				}
				if left, _ := os.ReadDir(root); len(left) != 1 {
					t.Errorf("left: %v", left)
				}
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "records")
	for range 2 { // nothing takes the place, the second time of nothing
		if err := ReplaceFolder(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the folder is there, error %v", err)
		}
		writeFolder(t, dir, 1, "old")
		if err := ReplaceFolder(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// Readers always find a folder.
func TestReplaceFolderAtOnce(t *testing.T) {
	t.Parallel()
	const files = 50
	dir := filepath.Join(t.TempDir(), "records")
	writeFolder(t, dir, files, "old")
	writeFolder(t, dir+PartSuffix, files, "new")
	if err := exchange(dir, dir+PartSuffix); err != nil {
		t.Skip("the system cannot exchange two names at once: ", err)
	}
	var end atomic.Bool
	missing := make(chan string, 1)
	go func() {
		defer close(missing)
		for !end.Load() {
			if _, err := os.Stat(dir); err != nil {
				missing <- err.Error()
				return
			}
		}
	}()
	for range 20 {
		writeFolder(t, dir+PartSuffix, files, "new")
		if err := ReplaceFolder(dir); err != nil {
			t.Fatal(err)
		}
	}
	end.Store(true)
	if what := <-missing; what != "" {
		t.Error(what)
	}
}

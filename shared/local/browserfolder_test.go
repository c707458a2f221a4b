package local

import (
	"os"
	"path/filepath"
	"testing"

	"sluice/shared/local/filecorpus"
)

// What a killed process has left is removed; what another one uses stays.
func TestBrowserFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	used, usedLock, err := makeBrowserFolder()
	if err != nil {
		t.Fatal(err)
	}
	left, foreign, elsewhere := filepath.Join(temp, browserFolder+"left"), filepath.Join(temp, "other-left"), t.TempDir()
	for _, dir := range []string{left, foreign} {
		if err := os.MkdirAll(filepath.Join(dir, "profile-1", "Default"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if lock, err := filecorpus.Lock(left); err != nil || lock.Close() != nil { // as a kill leaves it
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(temp, browserFolder+"link")); err != nil {
		t.Fatal(err)
	}
	next, nextLock, err := makeBrowserFolder()
	if err != nil {
		t.Fatal(err)
	}
	there := func(dir string) bool { _, err := os.Stat(dir); return err == nil }
	if there(left) || !there(used) || !there(next) || !there(foreign) || !there(elsewhere) {
		t.Errorf("left %t, used %t, next %t, foreign %t, linked %t; want all but the first", there(left), there(used), there(next), there(foreign), there(elsewhere))
	}
	if usedLock.Close() != nil || nextLock.Close() != nil || there(used) || there(next) {
		t.Error("a folder that is closed stays")
	}
}

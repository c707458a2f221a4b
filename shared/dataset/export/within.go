package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Within returns the datasets, complete or not, that are anywhere in a crawl's
// folder and were made from it: those of In, and elsewhere those whose manifest
// or plan names the folder. They are sorted by name. Links are not followed.
func Within(dir string) ([]string, error) {
	list, err := In(dir)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went meanwhile
		case errors.Is(err, fs.ErrPermission) && path != dir:
			return fs.SkipDir // another's, as lost+found
		case err != nil:
			return fmt.Errorf("look for exports: %w", err)
		case !entry.IsDir():
			return nil
		case slices.Contains(list, path):
			return fs.SkipDir
		case madeOf(path, dir):
			list = append(list, path)
		}
		return nil
	})
	slices.Sort(list)
	return list, err
}

// madeOf reports whether a place has a dataset that was made from a folder.
func madeOf(out, dir string) bool {
	folder, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{ManifestFile, planFile} {
		var made struct {
			Folders []Source `json:"folders"`
		}
		data, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		if err != nil || json.Unmarshal(data, &made) != nil {
			continue
		}
		for _, f := range made.Folders {
			if info, err := os.Stat(f.dir(out)); err == nil && os.SameFile(info, folder) {
				return true
			}
		}
	}
	return false
}

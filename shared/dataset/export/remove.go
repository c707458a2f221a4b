package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// In returns the datasets, whole or in work, that lie in a crawl's folder, where
// they go unless another place is named. They are sorted by name.
func In(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, FolderName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for exports: %w", err)
	}
	var list []string
	for _, entry := range entries {
		if out := filepath.Join(dir, FolderName, entry.Name()); isExport(out) {
			list = append(list, out)
		}
	}
	return list, nil
}

// Remove deletes a dataset, complete or not: the files of an export and the
// folders that are empty then. The manifest goes first, so that the rest is
// never mistaken for a dataset; a call may be repeated.
func Remove(dir string) error {
	var errs []error
	for _, name := range []string{ManifestFile, CardFile, IndexFile} {
		for _, file := range []string{name, name + partSuffix} {
			if err := os.Remove(filepath.Join(dir, file)); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	for _, name := range []string{dataFolder, pictureFolder, workFolder} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove export: %w", err)
	}
	if left, err := os.ReadDir(dir); err == nil && len(left) == 0 {
		if err := os.Remove(dir); err != nil {
			return fmt.Errorf("remove export: %w", err)
		}
	}
	return nil
}

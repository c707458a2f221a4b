package filecorpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceFolder puts a folder with the suffix PartSuffix in the place of the one without
// it, or removes that if there is no such folder. Where the system can exchange two names
// at once, readers see the whole old or the whole new folder, also after a kill; elsewhere
// there may be none for a moment. What is left of the old one has the suffix.
func ReplaceFolder(dir string) error {
	part := dir + PartSuffix
	_, err := os.Stat(part)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = os.Rename(dir, part); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	case err == nil:
		if err = exchange(part, dir); err != nil {
			err = move(part, dir)
		}
	}
	if err == nil {
		err = syncFolder(filepath.Dir(dir))
	}
	if err == nil {
		err = os.RemoveAll(part)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", dir, err)
	}
	return nil
}

// move does what exchange does, in two steps: there is nothing to exchange, or the system
// cannot.
func move(part, dir string) error {
	old := part + PartSuffix
	err := os.RemoveAll(old)
	if err == nil {
		err = os.Rename(dir, old)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// DiscardFolder removes what a killed process has left of a folder that takes the place of
// another.
func DiscardFolder(dir string) error {
	part := dir + PartSuffix
	return errors.Join(os.RemoveAll(part), os.RemoveAll(part+PartSuffix))
}

package filecorpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// PartSuffix is that of files that are being written in the place of others.
const PartSuffix = ".part"

// Replace replaces the contents of a file, or changes nothing: readers see the
// old file until the new one is complete and on the disk. The modification time
// is kept, since copies use it to tell whether they are current. The caller has
// the folder's lock.
func Replace(path string, write func(w io.Writer) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("replace file: %w", err)
	}
	return replace(path, info.Mode().Perm(), info.ModTime(), write)
}

// Write writes a file as Replace does, whether there is one or not. The time of
// its last change is now.
func Write(path string, data []byte) error {
	return replace(path, 0o644, time.Time{}, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replace writes a file by way of one that gets its name when it is whole. A
// time that is zero is left alone.
func replace(path string, perm fs.FileMode, at time.Time, write func(w io.Writer) error) error {
	f, err := os.OpenFile(path+PartSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return fmt.Errorf("replace file: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil && !at.IsZero() {
		err = os.Chtimes(path+PartSuffix, time.Time{}, at)
	}
	if err == nil {
		err = os.Rename(path+PartSuffix, path)
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a new name durable, where the system can do that.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	_ = f.Sync() // not every system syncs folders
	return f.Close()
}

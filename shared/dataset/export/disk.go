package export

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// disk opens the files that an export writes. Tests let it fail.
type disk interface {
	open(path string, flag int) (file, error)
}

// file is what an export needs of an *os.File.
type file interface {
	io.Writer
	io.ReaderAt
	io.WriterAt
	Sync() error
	Close() error
}

type osDisk struct{}

func (osDisk) open(path string, flag int) (file, error) { return os.OpenFile(path, flag, 0o644) }

// partSuffix is that of files that are not whole yet.
const partSuffix = ".part"

// makeFile writes a file by way of one that is named when it is whole and on the
// disk. name is below the dataset, with slashes.
func (e *exporter) makeFile(name string, write func(w io.Writer) error) (err error) {
	path := filepath.Join(e.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	f, err := e.disk.open(path+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(path+partSuffix, path); err != nil {
		return fmt.Errorf("name %s: %w", name, err)
	}
	return nil
}

func (e *exporter) writeFile(name string, data []byte) error {
	return e.makeFile(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// makeSummed writes a file as makeFile does, and notes its size and digest.
func (e *exporter) makeSummed(f *File, write func(w *countingWriter) error) error {
	return e.makeFile(f.Name, func(w io.Writer) error {
		buffered, sum := bufio.NewWriterSize(w, 1<<20), sha256.New()
		out := &countingWriter{w: io.MultiWriter(buffered, sum)}
		if err := write(out); err != nil {
			return err
		}
		f.Bytes, f.SHA256 = out.n, hexSum(sum)
		return buffered.Flush()
	})
}

package topiccmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sluice/cmd/sluice/cli"
)

// checkOut refuses, before long work is begun, a file that cannot be written,
// and one that would replace an input. An empty path is accepted.
func checkOut(flag, path string, inputs ...string) error {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return cli.Usage(fmt.Errorf("--%s %s: there is no folder %s: make it first", flag, path, dir))
	}
	out, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cli.Usage(fmt.Errorf("--%s: %w", flag, err))
	case out.IsDir():
		return cli.Usage(fmt.Errorf("--%s %s is a folder: name a file", flag, path))
	}
	for _, input := range inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, out) {
			return cli.Usage(fmt.Errorf("--%s %s is an input as well: name another file", flag, path))
		}
	}
	return nil
}

// checkApart refuses a topic file and weights that would be written to one file.
func checkApart(out, weights string) error {
	if out == "" || weights == "" {
		return nil
	}
	a, err := filepath.Abs(out)
	if err != nil {
		return fmt.Errorf("find --out: %w", err)
	}
	b, err := filepath.Abs(weights)
	if err != nil {
		return fmt.Errorf("find --weights: %w", err)
	}
	if a == b {
		return cli.Usage(errors.New("--out and --weights name the same file"))
	}
	return nil
}

// replaceFile writes a file in one piece: after any failure the path has
// all of it or what was there before. A path that is not a regular file, such as
// /dev/stdout, is written to.
func replaceFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeDevice(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the link stays
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.new")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	buffered := bufio.NewWriterSize(file, 1<<20)
	err = errors.Join(write(buffered), buffered.Flush(), file.Chmod(0o644), file.Sync())
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

func writeDevice(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	buffered := bufio.NewWriter(file)
	if err := errors.Join(write(buffered), buffered.Flush(), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replaceBytes writes a file as replaceFile does.
func replaceBytes(path string, data []byte) error {
	return replaceFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

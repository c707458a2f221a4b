package topiccmd

import (
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

// replaceBytes writes a file as cli.ReplaceFile does.
func replaceBytes(path string, data []byte) error {
	return cli.ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

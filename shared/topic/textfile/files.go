package textfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sluice/shared/state/corpus"
)

// stdin is the path of standard input.
const stdin = "-"

// file is one input.
type file struct {
	path string
	size int64 // bytes; -1 for a stream: standard input, a pipe, a device
	used bool  // a stream that was read
}

func (f *file) stream() bool { return f.size < 0 }

// open opens the file for one pass.
func (f *file) open(in io.Reader) (io.ReadCloser, error) {
	if f.stream() {
		if f.used {
			return nil, fmt.Errorf("read %s: it can be read only once: save it to a file and name that", f.path)
		}
		f.used = true
	}
	if f.path == stdin {
		return io.NopCloser(in), nil
	}
	r, err := os.Open(f.path)
	if err != nil {
		return nil, fmt.Errorf("read text: %w", err)
	}
	return r, nil
}

// list returns the files of a path.
func list(path string) ([]file, error) {
	if path == stdin {
		return []file{{path: stdin, size: -1}}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return listFolder(path)
	case !info.Mode().IsRegular():
		// Opening a pipe to see whether it opens would break it.
		return []file{{path: path, size: -1}}, nil
	}
	f, err := readable(path)
	if err != nil {
		return nil, err
	}
	return []file{f}, nil
}

// readable returns a regular file if it can be opened.
func readable(path string) (file, error) {
	r, err := os.Open(path)
	if err != nil {
		return file{}, err
	}
	defer func() { _ = r.Close() }()
	info, err := r.Stat()
	if err != nil {
		return file{}, err
	}
	return file{path: path, size: info.Size()}, nil
}

// listFolder lists a crawl's documents, else all regular files below dir.
func listFolder(dir string) ([]file, error) {
	documents, err := filepath.Glob(filepath.Join(escapeGlob(dir), corpus.DocumentFolder, "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var files []file
	var problems []error
	add := func(path string) {
		f, err := readable(path)
		if err != nil {
			problems = append(problems, err)
			return
		}
		files = append(files, f)
	}
	for _, path := range documents { // in the order of their names
		add(path)
	}
	if len(documents) == 0 {
		if err := walk(dir, add); err != nil {
			return nil, err
		}
	}
	if len(files)+len(problems) == 0 {
		return nil, fmt.Errorf("%s has no files", dir)
	}
	return files, errors.Join(problems...)
}

// walk calls visit with every regular file below dir, in the order of names.
func walk(dir string, visit func(path string)) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != dir && strings.HasPrefix(d.Name(), ".")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			visit(path)
		}
		return nil
	})
}

// escapeGlob makes a pattern that matches only path.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // patterns know no escape there, and names no * or ?
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// readOnce reports streams that are named twice.
func readOnce(files []file) []error {
	var problems []error
	seen := make(map[string]bool)
	for _, f := range files {
		if f.stream() && seen[f.path] {
			problems = append(problems, fmt.Errorf("%s is named twice and can be read only once", f.path))
		}
		seen[f.path] = true
	}
	return problems
}

package hownet

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// Limits of a file: ten times HowNet, and lines thirty times its longest.
const (
	maxBytes = 32 << 20
	maxLine  = 4 << 10
)

// source is a file of a lexicon.
type source struct {
	name string // name in errors
	data []byte
}

// openOneOf reads the first of the named files that the folder has. Copies of
// HowNet spell the names in upper and lower case.
func openOneOf(dir string, names ...string) (source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return source{}, err
	}
	for _, name := range names {
		for _, entry := range entries {
			if strings.EqualFold(entry.Name(), name) {
				return open(filepath.Join(dir, entry.Name()))
			}
		}
	}
	return source{}, fmt.Errorf("no %s in %s: want a folder with glossary.txt or glossary.dat, and WHOLE.DAT",
		strings.Join(names, " or "), dir)
}

// open reads a regular file: a pipe would be waited for without end.
func open(path string) (source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return source{}, err
	}
	if !info.Mode().IsRegular() {
		return source{}, fmt.Errorf("%s is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return source{}, err
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return source{}, err
	}
	return source{name: path, data: data}, nil
}

// text returns the file as UTF-8. Other files are decoded as GB18030, the
// encoding of the published HowNet, or refused as damaged.
func (s source) text() (string, error) {
	var problems Problems
	data := bytes.TrimPrefix(s.data, []byte("\uFEFF"))
	switch {
	case len(s.data) > maxBytes:
		problems.add(s.name, 0, "larger than %d MiB: this is not a glossary", maxBytes>>20)
	case bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")):
		problems.add(s.name, 0, "is UTF-16: save it as UTF-8")
	case utf8.Valid(data):
		return string(data), nil
	}
	if problems.count() > 0 {
		return "", &problems
	}
	decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(decoded, utf8.RuneError) {
		problems.add(s.name, firstInvalid(data), "neither UTF-8 nor GB18030: the file is damaged, get a fresh copy")
		return "", &problems
	}
	return string(decoded), nil
}

// firstInvalid returns the number of the first line that is not UTF-8.
func firstInvalid(data []byte) int {
	number := 1
	for line := range bytes.Lines(data) {
		if !utf8.Valid(line) {
			break
		}
		number++
	}
	return number
}

// lines yields the lines that are not blank, trimmed, with their numbers. Lines
// beyond the limit are problems instead.
func (s source) lines(text string, problems *Problems) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if len(line) > maxLine {
				problems.add(s.name, number, "a line of %d bytes: want at most %d", len(line), maxLine)
				continue
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

package wordpairs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"sluice/shared/fault"

	"golang.org/x/text/encoding/simplifiedchinese"
)

const (
	maxBytes  = 64 << 20 // of a file, 70 times the thesaurus
	maxErrors = 20       // of a file, reported at once
)

// readText reads a file as UTF-8. Files from the web are in GB18030 as well; a
// file that is neither is damaged.
func readText(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxBytes:
		return "", fmt.Errorf("larger than %d MiB", maxBytes>>20)
	case bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return "", errors.New("is UTF-16: save it as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if utf8.Valid(data) {
		return string(data), nil
	}
	decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(decoded, utf8.RuneError) {
		return "", errors.New("neither UTF-8 nor GB18030: save it as UTF-8")
	}
	return string(decoded), nil
}

// lines yields the lines that are neither blank nor comments, trimmed, with
// their numbers. Lines end with LF or CR LF.
func lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(number, line) {
				return
			}
		}
	}
}

// problems are the errors of a file, line by line.
type problems struct {
	list []error
	more int
}

func (p *problems) add(line int, err error) {
	if len(p.list) == maxErrors {
		p.more++
		return
	}
	p.list = append(p.list, fmt.Errorf("line %d: %w", line, err))
}

// err returns them as one error, nil if there are none.
func (p *problems) err() error {
	if p.more > 0 {
		return errors.Join(append(p.list, fmt.Errorf("%d more lines", p.more))...)
	}
	return errors.Join(p.list...)
}

// clip shortens a quotation.
func clip(text string) string { return fault.Clip(text, 40) }

package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"sluice/shared/state/corpus"
)

// maxLine bounds a record, in bytes: no page that was fetched makes a longer one.
const maxLine = 256 << 20

// line is a line of a file.
type line struct {
	text   []byte // without its end; valid until the next line
	offset int64  // in the file
	number int    // from 1
	torn   bool   // the file ends before the line does
}

// eachLine reads the lines of r that are not empty.
func eachLine(r io.Reader, visit func(l line) error) error {
	br := bufio.NewReaderSize(r, 1<<20)
	var long []byte
	var l line
	for at := int64(0); ; {
		piece, err := br.ReadSlice('\n')
		at += int64(len(piece))
		if errors.Is(err, bufio.ErrBufferFull) || len(long) > 0 {
			if len(long)+len(piece) > maxLine {
				return fmt.Errorf("line %d is longer than %d MiB", l.number+1, maxLine>>20)
			}
			long = append(long, piece...)
			piece = long
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		l.number++
		l.text, l.offset, l.torn = bytes.TrimRight(piece, " \t\r\n"), at-int64(len(piece)), err != nil
		if len(l.text) > 0 {
			if err := visit(l); err != nil {
				return err
			}
		}
		if err != nil {
			return nil //nolint:nilerr // the end of the file
		}
		long = long[:0]
	}
}

// eachLineOf reads the lines of a file, up to the given length.
func eachLineOf(path string, size int64, visit func(l line) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read lines: %w", err)
	}
	err = eachLine(io.LimitReader(f, size), visit)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readDocument reads a record, which must not be of a version to come.
func readDocument(text []byte) (*corpus.Document, error) {
	d := new(corpus.Document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, err
	}
	if d.V > corpus.Version {
		return nil, fmt.Errorf("record of version %d: this sluice knows %d", d.V, corpus.Version)
	}
	return d, nil
}

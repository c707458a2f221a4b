package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds a record, in bytes: no page that was fetched makes a longer one.
const MaxLine = 256 << 20

// Line is a line of a file.
type Line struct {
	Raw    []byte // with its end; valid until the next line
	Offset int64  // in the file
	Number int    // from 1
}

// Text is the line without white space at its end.
func (l *Line) Text() []byte { return bytes.TrimRight(l.Raw, " \t\r\n") }

// Torn reports whether the file ends before the line does.
func (l *Line) Torn() bool { return !bytes.HasSuffix(l.Raw, []byte("\n")) }

// EachLine reads the lines of r that are not blank.
func EachLine(r io.Reader, visit func(l Line) error) error {
	br := bufio.NewReaderSize(r, 1<<20)
	var long []byte
	l := Line{Number: 1}
	for {
		piece, err := br.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || len(long) > 0 {
			if len(long)+len(piece) > MaxLine {
				return fmt.Errorf("line %d is longer than %d MiB", l.Number, MaxLine>>20)
			}
			long = append(long, piece...)
			piece = long
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("read line %d: %w", l.Number, err)
		}
		l.Raw = piece
		if len(l.Text()) > 0 {
			if err := visit(l); err != nil {
				return err
			}
		}
		if err != nil {
			return nil //nolint:nilerr // the end of the file
		}
		l.Number++
		l.Offset += int64(len(piece))
		long = long[:0]
	}
}

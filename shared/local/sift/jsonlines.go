package sift

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"sluice/shared/state/corpus"
)

// maxLine is the size of the largest line that is read, in bytes.
const maxLine = 64 << 20

var errLongLine = errors.New("line is too large")

// lines reads the lines of a file of JSON objects. Empty ones are passed over.
func (src *source) lines(yield func(*task, error) bool) {
	r := bufio.NewReaderSize(src.text, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(r)
		place := fmt.Sprintf("%s#%d", src.name, n)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		line = bytes.TrimSpace(line)
		switch {
		case errors.Is(err, io.EOF):
			if src.seen.Records == 0 {
				yield(nil, unreadable("read %s: it has no lines", src.path))
			}
			return
		case errors.Is(err, errLongLine):
			src.seen.Records++
			if !yield(refused(&corpus.Reject{
				URL: place, Rule: RuleTooLarge, Detail: fmt.Sprintf("line %d has more than %d MB", n, maxLine>>20),
			}), nil) {
				return
			}
			continue
		case err != nil:
			yield(src.broken(place, err))
			return
		case len(line) == 0:
			continue
		}
		src.seen.Records++
		o := &object{place: place, line: line}
		if !yield(&task{weight: 3 * int64(len(line)), once: true, read: o.read}, nil) {
			return
		}
	}
}

// readLine reads a line, which the caller may keep; io.EOF says that there is
// none. One that is too large is skipped.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		long = long || len(line)+len(part) > maxLine
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && !long && len(line) == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errLongLine
		}
		return line, nil
	}
}

package corpus

import (
	"bytes"
	"errors"
	"io"
)

// tape is a buffered reader that knows its offset and can be rewound to a
// recent mark.
type tape struct {
	r      io.Reader
	err    error  // of r
	buf    []byte // bytes of r from offset base
	base   int64
	at     int   // in buf: the next byte
	mark   int   // in buf; -1 if none
	rewond int64 // bytes read again
}

const (
	tapeReads = 64 << 10
	tapeKeeps = 1 << 20 // behind the mark
)

func newTape(r io.Reader) *tape { return &tape{r: r, mark: -1} }

func (t *tape) offset() int64 { return t.base + int64(t.at) }

// failed returns the error of the reader, nil for its regular end.
func (t *tape) failed() error {
	if errors.Is(t.err, io.EOF) {
		return nil
	}
	return t.err
}

func (t *tape) setMark() { t.mark = t.at }

// rewind goes back to the byte after the mark, where another record may begin.
// It does nothing if that byte is gone, or if so much was read twice already
// that a hostile file could keep the reader busy.
func (t *tape) rewind() {
	if t.mark < 0 || t.mark+1 >= t.at || t.rewond > t.base+int64(len(t.buf)) {
		return
	}
	t.rewond += int64(t.at - t.mark)
	t.at = t.mark + 1
}

// fill reads on. Without an error there is at least one byte more.
func (t *tape) fill() error {
	if t.mark >= 0 && t.at-t.mark > tapeKeeps {
		t.mark = -1
	}
	first := t.at
	if t.mark >= 0 {
		first = t.mark
	}
	switch {
	case cap(t.buf)-len(t.buf) >= tapeReads:
	case first >= cap(t.buf)/2 && first > 0:
		t.forget(first)
	default:
		t.buf = append(make([]byte, 0, 2*cap(t.buf)+2*tapeReads), t.buf...)
	}
	for range 100 {
		if t.err != nil {
			return t.err
		}
		var n int
		n, t.err = t.r.Read(t.buf[len(t.buf):min(cap(t.buf), len(t.buf)+tapeReads)])
		t.buf = t.buf[:len(t.buf)+n]
		if n > 0 {
			return nil
		}
	}
	t.err = io.ErrNoProgress
	return t.err
}

// forget discards the first n bytes.
func (t *tape) forget(n int) {
	t.buf = t.buf[:copy(t.buf, t.buf[n:])]
	t.base += int64(n)
	t.at -= n
	if t.mark >= 0 {
		t.mark -= n
	}
}

// Read implements io.Reader.
func (t *tape) Read(p []byte) (int, error) {
	if t.at == len(t.buf) && len(p) > 0 {
		if err := t.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, t.buf[t.at:])
	t.at += n
	return n, nil
}

// ReadByte implements io.ByteReader, so that a decompressor reads no byte too
// many.
func (t *tape) ReadByte() (byte, error) {
	if t.at == len(t.buf) {
		if err := t.fill(); err != nil {
			return 0, err
		}
	}
	t.at++
	return t.buf[t.at-1], nil
}

// Peek returns the next n bytes, or fewer and an error.
func (t *tape) Peek(n int) ([]byte, error) {
	for len(t.buf)-t.at < n {
		if err := t.fill(); err != nil {
			return t.buf[t.at:], err
		}
	}
	return t.buf[t.at : t.at+n], nil
}

// pass skips to the next byte c, or to the end.
func (t *tape) pass(c byte) {
	for {
		if i := bytes.IndexByte(t.buf[t.at:], c); i >= 0 {
			t.at += i
			return
		}
		t.at = len(t.buf)
		if t.fill() != nil {
			return
		}
	}
}

package textfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"sluice/shared/web/page"
)

// lines reads lines of at most MaxDocument bytes, as UTF-8.
//
// The first line that is not valid UTF-8, with the text buffered after it,
// decides the charset of the rest. Every charset in use except UTF-16 writes a
// line feed, and nothing else, as \n.
type lines struct {
	r       *bufio.Reader
	number  int // of the line read last, from 1
	buf     []byte
	decided bool
	legacy  encoding.Encoding // nil is UTF-8
}

// next returns the next line without its end; it is valid until the next call.
// errTooLarge means that it was skipped; any other error is the end.
func (l *lines) next() ([]byte, error) {
	l.number++
	l.buf = l.buf[:0]
	tooLarge := false
	for {
		part, err := l.r.ReadSlice('\n')
		tooLarge = tooLarge || len(l.buf)+len(part) > MaxDocument+len("\n")
		if !tooLarge {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (tooLarge || len(l.buf) > 0), err == nil:
		default:
			return nil, err
		}
		if tooLarge {
			return nil, errTooLarge
		}
		return l.decode(bytes.TrimRight(l.buf, "\r\n")), nil
	}
}

func (l *lines) decode(line []byte) []byte {
	if !l.decided {
		if utf8.Valid(line) {
			return line
		}
		l.legacy = guessCharset(line, l.r)
		l.decided = true
	}
	if l.legacy != nil {
		if text, err := l.legacy.NewDecoder().Bytes(line); err == nil {
			return text
		}
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD"))
}

// guessCharset guesses the charset of a line that is not all UTF-8, and of the
// text after it. Nil means UTF-8 with a few broken bytes.
func guessCharset(line []byte, behind *bufio.Reader) encoding.Encoding {
	sample := bytes.Clone(line[:min(len(line), bufferSize)])
	more, _ := behind.Peek(bufferSize - len(sample)) // as much as is buffered
	sample = append(append(sample, '\n'), more...)
	_, name := page.Decode(sample, "")
	if name == "utf-8" {
		return nil
	}
	enc, _ := charset.Lookup(name)
	return enc
}

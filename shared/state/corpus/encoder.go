package corpus

import (
	"bytes"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// Encoder turns WARC records into gzip members and keeps the buffers that
// needs. The zero value is ready; an Encoder serves one goroutine at a time.
type Encoder struct {
	large *gzip.Writer
	small *gzip.Writer
	out   sink
	head  []byte // of the WARC record; all of a small one
	block []byte // the block that AppendExchange or AppendInfo encodes
}

// smallRecord is the size, in bytes, up to which a record is compressed without the
// tables of a stream: going through these takes longer than the record.
const smallRecord = 4 << 10

// append appends one record, as a gzip member, to dst.
func (e *Encoder) append(dst []byte, h header, block ...[]byte) []byte {
	e.head = append(e.head[:0], "WARC/1.1\r\n"...)
	for _, f := range h {
		if f.Value != "" {
			e.head = f.append(e.head)
		}
	}
	length := lengthOf(block)
	e.head = Field{"Content-Length", strconv.Itoa(length)}.append(e.head)
	e.head = append(e.head, "\r\n"...)

	e.out.b = dst
	if len(e.head)+length > smallRecord {
		e.large = e.begin(e.large, gzip.BestSpeed)
		e.write(e.large, append(append([][]byte{e.head}, block...), recordEnd)...)
	} else {
		for _, b := range block {
			e.head = append(e.head, b...)
		}
		e.head = append(e.head, recordEnd...) // each write of such a writer is compressed by itself
		e.small = e.begin(e.small, gzip.StatelessCompression)
		e.write(e.small, e.head)
	}
	dst, e.out.b = e.out.b, nil
	return dst
}

var recordEnd = []byte("\r\n\r\n")

// begin begins a gzip member, with a writer that is used again once it is made.
func (e *Encoder) begin(z *gzip.Writer, level int) *gzip.Writer {
	if z == nil {
		z, _ = gzip.NewWriterLevel(&e.out, level) // fails for unknown levels only
		return z
	}
	z.Reset(&e.out)
	return z
}

// write writes a gzip member. A sink accepts everything, so no call can fail.
func (e *Encoder) write(z *gzip.Writer, parts ...[]byte) {
	for _, p := range parts {
		_, _ = z.Write(p)
	}
	_ = z.Close()
}

type sink struct{ b []byte }

func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

// Field is a named value of a WARC header or of a warcinfo block. An empty
// value is unknown and leaves the field out of a header.
type Field struct{ Name, Value string }

func (f Field) append(dst []byte) []byte {
	dst = appendOneLine(dst, f.Name)
	dst = append(dst, ": "...)
	dst = appendOneLine(dst, f.Value)
	return append(dst, "\r\n"...)
}

type header []Field

func (h header) get(name string) string {
	for _, f := range h {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// appendHead appends an HTTP head so that it has exactly one empty line, the
// last one. A reader that is laxer about line ends than the server was would
// else find the payload somewhere else and its digest wrong.
func appendHead(dst, head []byte) []byte {
	lines := 0
	for line := range bytes.SplitSeq(head, []byte("\r\n")) {
		blank := len(bytes.TrimSpace(line)) == 0
		if blank || lines > 0 && bytes.IndexByte(line, ':') < 0 {
			continue
		}
		dst = appendOneLine(dst, line)
		dst = append(dst, "\r\n"...)
		lines++
	}
	return append(dst, "\r\n"...)
}

// appendOneLine appends s with a space for each control character that a reader
// could mistake for the end of a line.
func appendOneLine[T string | []byte](dst []byte, s T) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\r' || c == '\n' || c == 0 {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/htmlindex"
)

// maxCodings is how many layers of Content-Encoding are taken off. More than
// one happens by misconfiguration, more than two by malice.
const maxCodings = 2

// maxWindow bounds the memory a zstd frame may ask for (RFC 9659).
const maxWindow = 8 << 20

var (
	errTooLong  = errors.New("decoded body is over the limit")
	errCodings  = errors.New("too many content codings")
	errNoDecode = errors.New("unknown content coding")
)

// contentCodings lists the codings of a body in the order of application. It
// ignores a charset in their place ("Content-Encoding: utf-8"), a common
// mistake.
func contentCodings(h http.Header) []string {
	var codings []string
	for _, value := range h["Content-Encoding"] {
		for c := range strings.SplitSeq(value, ",") {
			switch c = strings.ToLower(strings.TrimSpace(c)); c {
			case "", "identity", "none":
			default:
				if _, err := htmlindex.Get(c); err != nil {
					codings = append(codings, c)
				}
			}
		}
	}
	return codings
}

// Decode undoes the Content-Encoding of a recorded body. A body beyond limit is
// an error.
func Decode(h http.Header, raw []byte, limit int64) ([]byte, error) {
	var c HTTP
	data, more, err := c.decode(contentCodings(h), raw, limit)
	if err == nil && more {
		err = errTooLong
	}
	return data, err
}

// decode undoes the codings, last one first. The limit applies to every layer,
// so that no inner one can grow unnoticed. more says that the result is cut at
// the limit. With an error, data is what was read before it.
func (c *HTTP) decode(codings []string, raw []byte, limit int64) (data []byte, more bool, err error) {
	if len(codings) > maxCodings {
		return nil, false, errCodings
	}
	var r io.Reader = bytes.NewReader(raw)
	for i, coding := range slices.Backward(codings) {
		decoder, release, err := c.decoders.open(coding, r)
		if err != nil {
			return nil, false, fmt.Errorf("decode %s: %w", coding, err)
		}
		defer release()
		r = decoder
		if i > 0 {
			r = &capped{r: r, left: limit}
		}
	}
	data, more, err = c.buffers.read(r, limit)
	if err != nil {
		err = fmt.Errorf("decode %s: %w", strings.Join(codings, ", "), err)
	}
	return data, more || errors.Is(err, errTooLong), err
}

// capped fails, rather than ends, after left bytes.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// decoders keeps the decoders, tens to hundreds of KB of tables each, from one
// body to the next. The zero value is ready.
type decoders struct{ gzip, brotli, zstd sync.Pool }

// open starts decoding src; release gives the decoder back.
func (d *decoders) open(coding string, src io.Reader) (r io.Reader, release func(), err error) {
	switch coding {
	case "gzip", "x-gzip":
		z, ok := d.gzip.Get().(*members)
		if !ok {
			z = &members{src: bufio.NewReader(nil)}
		}
		return z, func() { d.gzip.Put(z) }, z.reset(src)
	case "br":
		z, ok := d.brotli.Get().(*brotli.Reader)
		if !ok {
			z = new(brotli.Reader)
		}
		return z, func() { d.brotli.Put(z) }, z.Reset(src)
	case "zstd":
		z, ok := d.zstd.Get().(*zstd.Decoder)
		if !ok {
			z, err = newZstd()
			if err != nil {
				return nil, nil, err
			}
		}
		return z, func() { d.zstd.Put(z) }, z.Reset(src)
	case "deflate":
		return openDeflate(src)
	}
	return nil, nil, errNoDecode
}

// newZstd returns a decoder that works in the caller's goroutine, so that it
// needs no closing.
func newZstd() (*zstd.Decoder, error) {
	return zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecodeBuffersBelow(0))
}

// openDeflate reads zlib, which the coding means, or bare deflate, which some
// servers send instead.
func openDeflate(src io.Reader) (io.Reader, func(), error) {
	b := bufio.NewReader(src)
	head, _ := b.Peek(2)
	if len(head) == 2 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		z, err := zlib.NewReader(b)
		return z, func() {}, err
	}
	return flate.NewReader(b), func() {}, nil
}

// members reads the members of a gzip body and ignores trailing bytes that are
// not gzip, as browsers do and servers rely on.
type members struct {
	src *bufio.Reader
	z   gzip.Reader
}

func (m *members) reset(src io.Reader) error {
	m.src.Reset(src)
	return m.next()
}

func (m *members) next() error {
	err := m.z.Reset(m.src)
	m.z.Multistream(false)
	return err
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if err != io.EOF { //nolint:errorlint // io.Reader returns it bare
			return n, err
		}
		if n > 0 {
			return n, nil // the next call reports the end again
		}
		if magic, _ := m.src.Peek(3); !bytes.Equal(magic, []byte("\x1f\x8b\x08")) {
			return 0, io.EOF
		}
		_ = m.next() // the next Read returns its error
	}
}

package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"sluice/shared/fault"
)

// receive reads the body into res within the limits. An unclassified error is
// one of the connection.
func (c *HTTP) receive(res *Response, resp *http.Response, r *Request, t *target) error {
	if resp.StatusCode < 200 {
		return nil // 101: what follows is not a body, and no timer would end it
	}
	if resp.StatusCode >= 300 {
		// The status matters; a body that is cut short doesn't change it.
		res.Raw, _, _ = c.buffers.read(resp.Body, maxErrorBody)
		return nil
	}
	path, _, _ := strings.Cut(t.rest, "?")
	kind := resp.Header.Get("Content-Type")
	if !r.AnyType && !acceptable(kind, path) {
		return refuse(r, "content_type", fmt.Errorf("type %q isn't read", kind))
	}
	codings := contentCodings(resp.Header)
	l := c.limits(r, len(codings) > 0, gzipFile(kind, path))
	if resp.ContentLength > l.raw && !l.cut {
		return refuse(r, "too_large", fmt.Errorf("%d bytes announced, at most %d read", resp.ContentLength, l.raw))
	}
	raw, more, err := c.buffers.read(resp.Body, l.raw)
	switch {
	case err != nil:
		return err
	case more && !l.cut:
		return refuse(r, "too_large", fmt.Errorf("more than %d bytes", l.raw))
	}
	res.Raw = raw
	if len(codings) == 0 || len(raw) == 0 {
		res.Body = raw
		return nil
	}
	body, tooLong, err := c.decode(codings, raw, l.decoded)
	switch {
	case tooLong && !l.cut:
		return refuse(r, "too_large", fmt.Errorf("more than %d bytes decoded", l.decoded))
	case err != nil && !tooLong && (!more || !errors.Is(err, io.ErrUnexpectedEOF)):
		return refuse(r, RuleBadEncoding, err)
	}
	res.Body = body
	return nil
}

func refuse(r *Request, rule string, err error) error {
	return fault.New(fault.Permanent, rule, fmt.Errorf("fetch %s: %w", r.URL, err))
}

// limits are the size limits of one answer; cut says to truncate a longer one
// rather than refuse it.
type limits struct {
	raw, decoded int64
	cut          bool
}

func (c *HTTP) limits(r *Request, encoded, gzipFile bool) limits {
	l := limits{raw: c.options.MaxRaw, decoded: c.options.MaxDecoded}
	if gzipFile {
		l.raw = c.options.MaxSitemap
	}
	if r.MaxBody > 0 {
		l.decoded, l.cut = r.MaxBody, true
		if !encoded {
			l.raw = r.MaxBody
		}
	}
	return l
}

// buffers are scratch space for bodies, whose length is not known in advance.
type buffers struct{ pool sync.Pool }

const (
	firstBuffer = 64 << 10
	keepBuffer  = 1 << 20 // larger ones aren't kept for the next body
)

// read returns at most limit bytes of r, and whether there are more. It
// allocates up to twice the bytes read and never more than 1.5 limits.
func (b *buffers) read(r io.Reader, limit int64) (data []byte, more bool, err error) {
	scratch, ok := b.pool.Get().(*[]byte)
	if !ok {
		scratch = new(make([]byte, 0, firstBuffer))
	}
	buf := (*scratch)[:0]
	for err == nil && int64(len(buf)) <= limit {
		if len(buf) == cap(buf) {
			buf = grow(buf, limit)
		}
		room := min(int64(cap(buf)), limit+1)
		var n int
		n, err = r.Read(buf[len(buf):room])
		buf = buf[:len(buf)+n]
	}
	if err == io.EOF {
		err = nil
	}
	more = int64(len(buf)) > limit
	buf = buf[:min(int64(len(buf)), limit)]
	if cap(buf) > keepBuffer {
		return buf, more, err
	}
	data = slices.Clone(buf)
	*scratch = buf
	b.pool.Put(scratch)
	return data, more, err
}

// grow doubles the buffer, up to one byte more than limit: reading that byte
// shows that the limit was exceeded.
func grow(buf []byte, limit int64) []byte {
	size := min(2*int64(cap(buf)), limit+1)
	bigger := make([]byte, len(buf), size)
	copy(bigger, buf)
	return bigger
}

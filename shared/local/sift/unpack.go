package sift

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// headSize is enough for the first block of any compression.
	headSize = 256 << 10
	// kindSize is how much of the unpacked file its kind is decided on.
	kindSize = 4 << 10
	// maxWindow is what a zstd frame may ask for: as much as its own tool allows.
	maxWindow = 128 << 20

	gzipMagic = "\x1f\x8b\x08"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// unpackHead returns the first bytes, which decide the kind, as far as they can
// be unpacked.
func unpackHead(packed []byte) []byte {
	var r io.Reader = bytes.NewReader(packed)
	switch {
	case bytes.HasPrefix(packed, []byte(gzipMagic)):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil
		}
		r = z
	case isZstd(packed):
		z, err := newZstd(r)
		if err != nil {
			return nil
		}
		defer z.Close()
		r = z
	}
	head := make([]byte, kindSize)
	n, _ := io.ReadFull(r, head) // the beginning was all that was wanted
	return head[:n]
}

// newZstd returns a decoder that works in the caller's goroutine.
func newZstd(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// isZstd recognises a frame, also a skippable one, as tools write them first.
func isZstd(head []byte) bool {
	return len(head) >= 4 && (string(head[:4]) == zstdMagic || head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18")
}

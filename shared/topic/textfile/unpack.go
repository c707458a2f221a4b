package textfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	bufferSize = 64 << 10
	maxLayers  = 4         // of compression; more are an attack
	maxWindow  = 128 << 20 // of a zstd frame: as much as zstd itself allows
)

var errLayers = fmt.Errorf("compressed more than %d times", maxLayers)

// unpack removes all layers of compression. The closers free their memory.
func unpack(r io.Reader) (_ *bufio.Reader, closers []func(), err error) {
	b := bufio.NewReaderSize(r, bufferSize)
	for range maxLayers + 1 {
		inner, closer, err := layer(b)
		if err != nil {
			return nil, closers, err
		}
		if inner == nil {
			return b, closers, nil
		}
		if closer != nil {
			closers = append(closers, closer)
		}
		b = bufio.NewReaderSize(inner, bufferSize)
	}
	return nil, closers, errLayers
}

// layer opens one layer of compression, nil if there is none.
func layer(b *bufio.Reader) (io.Reader, func(), error) {
	magic, err := b.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b\x08")):
		z, err := gzip.NewReader(b)
		return z, nil, err
	case isZstd(magic):
		z, err := zstd.NewReader(b,
			zstd.WithDecoderConcurrency(1), // no goroutines to leak
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	case len(magic) >= 5 && string(magic[:3]) == "BZh" && magic[3] >= '1' && magic[3] <= '9' && (magic[4] == 0x31 || magic[4] == 0x17):
		return bzip2.NewReader(b), nil, nil
	}
	return nil, nil, nil
}

// isZstd recognises a frame, also a skippable one, as tools write them first.
func isZstd(magic []byte) bool {
	return len(magic) >= 4 &&
		(string(magic[:4]) == "\x28\xb5\x2f\xfd" || magic[0]&0xf0 == 0x50 && string(magic[1:4]) == "\x2a\x4d\x18")
}

// foreign names an unsupported format by its first bytes, and says what to do;
// "" for all others.
func foreign(head []byte) string {
	for _, f := range []struct{ magic, advice string }{
		{"PK\x03\x04", "a zip archive (or office document): unpack it"},
		{"\xFD7zXZ\x00", "xz: unpack it, or compress it with gzip, zstd or bzip2"},
		{"7z\xBC\xAF", "a 7z archive: unpack it"},
		{"Rar!", "a rar archive: unpack it"},
		{"%PDF-", "PDF: convert it to text, with pdftotext say"},
		{"\xD0\xCF\x11\xE0", "an office document: save it as text"},
		{"PAR1", "Parquet: convert it to JSON lines"},
		{"SQLite format 3", "a database: export it as JSON lines"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.advice
		}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return "a tar archive: unpack it and name the folder"
	}
	return ""
}

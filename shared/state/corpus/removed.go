package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"
)

// removedType is the content type of the metadata records that replace removed
// ones.
const removedType = "text/plain; profile=sluice-removed"

// errNoRoom says that a record is too small for another to take its place.
var errNoRoom = errors.New("the record is too small to be replaced")

// Overhead of a gzip member, and of deflate for stored data.
const (
	gzipHead    = 10
	gzipTail    = 8
	storedHead  = 5
	storedBlock = 1<<16 - 1
	gzipComment = 1 << 4 // the flag of a comment
)

// AppendRemoved appends a record to dst that replaces a removed one: one gzip
// member of exactly its length, which names it only by its ID. The rest is
// filled with blanks.
func AppendRemoved(dst []byte, rec *Record, at time.Time) ([]byte, error) {
	return appendRemoved(dst, rec.ID, rec.Length, at)
}

func appendRemoved(dst []byte, id string, length int64, at time.Time) ([]byte, error) {
	blocks := (length - gzipHead - gzipTail + storedBlock + storedHead - 1) / (storedBlock + storedHead)
	room := length - gzipHead - gzipTail - blocks*storedHead - int64(len(removedRecord(id, nil, at)))
	if room >= 0 {
		text := bytes.Repeat([]byte{' '}, int(room))
		copy(text, "Removed: "+id)
		return appendStored(dst, removedRecord(id, text, at), int(blocks)), nil
	}
	member := deflated(removedRecord(id, nil, at))
	if left := length - int64(len(member)); left >= 0 {
		return appendPadded(dst, member, int(left)), nil
	}
	return dst, fmt.Errorf("%w: %d bytes", errNoRoom, length)
}

// removedRecord is a record that says that one was removed.
func removedRecord(id string, block []byte, at time.Time) []byte {
	date := warcDate(at)
	b := []byte("WARC/1.1\r\n")
	for _, f := range []Field{
		{"WARC-Type", "metadata"},
		{"WARC-Record-ID", recordID("metadata", "", date, "removed "+id)},
		{"WARC-Date", date},
		{"WARC-Block-Digest", digest(block)},
		{"Content-Type", removedType},
		// Of one width for every number: so each length can be reached.
		{"Content-Length", fmt.Sprintf("%10d", len(block))},
	} {
		b = f.append(b)
	}
	return append(append(append(b, "\r\n"...), block...), "\r\n\r\n"...)
}

// appendStored appends data as a gzip member of so many uncompressed blocks,
// whose number determines its length. They have room for the data.
func appendStored(dst, data []byte, blocks int) []byte {
	sum, size := crc32.ChecksumIEEE(data), uint32(len(data)) //nolint:gosec // modulo 2³², as gzip wants it
	dst = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
	for i := range blocks {
		n := min(len(data), storedBlock)
		final := byte(0)
		if i == blocks-1 {
			final = 1
		}
		dst = append(dst, final)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(n))  //nolint:gosec // at most storedBlock
		dst = binary.LittleEndian.AppendUint16(dst, ^uint16(n)) //nolint:gosec // the same
		dst = append(dst, data[:n]...)
		data = data[n:]
	}
	dst = binary.LittleEndian.AppendUint32(dst, sum)
	return binary.LittleEndian.AppendUint32(dst, size)
}

// deflated returns data as a gzip member that is as short as may be.
func deflated(data []byte) []byte {
	var member bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&member, gzip.BestCompression) // fails for unknown levels only
	_, _ = zip.Write(data)                                       // and memory takes everything
	_ = zip.Close()
	return member.Bytes()
}

// appendPadded appends a gzip member that is longer by some bytes: a comment
// takes them. Readers bound it, to 511 bytes at least.
func appendPadded(dst, member []byte, left int) []byte {
	start := len(dst)
	dst = append(dst, member[:gzipHead]...)
	if left > 0 {
		dst[start+3] |= gzipComment
		dst = append(append(dst, bytes.Repeat([]byte{' '}, left-1)...), 0)
	}
	return append(dst, member[gzipHead:]...)
}

// AppendEdited appends a metadata record to dst with another block, in exactly
// its old length: as one gzip member, or as two, the second of which says that
// something was removed. If the new record would be longer, the record is
// removed.
func AppendEdited(dst []byte, rec *Record, block []byte, at time.Time) ([]byte, error) {
	member := deflated(editedRecord(rec, block))
	left := rec.Length - int64(len(member))
	if left < 0 {
		return AppendRemoved(dst, rec, at)
	}
	if left > 0 {
		if whole, err := appendRemoved(append(dst, member...), rec.ID, left, at); err == nil {
			return whole, nil
		}
	}
	return appendPadded(dst, member, int(left)), nil
}

// editedRecord is a record that has another block from now on.
func editedRecord(rec *Record, block []byte) []byte {
	b := []byte("WARC/1.1\r\n")
	for _, name := range []string{"WARC-Type", "WARC-Record-ID", "WARC-Date", "WARC-Target-URI", "WARC-Concurrent-To"} {
		if value := rec.Header.Get(name); value != "" {
			b = Field{name, value}.append(b)
		}
	}
	b = Field{"WARC-Block-Digest", digest(block)}.append(b)
	b = Field{"Content-Type", rec.ContentType}.append(b)
	b = Field{"Content-Length", strconv.Itoa(len(block))}.append(b)
	return append(append(append(b, "\r\n"...), block...), "\r\n\r\n"...)
}

package filecorpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// segment is the last WARC file; its records before end are whole.
type segment struct {
	n   int // without a file, that before the first
	end int64
}

// scanWARC finds the end of the last whole record of the last WARC file. To
// read little it starts at the last exchange that one of the lines points to, and
// goes further back only where that is damaged. Files before start are not read.
func scanWARC(dir string, lines []line, start int) (segment, error) {
	start = max(start, 1)
	n, err := warcKind.last(dir)
	if err != nil || n < start {
		return segment{n: start - 1}, err
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(warcKind.path(n))))
	if err != nil {
		return segment{}, fmt.Errorf("scan %s: %w", warcKind.path(n), err)
	}
	defer func() { _ = f.Close() }()
	end, err := lastWhole(f, n, lines)
	if err != nil {
		return segment{}, fmt.Errorf("scan %s: %w", warcKind.path(n), err)
	}
	return segment{n: n, end: end}, nil
}

func lastWhole(f io.ReaderAt, n int, lines []line) (int64, error) {
	var offsets []int64
	for _, l := range lines {
		if l.place.file == n {
			offsets = append(offsets, l.place.offset)
		}
	}
	slices.Sort(offsets)
	for _, offset := range slices.Backward(offsets) {
		if end, err := wholeRecords(f, offset); err != nil || end > offset {
			return end, err
		}
	}
	end, err := wholeRecords(f, 0)
	if err == nil && end == 0 {
		err = ours(f)
	}
	return end, err
}

// ours returns an error when a file without a whole record is not what a kill
// left of the first one.
func ours(f io.ReaderAt) error {
	magic := []byte{0x1f, 0x8b}
	head := make([]byte, len(magic))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.HasPrefix(magic, head[:n]) {
		return errors.New("is not gzip")
	}
	return nil
}

// wholeRecords returns the end of the last of the consecutive whole records
// from offset on; offset itself without any.
func wholeRecords(f io.ReaderAt, offset int64) (int64, error) {
	in := &counter{r: io.NewSectionReader(f, offset, 1<<62)}
	br := bufio.NewReaderSize(in, 64<<10)
	var zip gzip.Reader
	end := offset
	for readRecord(&zip, br) {
		end = offset + in.n - int64(br.Buffered())
	}
	return end, in.err
}

// readRecord reads one gzip member, checksum and all, and tells whether it is
// a whole record.
func readRecord(zip *gzip.Reader, br *bufio.Reader) bool {
	if err := zip.Reset(br); err != nil {
		return false
	}
	zip.Multistream(false)
	magic := make([]byte, len("WARC/"))
	if _, err := io.ReadFull(zip, magic); err != nil || string(magic) != "WARC/" {
		return false
	}
	_, err := io.Copy(io.Discard, zip)
	return err == nil
}

// counter counts the bytes read, and separates errors of the disk from errors
// of the data.
type counter struct {
	r   io.Reader
	n   int64
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// dropDangling removes the last lines from the first one on whose exchange is not
// complete. A copy of a folder in use, or a power cut, may leave such lines; a
// killed process does not, since it writes the exchange first.
func (t *tail) dropDangling(k kind, warc segment) error {
	for _, l := range t.lines() {
		if l.place.file > warc.n {
			return fmt.Errorf("%s points to %s, which is not there: restore it, or start a new folder",
				k.path(l.file), warcKind.path(l.place.file))
		}
	}
	dangles := func(l line) bool { return l.place.file == warc.n && l.place.offset+l.place.length > warc.end }
	if first := slices.IndexFunc(t.latest, dangles); first >= 0 {
		t.latest = t.latest[:first]
	}
	t.end = 0
	if len(t.latest) > 0 {
		t.end = t.latest[len(t.latest)-1].end
	}
	return nil
}

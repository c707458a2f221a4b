package export

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// row is the place of a kept record and the record that it repeats, as on disk.
// Rows are numbered from 0 in the order of the files.
type row struct {
	Folder uint16
	File   uint32 // of the folder's documents
	Length uint32 // of the line
	Offset uint64 // in the file
	Sum    uint64 // of the line, by xxh3: a file that changes meanwhile is found out
	ID     [16]byte
	Stays  uint64 // 1 + the row of the record that it repeats; 0 for none
}

// rowSize is that of a row on disk, in bytes.
const (
	rowSize = 2 + 4 + 4 + 8 + 8 + 16 + 8
	staysAt = rowSize - 8
)

func parseRow(b []byte) (r row) {
	_, _ = binary.Decode(b, binary.LittleEndian, &r) // it is of rowSize
	return r
}

// index is the rows in a file: their number is bounded by the disk alone.
type index struct {
	f    file
	w    *bufio.Writer
	rows int64
}

func newIndex(f file) *index { return &index{f: f, w: bufio.NewWriterSize(f, 1<<20)} }

func (x *index) add(r *row) error {
	x.rows++
	return binary.Write(x.w, binary.LittleEndian, r)
}

// mark notes that row n repeats row stays. add is not called after it.
func (x *index) mark(n, stays int64) error {
	if n < 0 || n >= x.rows || stays < 0 || stays >= x.rows || n == stays {
		return fmt.Errorf("document %d cannot repeat document %d of %d", n, stays, x.rows)
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(stays)+1)
	_, err := x.f.WriteAt(b, n*rowSize+staysAt)
	return err
}

func (x *index) at(n int64) (row, error) {
	var b [rowSize]byte
	if _, err := x.f.ReadAt(b[:], n*rowSize); err != nil {
		return row{}, fmt.Errorf("read index: %w", err)
	}
	return parseRow(b[:]), nil
}

// each visits the rows from n on.
func (x *index) each(n int64, visit func(n int64, r row) (more bool, err error)) error {
	br := bufio.NewReaderSize(io.NewSectionReader(x.f, n*rowSize, (x.rows-n)*rowSize), 1<<20)
	var b [rowSize]byte
	for ; n < x.rows; n++ {
		if _, err := io.ReadFull(br, b[:]); err != nil {
			return fmt.Errorf("read index: %w", err)
		}
		if more, err := visit(n, parseRow(b[:])); err != nil || !more {
			return err
		}
	}
	return nil
}

// openIndex opens the finished index of n rows.
func (e *exporter) openIndex(n int64) (*index, error) {
	f, err := os.Open(filepath.Join(e.out, filepath.FromSlash(indexFile)))
	if err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != n*rowSize {
		err = fmt.Errorf("open index: it has %d bytes, not %d: remove %s to begin again", info.Size(), n*rowSize, filepath.Join(e.out, workFolder))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &index{f: f, rows: n}, nil
}

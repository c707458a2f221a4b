package wordvec

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// WriteBinary writes v in word2vec's binary format: a line "words components",
// then for each word its bytes, a space, little-endian float32 and a line end.
// Reading it gives the same vectors to the bit.
func (v *Vectors) WriteBinary(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "%d %d\n", len(v.words), v.dim)
	var row []byte
	for i, word := range v.words {
		row = append(append(row[:0], word...), ' ')
		for _, x := range v.row(i) {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
		}
		if _, err := out.Write(append(row, '\n')); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	return nil
}

// readBinary reads the rows behind a header of the given length. Some programs
// end a row with a line end and some don't.
func readBinary(in *bufio.Reader, t *table, header int) (*Vectors, error) {
	if _, err := in.Discard(header); err != nil {
		return nil, err
	}
	offset := int64(header)
	row := make([]byte, 4*t.dim)
	for t.rows < t.count {
		word, n, err := readWord(in)
		if err != nil {
			return nil, t.atByte(offset, err)
		}
		if _, err := io.ReadFull(in, row); err != nil {
			return nil, t.atByte(offset+int64(n), err)
		}
		t.makeRoom()
		for i := range t.dim {
			t.values = append(t.values, math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:])))
		}
		if err := t.add(string(word)); err != nil {
			return nil, t.atByte(offset, err)
		}
		offset += int64(n + len(row))
	}
	rest, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, t.atByte(offset, err)
	}
	if len(bytes.Trim(rest, "\r\n")) > 0 {
		return nil, fmt.Errorf("byte %d: the header says %d words, here is more", offset, t.count)
	}
	return t.vectors(), nil
}

// readWord reads up to a space and says how many bytes it took. The word is
// valid until the next read.
func readWord(in *bufio.Reader) (word []byte, n int, err error) {
	if next, _ := in.Peek(1); len(next) == 1 && next[0] == '\n' {
		if n, err = in.Discard(1); err != nil {
			return nil, n, err
		}
	}
	data, err := in.Peek(maxWord + 1)
	if i := bytes.IndexByte(data, ' '); i >= 0 {
		_, err := in.Discard(i + 1)
		return data[:i], n + i + 1, err
	}
	if err == nil {
		err = fmt.Errorf("no word of at most %d bytes before a space", maxWord)
	}
	return nil, n, err
}

// atByte says where reading failed, or where the input ended.
func (t *table) atByte(offset int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("byte %d: the header says %d words, the file ends after %d: %w", offset, t.count, t.rows, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("byte %d: %w", offset, err)
}

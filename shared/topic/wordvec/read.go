package wordvec

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxLine limits a line of text, and the sample that decides the format.
	maxLine = 1 << 20

	// maxWindow bounds the memory a zstd frame may ask for: zstd --long=27.
	maxWindow = 1 << 27

	// reserve is how many components are allocated because of a header alone.
	// The rest is allocated as the rows come.
	reserve = 1 << 22
)

// Load reads the vectors in a file, as Read does.
func Load(path string) (*Vectors, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	defer func() { _ = file.Close() }()
	v, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// Read reads vectors in word2vec's text format, with or without its header (as
// GloVe writes it), which is also fastText's .vec, or in word2vec's binary
// format; plain, or compressed by gzip, zstd or bzip2. The first bytes decide
// the format; a byte order mark is skipped. Of a repeated word the first row
// counts.
//
// An error names the line or the byte of the decompressed input: values that
// are not numbers of at most 1e15, rows of another length, words with white
// space, more or fewer rows than the header says.
func Read(r io.Reader) (*Vectors, error) {
	in := bufio.NewReaderSize(r, maxLine)
	magic, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
		in = bufio.NewReaderSize(z, maxLine)
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, maxLine)
	case bytes.HasPrefix(magic, []byte("BZh")):
		in = bufio.NewReaderSize(bzip2.NewReader(in), maxLine)
	}
	v, err := read(in)
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	return v, nil
}

// read reads uncompressed input.
func read(in *bufio.Reader) (*Vectors, error) {
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = in.Discard(len(byteOrderMark)) // it is in the buffer
	}
	begin, err := in.Peek(maxLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	first, rest, _ := bytes.Cut(begin, []byte("\n"))
	if len(bytes.TrimSpace(begin)) == 0 {
		return nil, errors.New("the file is empty")
	}
	if advice := foreign(begin); advice != "" {
		return nil, errors.New(advice)
	}
	count, dim, ok := parseHeader(string(first))
	if !ok {
		return readText(in, newTable(0, 0), 1)
	}
	if count < 1 || dim < 1 || dim > maxDim {
		return nil, fmt.Errorf("line 1: the header says %d words of %d components: want at least 1 word, of 1 to %d", count, dim, maxDim)
	}
	t := newTable(count, int(dim))
	if isTextRow(rest, t.dim) {
		if _, err := in.Discard(len(first) + 1); err != nil {
			return nil, err
		}
		return readText(in, t, 2)
	}
	return readBinary(in, t, len(first)+1)
}

// byteOrderMark is put in front of UTF-8 by some editors.
const byteOrderMark = "\uFEFF"

// foreign says what to do about a file of a kind that is often mistaken for
// vectors, "" for others.
func foreign(begin []byte) string {
	for _, f := range []struct{ magic, advice string }{
		{"PK\x03\x04", "it is a zip archive: unpack it"},
		{"\xFD7zXZ\x00", "it is compressed by xz: unpack it"},
		{"\xBA\x16\x4F\x2F", "it is a model of fastText: take the .vec beside it"},
		{"\x93NUMPY", "it is an array of NumPy: save the vectors in word2vec's format"},
		{"\xFF\xFE", "it is UTF-16: save it as UTF-8"},
		{"\xFE\xFF", "it is UTF-16: save it as UTF-8"},
	} {
		if bytes.HasPrefix(begin, []byte(f.magic)) {
			return f.advice
		}
	}
	return ""
}

// parseHeader reads "words components".
func parseHeader(line string) (count, dim int64, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 2 {
		return 0, 0, false
	}
	count, err1 := strconv.ParseInt(fields[0], 10, 64)
	dim, err2 := strconv.ParseInt(fields[1], 10, 64)
	return count, dim, err1 == nil && err2 == nil
}

// table collects rows.
type table struct {
	dim    int   // 0: not known yet
	count  int64 // rows the header promises, 0: no header
	rows   int64 // rows seen
	words  []string
	index  map[string]int32
	values []float32
}

func newTable(count int64, dim int) *table {
	t := &table{dim: dim, count: count, index: make(map[string]int32)}
	if n := min(count, int64(reserve/max(dim, 1))); n > 0 {
		t.words = make([]string, 0, n)
		t.values = make([]float32, 0, int(n)*dim)
	}
	return t
}

// makeRoom makes room for another row in values. To avoid many copies of large
// files, it allocates up to four times the rows read so far, if the header
// promises as many.
func (t *table) makeRoom() {
	if cap(t.values)-len(t.values) >= t.dim {
		return
	}
	rows := min(t.count, 4*int64(len(t.words)+1))
	t.values = slices.Grow(t.values, max(0, int(rows)*t.dim-len(t.values)))
}

// add stores a row, whose values were appended to values, under its word.
func (t *table) add(word string) error {
	if err := checkWord(word); err != nil {
		return err
	}
	for _, x := range t.values[len(t.values)-t.dim:] {
		if !(-maxValue <= x && x <= maxValue) {
			return fmt.Errorf("word %.50q has the value %v: want numbers of at most %g", word, x, float64(maxValue))
		}
	}
	t.rows++
	if _, twice := t.index[word]; twice {
		t.values = t.values[:len(t.values)-t.dim]
		return nil
	}
	if len(t.words) == 1<<31-1 {
		return errors.New("more words than vectors can hold")
	}
	word = strings.Clone(word)
	t.index[word] = int32(len(t.words))
	t.words = append(t.words, word)
	return nil
}

func (t *table) vectors() *Vectors { return newVectors(t.dim, t.words, t.index, t.values) }

package export

import (
	"bufio"
	"bytes"
	"container/heap"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// runBytes is how many bytes of lines are sorted in memory.
const runBytes = 32 << 20

// sorter sorts lines, which end with a line feed, by their bytes: on the disk
// where they are many.
type sorter struct {
	e     *exporter
	limit int // bytes in memory
	lines [][]byte
	bytes int
	runs  []string // files of sorted lines
}

func (s *sorter) add(line []byte) error {
	s.lines = append(s.lines, line)
	if s.bytes += len(line); s.bytes < s.limit {
		return nil
	}
	name := fmt.Sprintf("%s/run-%05d", workFolder, len(s.runs))
	err := s.e.makeFile(name, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		if err := s.flush(b); err != nil {
			return err
		}
		return b.Flush()
	})
	s.runs = append(s.runs, name)
	return err
}

// flush writes what is in memory.
func (s *sorter) flush(w io.Writer) error {
	slices.SortFunc(s.lines, bytes.Compare)
	for _, line := range s.lines {
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	s.lines, s.bytes = nil, 0
	return nil
}

// merge writes all lines in order.
func (s *sorter) merge(w io.Writer) (err error) {
	if len(s.runs) == 0 {
		return s.flush(w)
	}
	var last bytes.Buffer
	if err := s.flush(&last); err != nil {
		return err
	}
	sources := &runHeap{}
	if err := sources.push(bufio.NewReader(&last)); err != nil {
		return err
	}
	for _, name := range s.runs {
		f, ferr := os.Open(filepath.Join(s.e.out, filepath.FromSlash(name)))
		if ferr != nil {
			return fmt.Errorf("read sorted lines: %w", ferr)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if err := sources.push(bufio.NewReaderSize(f, 256<<10)); err != nil {
			return err
		}
	}
	for sources.Len() > 0 {
		r := heap.Pop(sources).(*sortedRun) //nolint:errcheck // it holds nothing else
		if _, err := w.Write(r.line); err != nil {
			return err
		}
		if err := sources.push(r.lines); err != nil {
			return err
		}
	}
	return nil
}

// sortedRun is a source of sorted lines and the next of them.
type sortedRun struct {
	line  []byte
	lines *bufio.Reader
}

// runHeap has the least line on top.
type runHeap []*sortedRun

// push takes a source back, unless it has no more lines.
func (h *runHeap) push(lines *bufio.Reader) error {
	line, err := lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read sorted lines: %w", err)
	}
	heap.Push(h, &sortedRun{line, lines})
	return nil
}

// Len implements heap.Interface, as do the others.
func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].line, h[j].line) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *runHeap) Push(x any) { *h = append(*h, x.(*sortedRun)) } //nolint:errcheck // it holds nothing else

// Pop implements heap.Interface.
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// summed calls write with a writer that notes size and digest in f.
func summed(w io.Writer, f *File, write func(io.Writer) error) error {
	buffered, sum := bufio.NewWriterSize(w, 1<<20), sha256.New()
	out := &countingWriter{w: io.MultiWriter(buffered, sum)}
	if err := write(out); err != nil {
		return err
	}
	f.Bytes, f.SHA256 = out.n, hexSum(sum)
	return buffered.Flush()
}

// Package extsort sorts more data than fits into memory: it writes sorted runs
// to a file and merges them at the end.
package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
)

// Kind is how values are compared, counted and written.
type Kind[T any] struct {
	Compare func(a, b T) int
	Size    func(T) int // of one in memory, in the unit of the sorter's limit
	Write   func(*bufio.Writer, T) error
	Read    func(*bufio.Reader) (T, error) // io.EOF behind the last
}

// Numbers are sorted by their size; the limit is how many are in memory.
var Numbers = Kind[uint64]{
	Compare: cmp.Compare[uint64],
	Size:    func(uint64) int { return 1 },
	Write: func(w *bufio.Writer, x uint64) error {
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], x)
		_, err := w.Write(buf[:])
		return err
	},
	Read: func(r *bufio.Reader) (uint64, error) {
		var buf [8]byte
		_, err := io.ReadFull(r, buf[:])
		return binary.LittleEndian.Uint64(buf[:]), err
	},
}

// Lines end with a line feed and are sorted by their bytes; the limit is of
// bytes.
var Lines = Kind[[]byte]{
	Compare: bytes.Compare,
	Size:    func(line []byte) int { return len(line) },
	Write: func(w *bufio.Writer, line []byte) error {
		_, err := w.Write(line)
		return err
	},
	Read: func(r *bufio.Reader) ([]byte, error) { return r.ReadBytes('\n') },
}

// Sorter sorts the values that it is given. It is for one goroutine.
type Sorter[T any] struct {
	kind  Kind[T]
	dir   string // of the temporary file
	limit int
	held  []T
	size  int      // of those held
	file  *os.File // of all runs, one behind the other
	runs  []int64  // end of each in the file, in bytes
	count int64
}

// New returns a sorter with a memory limit. Its file is in dir, "" for the
// default folder of temporary files.
func New[T any](kind Kind[T], dir string, limit int) *Sorter[T] {
	return &Sorter[T]{kind: kind, dir: dir, limit: limit}
}

// Count returns how many values were added.
func (s *Sorter[T]) Count() int64 { return s.count }

// Add adds a value, which must not change any more.
func (s *Sorter[T]) Add(x T) error {
	if len(s.held) > 0 && s.size+s.kind.Size(x) > s.limit {
		if err := s.spill(); err != nil {
			return fmt.Errorf("write sorted run: %w", err)
		}
	}
	s.held, s.size = append(s.held, x), s.size+s.kind.Size(x)
	s.count++
	return nil
}

// spill writes the items in memory as a run.
func (s *Sorter[T]) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "sort-*.tmp")
		if err != nil {
			return err
		}
		// An unlinked file disappears with the process, however that ends. On
		// systems that keep the names of open files, Close removes it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	slices.SortFunc(s.held, s.kind.Compare)
	w := bufio.NewWriterSize(s.file, 1<<16)
	for _, x := range s.held {
		if err := s.kind.Write(w, x); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	end, err := s.file.Seek(0, io.SeekCurrent)
	s.runs = append(s.runs, end)
	clear(s.held)
	s.held, s.size = s.held[:0], 0
	return err
}

// Sorted yields all values in order. An error is the last value.
func (s *Sorter[T]) Sorted() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		slices.SortFunc(s.held, s.kind.Compare)
		m := merge[T]{compare: s.kind.Compare}
		held := s.held
		err := m.add(func() (x T, err error) {
			if len(held) == 0 {
				return x, io.EOF
			}
			x, held = held[0], held[1:]
			return x, nil
		})
		from := int64(0)
		for _, to := range s.runs {
			r := bufio.NewReaderSize(io.NewSectionReader(s.file, from, to-from), 1<<16)
			err = errors.Join(err, m.add(func() (T, error) { return s.kind.Read(r) }))
			from = to
		}
		heap.Init(&m)
		for err == nil && len(m.runs) > 0 {
			if !yield(m.runs[0].head, nil) {
				return
			}
			err = m.next()
		}
		if err != nil {
			var none T
			yield(none, fmt.Errorf("read sorted run: %w", err))
		}
	}
}

// Close removes the file. It may be called twice.
func (s *Sorter[T]) Close() error {
	s.held = nil
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	err := f.Close()
	if removed := os.Remove(f.Name()); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// run is a sorted sequence: its least value, and how to read the next.
type run[T any] struct {
	head T
	read func() (T, error)
}

// merge is a heap of runs by their heads.
type merge[T any] struct {
	compare func(a, b T) int
	runs    []*run[T]
}

// add adds a run that is not empty.
func (m *merge[T]) add(read func() (T, error)) error {
	head, err := read()
	if errors.Is(err, io.EOF) {
		return nil
	}
	m.runs = append(m.runs, &run[T]{head, read})
	return err
}

// next moves the first run on, or removes it at its end.
func (m *merge[T]) next() (err error) {
	r := m.runs[0]
	switch r.head, err = r.read(); {
	case errors.Is(err, io.EOF):
		heap.Pop(m)
		return nil
	case err == nil:
		heap.Fix(m, 0)
	}
	return err
}

// Len implements heap.Interface, as do the others.
func (m *merge[T]) Len() int           { return len(m.runs) }
func (m *merge[T]) Less(i, j int) bool { return m.compare(m.runs[i].head, m.runs[j].head) < 0 }
func (m *merge[T]) Swap(i, j int)      { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }

// Push is never called: all runs are there at the start.
func (m *merge[T]) Push(any) {}

// Pop implements heap.Interface.
func (m *merge[T]) Pop() any {
	last := len(m.runs) - 1
	m.runs = m.runs[:last]
	return nil
}

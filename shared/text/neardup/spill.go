package neardup

import (
	"bufio"
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

// sorter sorts numbers beyond memory: it gathers as many as it may hold,
// sorts them, writes them to a file as a run, and merges the runs in the end.
// Few numbers never leave memory.
type sorter struct {
	dir   string // of the temporary file
	limit int    // numbers in memory
	held  []uint64
	file  *os.File // of all runs, one behind the other
	runs  []int64  // where in the file each ends, in bytes
	count int64    // numbers added
}

func newSorter(dir string, limit int) *sorter { return &sorter{dir: dir, limit: limit} }

func (s *sorter) add(x uint64) error {
	if len(s.held) == s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.held = append(s.held, x)
	s.count++
	return nil
}

// spill writes what is held as a run.
func (s *sorter) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "neardup-*.tmp")
		if err != nil {
			return fmt.Errorf("create index file: %w", err)
		}
		// Without a name it is gone with the process, however that ends. Where
		// files that are open keep their names, close removes it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	slices.Sort(s.held)
	w := bufio.NewWriterSize(s.file, 1<<16)
	var buf [8]byte
	for _, x := range s.held {
		binary.LittleEndian.PutUint64(buf[:], x)
		if _, err := w.Write(buf[:]); err != nil {
			return fmt.Errorf("write index: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	s.runs = append(s.runs, s.end()+8*int64(len(s.held)))
	s.held = s.held[:0]
	return nil
}

// end returns the bytes of the file.
func (s *sorter) end() int64 {
	if len(s.runs) == 0 {
		return 0
	}
	return s.runs[len(s.runs)-1]
}

// sorted yields all numbers in ascending order. An error is the last value.
func (s *sorter) sorted() iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		slices.Sort(s.held)
		m := merge{{numbers: s.held}}
		from := int64(0)
		for _, to := range s.runs {
			m = append(m, &run{r: bufio.NewReaderSize(io.NewSectionReader(s.file, from, to-from), 1<<16)})
			from = to
		}
		live := m[:0]
		for _, r := range m {
			more, err := r.next()
			if err != nil {
				yield(0, err)
				return
			}
			if more {
				live = append(live, r)
			}
		}
		heap.Init(&live)
		live.drain(yield)
	}
}

// close removes the file. It may be called twice.
func (s *sorter) close() error {
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

// run is a sorted sequence: of numbers in memory, or those of a reader.
type run struct {
	head    uint64
	numbers []uint64
	r       io.Reader
}

// next moves on to the next number, and reports whether there is one.
func (r *run) next() (bool, error) {
	if r.r == nil {
		if len(r.numbers) == 0 {
			return false, nil
		}
		r.head, r.numbers = r.numbers[0], r.numbers[1:]
		return true, nil
	}
	var buf [8]byte
	switch _, err := io.ReadFull(r.r, buf[:]); {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read index: %w", err)
	}
	r.head = binary.LittleEndian.Uint64(buf[:])
	return true, nil
}

// merge is a heap of runs by their heads.
type merge []*run

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return m[i].head < m[j].head }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }

// Push implements heap.Interface; no run is added once the heap stands.
func (m *merge) Push(x any) { *m = append(*m, x.(*run)) } //nolint:errcheck // only runs are pushed

// Pop implements heap.Interface.
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

// drain yields the smallest head until no run has one.
func (m *merge) drain(yield func(uint64, error) bool) {
	for m.Len() > 0 {
		r := (*m)[0]
		if !yield(r.head, nil) {
			return
		}
		switch more, err := r.next(); {
		case err != nil:
			yield(0, err)
			return
		case more:
			heap.Fix(m, 0)
		default:
			heap.Pop(m)
		}
	}
}

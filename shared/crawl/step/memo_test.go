package step

import (
	"sync"
	"testing"
)

// A memo keeps what is asked for, forgets the rest, and never holds more than
// its size.
func TestMemo(t *testing.T) {
	t.Parallel()
	m := newMemo[int, int](8)
	for i := range 100 {
		m.put(i, -i)
		if v, ok := m.get(0); !ok || v != 0 {
			t.Fatalf("after %d more, what is asked for all the time is forgotten", i)
		}
		if n := len(m.young) + len(m.old); n > 8 {
			t.Fatalf("%d entries, at most 8", n)
		}
	}
	if v, ok := m.get(99); !ok || v != -99 {
		t.Errorf("the last entry is %d, %t", v, ok)
	}
	if _, ok := m.get(1); ok {
		t.Error("what nobody asked for is still there")
	}
	m.put(99, 5)
	if v, _ := m.get(99); v != 5 {
		t.Errorf("the entry was not replaced: %d", v)
	}
}

// A memo is shared by all workers; the race detector watches.
func TestMemoConcurrent(t *testing.T) {
	t.Parallel()
	m := newMemo[int, int](16)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 500 {
				m.put(i%40, i%40)
				if v, ok := m.get(i % 7); ok && v != i%7 {
					t.Errorf("key %d has %d", i%7, v)
				}
			}
		})
	}
	wg.Wait()
}

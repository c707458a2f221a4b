package memo

import (
	"sync"
	"testing"
)

// A memo keeps what is asked for, forgets the rest, and never holds more than
// its size.
func TestMemo(t *testing.T) {
	m := New[int, int](8)
	for i := range 100 {
		m.Put(i, -i)
		if v, ok := m.Get(0); !ok || v != 0 {
			t.Fatalf("after %d more, what is asked for all the time is forgotten", i)
		}
		if n := len(m.young) + len(m.old); n > 8 {
			t.Fatalf("%d entries, at most 8", n)
		}
	}
	if v, ok := m.Get(99); !ok || v != -99 {
		t.Errorf("the last entry is %d, %t", v, ok)
	}
	if m.Has(1) {
		t.Error("a value that was not asked for lately is still there")
	}
	m.Put(99, 5)
	if v, _ := m.Get(99); v != 5 {
		t.Errorf("the entry was not replaced: %d", v)
	}
	m.Change(99, func(v int) int { return v + 1 })
	m.Change(1, func(int) int { return 9 })
	if v, _ := m.Get(99); v != 6 || m.Has(1) {
		t.Errorf("changed to %d; absent is there: %v", v, m.Has(1))
	}
	if !m.Forget(99) || m.Forget(99) || m.Has(99) {
		t.Error("forgotten, but there")
	}
	for i := range 3 { // forgetting makes room
		m.Put(200+i, i)
	}
	if !m.Has(0) {
		t.Error("an entry is gone though there was room")
	}
}

// A memo stays within its weight, and forgets what was not asked for.
func TestWeighed(t *testing.T) {
	m := Weighed[int](100*1000, func(v int) int { return v })
	m.Put(-1, 1001)
	for i := range 1000 {
		m.Put(i, 1000)
		if !m.Has(-1) {
			t.Fatalf("forgotten after %d others, though it was asked for", i+1)
		}
		if n := len(m.young) + len(m.old); n > 101 {
			t.Fatalf("%d entries, at most 100 wanted", n)
		}
	}
	if m.Has(0) {
		t.Error("the oldest entry is still there")
	}
	m.Put(-1, 1<<30) // heavier than all
	if v, _ := m.Get(-1); v != 1<<30 {
		t.Error("the newer entry is not there")
	}
	m.Put(1, 1)
	m.Put(2, 1<<30)
	if v, _ := m.Get(-1); v == 1001 {
		t.Error("an entry that was replaced is back")
	}
}

// A memo is shared by all workers; the race detector watches.
func TestConcurrent(t *testing.T) {
	m := New[int, int](16)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 500 {
				m.Put(i%40, i%40)
				if v, ok := m.Get(i % 7); ok && v != i%7 {
					t.Errorf("key %d has %d", i%7, v)
				}
			}
		})
	}
	wg.Wait()
}

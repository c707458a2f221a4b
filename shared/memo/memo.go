// Package memo is a map of bounded size that forgets entries not used recently.
package memo

import "sync"

// Memo has two halves: when the young one is full it replaces the old one,
// whose entries are forgotten. It is safe for concurrent use; create it with
// New or Weighed.
type Memo[K comparable, V any] struct {
	half   int
	weight func(V) int

	mu         sync.Mutex
	young, old map[K]V
	size       int // of the young half
}

// New returns a memo of at most size values.
func New[K comparable, V any](size int) *Memo[K, V] {
	return Weighed[K](size, func(V) int { return 1 })
}

// Weighed returns a memo of values with a total weight of at most size, unless
// one of them weighs more than half of that.
func Weighed[K comparable, V any](size int, weight func(V) int) *Memo[K, V] {
	return &Memo[K, V]{half: size / 2, weight: weight, young: map[K]V{}}
}

// Get returns the value of k.
func (m *Memo[K, V]) Get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.find(k)
}

// Has reports whether anything is remembered for k.
func (m *Memo[K, V]) Has(k K) bool {
	_, ok := m.Get(k)
	return ok
}

// Put remembers v for k.
func (m *Memo[K, V]) Put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(k, v)
}

// Change replaces the value of k, if there is one.
func (m *Memo[K, V]) Change(k K, f func(V) V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.find(k); ok {
		m.add(k, f(v))
	}
}

// Forget reports whether there was anything to forget.
func (m *Memo[K, V]) Forget(k K) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, known := m.find(k)
	if known {
		m.size -= m.weight(v)
	}
	delete(m.young, k)
	delete(m.old, k)
	return known
}

func (m *Memo[K, V]) find(k K) (V, bool) {
	if v, ok := m.young[k]; ok {
		return v, true
	}
	v, ok := m.old[k]
	if ok {
		m.add(k, v)
	}
	return v, ok
}

func (m *Memo[K, V]) add(k K, v V) {
	m.size += m.weight(v)
	if before, ok := m.young[k]; ok {
		m.size -= m.weight(before)
	}
	if m.size > m.half {
		m.old, m.young, m.size = m.young, map[K]V{}, m.weight(v)
		delete(m.old, k)
	}
	m.young[k] = v
}

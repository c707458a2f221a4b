package dynamoledger

import "sync"

// memo is a map of bounded size: when the young half is full it becomes the
// old half, and what was in the old half, and not asked for since, is
// forgotten. It is safe for concurrent use.
type memo[K comparable, V any] struct {
	mu         sync.Mutex
	half       int
	young, old map[K]V
}

func newMemo[K comparable, V any](size int) *memo[K, V] {
	return &memo[K, V]{half: size / 2, young: map[K]V{}}
}

func (m *memo[K, V]) get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.find(k)
}

func (m *memo[K, V]) find(k K) (V, bool) {
	if v, ok := m.young[k]; ok {
		return v, true
	}
	v, ok := m.old[k]
	if ok {
		m.add(k, v)
	}
	return v, ok
}

func (m *memo[K, V]) has(k K) bool {
	_, ok := m.get(k)
	return ok
}

func (m *memo[K, V]) put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(k, v)
}

func (m *memo[K, V]) add(k K, v V) {
	if len(m.young) >= m.half {
		m.old, m.young = m.young, map[K]V{}
	}
	m.young[k] = v
}

// change replaces what is remembered for k, if anything is.
func (m *memo[K, V]) change(k K, f func(V) V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.find(k); ok {
		m.add(k, f(v))
	}
}

// forget reports whether there was anything to forget.
func (m *memo[K, V]) forget(k K) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.find(k)
	delete(m.young, k)
	delete(m.old, k)
	return known
}

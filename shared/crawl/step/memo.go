package step

import "sync"

// memo is a map of bounded size that forgets what was not asked for lately:
// when the young half is full it becomes the old half, and what is in
// neither is forgotten. It is safe for concurrent use. The zero value is not;
// make it with newMemo.
type memo[K comparable, V any] struct {
	mu         sync.Mutex
	half       int
	young, old map[K]V
}

func newMemo[K comparable, V any](size int) *memo[K, V] {
	return &memo[K, V]{half: size / 2, young: map[K]V{}}
}

// get returns what is remembered for k.
func (m *memo[K, V]) get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.young[k]; ok {
		return v, true
	}
	v, ok := m.old[k]
	if ok {
		m.add(k, v)
	}
	return v, ok
}

// put remembers v for k.
func (m *memo[K, V]) put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(k, v)
}

func (m *memo[K, V]) add(k K, v V) {
	if len(m.young) >= m.half {
		m.old, m.young = m.young, make(map[K]V, m.half)
	}
	m.young[k] = v
}

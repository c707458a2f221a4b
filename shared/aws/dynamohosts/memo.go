package dynamohosts

import (
	"sync"

	"sluice/shared/web/hosts"
)

// memo remembers rules of bounded size, and forgets those that were not asked
// for lately: when the young half is full it becomes the old half, and what is
// in neither is forgotten. It is safe for concurrent use.
type memo struct {
	half int // bytes

	mu         sync.Mutex
	young, old map[string]known
	size       int // of the young half
}

type known struct {
	rules *hosts.Rules
	size  int // bytes of their JSON; in a memo, with overhead
}

// overhead is what an entry counts beside its rules: most sites have few.
const overhead = 256

func newMemo(size int) *memo {
	return &memo{half: size / 2, young: map[string]known{}}
}

// get returns the rules of an authority, or nil.
func (m *memo) get(authority string) *hosts.Rules {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.young[authority]; ok {
		return k.rules
	}
	k, ok := m.old[authority]
	if ok {
		m.add(authority, k)
	}
	return k.rules
}

// put remembers rules whose JSON has size bytes.
func (m *memo) put(authority string, r *hosts.Rules, size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(authority, known{r, size + overhead})
}

func (m *memo) add(authority string, k known) {
	m.size += k.size - m.young[authority].size
	if m.size > m.half {
		m.old, m.young, m.size = m.young, map[string]known{}, k.size
		delete(m.old, authority)
	}
	m.young[authority] = k
}

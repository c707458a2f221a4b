package sqlitestore

import "sync"

// sketches remembers those of the hosts that pages come from: without it each
// page of a crawl would read its host's. It is safe for concurrent use.
type sketches struct {
	mu         sync.Mutex
	young, old map[hostKey]*known
}

// youngSketches is how many sketches are cached, some 30 KB each, before those
// that were not used since are dropped; so at most twice as many are held.
const youngSketches = 256

func newSketches() *sketches { return &sketches{young: map[hostKey]*known{}} }

// get returns what is remembered of a host, nil for nothing. It may be behind
// what is stored.
func (s *sketches) get(at hostKey) *known {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.young[at]; k != nil {
		return k
	}
	return s.old[at]
}

func (s *sketches) put(at hostKey, k *known) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.young) >= youngSketches && s.young[at] == nil {
		s.old, s.young = s.young, map[hostKey]*known{}
	}
	s.young[at] = k
}

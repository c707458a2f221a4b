package engine

import (
	"context"
	"sync"
	"time"
)

// longPause is from which pause on a host's links hold no part of the budget of pages.
const longPause = 10 * time.Second

// room is how many links may be queued, of a number of pages that are left. Queued links hold
// a part of it, but not for hosts that are down or ask to wait: then it was freed.
func (e *Engine) room(ctx context.Context, pages, queued int) (room int, freed bool, err error) {
	if room = pages - queued; room > 0 || e.ports.Rounds != nil {
		return room, false, nil
	}
	held, err := e.ports.Gauge.Delayed(ctx, e.opts.Crawl, longPause)
	return room + held, held > 0, err
}

// asking counts the pages that are being fetched.
type asking struct {
	mu    sync.Mutex
	ended sync.Cond // a page has ended; its L is mu
	pages int64
}

// spending is the part that one task has in the budget of pages: that of the page being
// fetched, if any. As links of hosts that are down may be queued beyond the budget, a page
// waits while others might use it up.
type spending struct {
	*Engine
	holds bool
}

// begin reports whether a page may be fetched.
func (s *spending) begin() bool {
	a := &s.asking
	a.mu.Lock()
	defer a.mu.Unlock()
	s.free()
	for 0 < s.left() && s.left() <= a.pages {
		a.ended.Wait()
	}
	if s.left() <= 0 {
		return false
	}
	s.holds = true
	a.pages++
	return true
}

// end is called when the page has ended and is counted, or is left.
func (s *spending) end() {
	s.asking.mu.Lock()
	defer s.asking.mu.Unlock()
	s.free()
}

func (s *spending) free() {
	if s.holds {
		s.holds = false
		s.asking.pages--
		s.asking.ended.Broadcast()
	}
}

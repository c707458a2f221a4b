package engine

import (
	"sync"

	"sluice/shared/state/frontier"
)

// lines lets the tasks of one host pass one after the other. The host's lease
// would do so, too, but by sending all but one of them back to wait.
type lines struct {
	mu      sync.Mutex
	waiting map[string][]frontier.Delivery // by host; there while a task of the host is in progress
}

// enter reports whether d may go ahead. Else it waits in its host's line, and
// leave returns it to the worker that is in the way.
func (l *lines) enter(d frontier.Delivery) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, busy := l.waiting[d.Task.Host]
	if busy {
		l.waiting[d.Task.Host] = append(line, d)
		return false
	}
	if l.waiting == nil {
		l.waiting = map[string][]frontier.Delivery{}
	}
	l.waiting[d.Task.Host] = nil
	return true
}

// leave ends a task of the host and returns the next, nil when there is none.
func (l *lines) leave(host string) *frontier.Delivery {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.waiting[host]
	if len(line) == 0 {
		delete(l.waiting, host)
		return nil
	}
	next := line[0]
	l.waiting[host] = line[1:]
	return &next
}

// hosts is how many hosts have a task in progress.
func (l *lines) hosts() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

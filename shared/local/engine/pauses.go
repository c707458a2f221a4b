package engine

import (
	"sync"
	"time"
)

// Pause is a time in which a host is not asked, for another reason than the crawl's delay.
type Pause struct {
	Host, Rule string // Host is "" for none
	Until      time.Time
}

// pauses are those of the hosts of a crawl.
type pauses struct {
	mu sync.Mutex
	of map[string]Pause // by host
}

// note takes notice of the end of a task of a host, and of the pause that it has since then.
// Another task that ends in a pause has not asked the host.
func (p *pauses) note(host, rule string, until, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case rule == "":
		if !p.of[host].Until.After(now) {
			delete(p.of, host)
		}
		return
	case p.of == nil:
		p.of = map[string]Pause{}
	}
	p.of[host] = Pause{host, rule, until}
}

// first is the pause that ends first after now.
func (p *pauses) first(now time.Time) (first Pause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.of {
		if one.Until.After(now) && (first.Host == "" || one.Until.Before(first.Until)) {
			first = one
		}
	}
	return first
}

package sqlitestore

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gauge counts the links in the queue, in memory: by crawl and host, and by
// crawl under the host "".
type gauge struct {
	mu    sync.Mutex
	links map[[2]string]int
}

func (g *gauge) add(crawl, host string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.links == nil {
		g.links = map[[2]string]int{}
	}
	for _, k := range [][2]string{{crawl, host}, {crawl, ""}} {
		if g.links[k] += n; g.links[k] == 0 {
			delete(g.links, k)
		}
		if host == "" {
			break
		}
	}
}

func (g *gauge) get(crawl, host string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.links[[2]string{crawl, host}]
}

// Queued implements frontier.Gauge. It is read from memory.
func (q *Queue) Queued(_ context.Context, crawl, host string) (int, error) {
	return q.s.gauge.get(crawl, host), nil
}

// Delayed returns the links of a crawl in messages that stay delayed for longer than least.
func (q *Queue) Delayed(ctx context.Context, crawl string, least time.Duration) (links int, err error) {
	err = q.s.read(ctx, func(c *conn) error {
		_, err := c.one("SELECT coalesce(sum(links), 0) FROM messages WHERE status = ? AND visible > ? AND crawl = ?", func(r row) {
			links = int(r.int(0))
		}, delayed, micros(q.s.opts.Now().Add(least)), crawl)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count delayed links: %w", err)
	}
	return links, nil
}

// signal wakes all who wait for it.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// wait returns a channel that the next broadcast closes.
func (s *signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) broadcast() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

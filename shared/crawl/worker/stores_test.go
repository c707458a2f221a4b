package worker_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"sluice/shared/fault"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
)

// topics are those of the stack's bucket.
type topics struct {
	mu sync.Mutex
	m  map[string]*topic.Compiled
}

func (s *topics) set(key string, t *topic.Compiled) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[key] = t
}

func (s *topics) Get(_ context.Context, key string) (*topic.Compiled, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.m[key]; t != nil {
		return t, nil
	}
	return nil, fault.New(fault.Permanent, "no_topic", errors.New(key))
}

// outputs stores at once.
type outputs struct{ c *cloud }

func (outputs) Begin(string, int) func()     { return func() {} }
func (s outputs) Corpus(string) corpus.Store { return documents{s.c.corpus, &s.c.trouble} }
func (s outputs) Decisions(string) ledger.Decisions {
	return decisions{s.c.store.Ledger(), &s.c.trouble}
}

// tracker keeps marks in memory.
type tracker struct {
	trouble *trouble
	store   *sqlitestore.Store

	mu     sync.Mutex
	marks  map[string]frontier.Mark
	parked int // ever
}

func (b *tracker) sent(m frontier.Mark) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.marks[m.Crawl+m.Host+m.ID] = m
	if m.Parked {
		b.parked++
	}
	for _, park := range m.Parks {
		delete(b.marks, m.Crawl+m.Host+park)
	}
}

// End implements worker.Tracker.
func (b *tracker) End(ctx context.Context, m frontier.Mark) (after frontier.Standing, err error) {
	err = b.trouble.do(ctx, func() (err error) {
		b.mu.Lock()
		if key := m.Crawl + m.Host + m.ID; b.marks[key].Hops == m.Hops {
			delete(b.marks, key)
			for _, park := range m.Parks {
				delete(b.marks, m.Crawl+m.Host+park)
			}
		}
		b.mu.Unlock()
		after, err = b.Standing(ctx, m.Crawl, m.Host, true)
		return err
	})
	return after, err
}

// Park implements worker.Tracker.
func (b *tracker) Park(ctx context.Context, marks []frontier.Mark) (after []frontier.Standing, err error) {
	err = b.trouble.do(ctx, func() error {
		for _, m := range marks {
			b.sent(m)
			st, err := b.Standing(ctx, m.Crawl, m.Host, true)
			if err != nil {
				return err
			}
			after = append(after, st)
		}
		return nil
	})
	return after, err
}

// Standing implements worker.Gauge.
func (b *tracker) Standing(ctx context.Context, crawl, host string, _ bool) (frontier.Standing, error) {
	n, err := b.Queued(ctx, crawl, host)
	if err != nil {
		return frontier.Standing{}, err
	}
	hosts, err := b.store.Hosts(ctx, crawl, 1<<20)
	if err != nil {
		return frontier.Standing{}, err
	}
	st := frontier.Standing{Host: host, Queued: n}
	b.mu.Lock()
	for _, m := range b.marks {
		if m.Crawl != crawl || m.Host != host {
			continue
		}
		st.Held = append(st.Held, frontier.URLs(m.Held)...)
		if m.Parked {
			st.Parked, st.Parks = append(st.Parked, m.Held...), append(st.Parks, m.ID)
			st.Queued -= m.Links
		}
	}
	b.mu.Unlock()
	for _, h := range hosts {
		if h.Host == host {
			st.Closed = h.Closed
		}
	}
	return st, nil
}

func (b *tracker) Queued(_ context.Context, crawl, host string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, m := range b.marks {
		if m.Crawl == crawl && (host == "" || m.Host == host) {
			n += m.Links
		}
	}
	return n, nil
}

// booked notes what is sent.
type booked struct {
	frontier.Queue
	tracker *tracker
}

func (q booked) Send(ctx context.Context, out []frontier.Outgoing) error {
	if len(out) == 0 {
		return nil
	}
	err := q.tracker.trouble.do(ctx, func() error {
		for _, o := range out {
			q.tracker.sent(o.Task.Mark(time.Now().Add(o.Delay)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if q.tracker.trouble.twice {
		for _, o := range out[:len(out):len(out)] {
			if o.Task.Hops == 0 { // else duplicates of duplicates without end
				out = append(out, o)
			}
		}
	}
	return q.tracker.trouble.do(ctx, func() error { return q.Queue.Send(ctx, out) })
}

// hostList lists the hosts that wait.
type hostList struct{ c *cloud }

func (l hostList) Standings(ctx context.Context, crawl string) ([]frontier.Standing, error) {
	hosts, err := l.c.store.Hosts(ctx, crawl, 1<<20)
	if err != nil {
		return nil, err
	}
	l.c.tracker.mu.Lock()
	for _, m := range l.c.tracker.marks { // a host may have no more than a mark
		if m.Crawl == crawl && !slices.ContainsFunc(hosts, func(h sqlitestore.HostStatus) bool { return h.Host == m.Host }) {
			hosts = append(hosts, sqlitestore.HostStatus{Host: m.Host})
		}
	}
	l.c.tracker.mu.Unlock()
	var out []frontier.Standing
	for _, h := range hosts {
		n, err := l.c.tracker.Queued(ctx, crawl, h.Host)
		if err != nil {
			return nil, err
		}
		out = append(out, frontier.Standing{Host: h.Host, Queued: n, Closed: h.Closed})
	}
	return out, nil
}

// Strike implements keeper.Hosts.
func (l hostList) Strike(ctx context.Context, crawl string, due time.Time) error {
	l.c.tracker.mu.Lock()
	var back []frontier.Link
	for key, m := range l.c.tracker.marks {
		if m.Crawl == crawl && m.Due.Before(due) {
			delete(l.c.tracker.marks, key)
			back = append(back, m.Held...)
		}
	}
	l.c.tracker.mu.Unlock()
	return l.c.store.Backlog().Add(ctx, crawl, back)
}

package clean_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/clean/cleantest"
	"sluice/shared/text/boilerplate"
)

// memory keeps lessons as an adapter does, effect by effect: each passes through
// do, where a test may hold it up or kill who has it done.
type memory struct {
	mu        sync.Mutex
	sketches  map[hostAt]*known
	marks     map[hostAt]map[string]string // version by segment
	cleanings map[string]*counter
	do        func(ctx context.Context, effect func()) error
}

type hostAt struct{ crawl, host string }

type known struct {
	sketch    *boilerplate.Sketch
	revision  int
	version   string
	edition   int64
	announced int64
}

type counter struct {
	run     int64
	claims  int64
	by      string
	folders []string
}

func newMemory() *memory {
	m := &memory{sketches: map[hostAt]*known{}, marks: map[hostAt]map[string]string{}, cleanings: map[string]*counter{}}
	m.do = func(ctx context.Context, effect func()) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		effect()
		return ctx.Err()
	}
	return m
}

// underway is the version of a segment that is being cleaned.
const underway = "?"

var errOften = errors.New("others were faster too often")

func (m *memory) Learn(ctx context.Context, crawl, host, segment string, pages []boilerplate.Page) (*clean.Lesson, error) {
	at := hostAt{crawl, host}
	if err := m.do(ctx, func() { m.mark(at, segment, underway) }); err != nil {
		return nil, err
	}
	for range 100 {
		var held known
		err := m.do(ctx, func() {
			held = known{sketch: new(boilerplate.Sketch)}
			if k := m.sketches[at]; k != nil {
				held = *k
			}
		})
		if err != nil {
			return nil, err
		}
		next := held
		next.sketch = held.sketch.Clone()
		if next.sketch.Add(pages...) {
			next.revision++
			if next.version = next.sketch.Learned().Version(); next.version != held.version {
				next.edition++
			}
			done := false
			err := m.do(ctx, func() {
				k := m.sketches[at]
				if done = k == nil && held.revision == 0 || k != nil && k.revision == held.revision; done {
					stored := next
					m.sketches[at] = &stored
				}
			})
			if err != nil {
				return nil, err
			}
			if !done {
				continue
			}
		}
		l := &clean.Lesson{Learned: next.sketch.Learned(), Edition: next.edition, News: next.edition != next.announced}
		if !l.News {
			return l, nil
		}
		return l, m.do(ctx, func() {
			for name, version := range m.marks[at] {
				if name != segment && version != next.version {
					l.Stale = append(l.Stale, name)
				}
			}
		})
	}
	return nil, errOften
}

func (m *memory) mark(at hostAt, segment, version string) {
	if m.marks[at] == nil {
		m.marks[at] = map[string]string{}
	}
	m.marks[at][segment] = version
}

func (m *memory) Announced(ctx context.Context, crawl, host string, edition int64) error {
	return m.do(ctx, func() {
		if k := m.sketches[hostAt{crawl, host}]; k != nil && k.edition == edition {
			k.announced = edition
		}
	})
}

func (m *memory) cleaning(crawl, segment string) *counter {
	key := crawl + "/" + segment
	if m.cleanings[key] == nil {
		m.cleanings[key] = new(counter)
	}
	return m.cleanings[key]
}

func (m *memory) Begin(ctx context.Context, crawl, segment string) (run int64, err error) {
	err = m.do(ctx, func() {
		c := m.cleaning(crawl, segment)
		c.run, c.by = c.run+1, ""
		run = c.run
	})
	return run, err
}

func (m *memory) Claim(ctx context.Context, crawl, segment, by string) (mine bool, before int64, err error) {
	err = m.do(ctx, func() {
		c := m.cleaning(crawl, segment)
		if mine = c.by == "" || c.by == by; mine {
			c.by, before = by, c.claims
			c.claims++
		}
	})
	return mine, before, err
}

func (m *memory) Leave(ctx context.Context, crawl, segment string, folders []string) (all []string, err error) {
	err = m.do(ctx, func() {
		c := m.cleaning(crawl, segment)
		for _, f := range folders {
			if !slices.Contains(c.folders, f) {
				c.folders = append(c.folders, f)
			}
		}
		all = slices.Clone(c.folders)
	})
	return all, err
}

func (m *memory) End(ctx context.Context, crawl, segment string, run int64, versions map[string]string) (alone bool, err error) {
	for host, version := range versions {
		if err := m.do(ctx, func() { m.mark(hostAt{crawl, host}, segment, version) }); err != nil {
			return false, err
		}
	}
	err = m.do(ctx, func() {
		c := m.cleaning(crawl, segment)
		alone = c.run == run && c.by == ""
	})
	return alone, err
}

func TestMemory(t *testing.T) {
	cleantest.Run(t, func(*testing.T) cleantest.Store { return newMemory() })
}

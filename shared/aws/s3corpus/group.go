package s3corpus

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"sluice/shared/state/corpus"
)

// group is the work on one crawl: the segment that takes records and the one
// before, while that is written to S3. A segment whose write failed is kept and
// written again, the same bytes at the same key, before any later one. So a
// caller that waits for its records waits for the right segment, and a failed
// write that was applied does no harm.
//
// The mutex of Segments guards all fields.
type group struct {
	s     *Segments
	crawl string
	tasks int  // in progress
	begun bool // there were tasks, and every record is theirs

	open     *segment // takes records; nil before the first
	sealed   *segment // being written to S3, or to be written again; nil if none
	writing  bool     // a goroutine is at it
	segments int      // begun so far
	waiters  []*waiter

	places  window[corpus.Location] // of documents
	rejects window[corpus.Location] // of rejects; with the segment alone where there is no response
}

// waiter is a call that waits for a segment to be in S3.
type waiter struct {
	number int // of the segment
	done   chan error
}

// idle reports whether no call or goroutine is in the group.
func (g *group) idle() bool { return g.tasks == 0 && len(g.waiters) == 0 && !g.writing }

// holds reports whether there are records not yet in S3.
func (g *group) holds() bool { return g.open != nil || g.sealed != nil }

func (g *group) full() bool { return g.open != nil && g.open.size() >= g.s.opts.MaxBytes }

// ready reports whether the open segment should be written.
func (g *group) ready() bool {
	everyoneWaits := len(g.waiters) > 0 && len(g.waiters) >= g.tasks
	return g.open != nil && (everyoneWaits || g.open.late || g.full())
}

// room waits while the open segment is full and the one before is not in S3.
func (g *group) room(ctx context.Context) error {
	for g.full() && g.sealed != nil {
		if err := g.wait(ctx, g.sealed.number); err != nil {
			return err
		}
	}
	return nil
}

// segment returns the open segment. It starts one only for a record: a segment
// without records is never written.
func (g *group) segment() *segment {
	if g.open == nil {
		g.segments++
		g.open = g.s.newSegment(g.crawl, g.segments)
	}
	return g.open
}

// sync waits until everything put so far is in S3.
func (g *group) sync(ctx context.Context) error {
	switch {
	case g.open != nil:
		if g.open.timer == nil {
			g.open.timer = time.AfterFunc(g.s.opts.MaxWait, g.lateness(g.open))
		}
		return g.wait(ctx, g.open.number)
	case g.sealed != nil:
		return g.wait(ctx, g.sealed.number)
	}
	return nil
}

// lateness returns the function called when the first waiter of a segment has
// waited long enough.
func (g *group) lateness(seg *segment) func() {
	return func() {
		g.s.mu.Lock()
		defer g.s.mu.Unlock()
		seg.late = true
		g.advance()
	}
}

// wait waits for a segment to be in S3. The mutex is released meanwhile.
func (g *group) wait(ctx context.Context, number int) error {
	w := &waiter{number: number, done: make(chan error, 1)}
	g.waiters = append(g.waiters, w)
	g.advance()
	g.s.mu.Unlock()
	var err error
	select {
	case err = <-w.done:
	case <-ctx.Done():
		err = fmt.Errorf("wait for segment: %w", ctx.Err())
	}
	g.s.mu.Lock()
	g.waiters = slices.DeleteFunc(g.waiters, func(other *waiter) bool { return other == w })
	return err
}

// advance starts a write if one is due. Everything that can make one due calls
// it.
func (g *group) advance() {
	if !g.writing && g.due() {
		g.writing = true
		go g.write()
	}
}

// due reports whether to write the sealed segment now. If there is none, it
// seals the open one if that is due.
func (g *group) due() bool {
	if g.sealed != nil {
		awaited := func(w *waiter) bool { return w.number <= g.sealed.number }
		return g.ready() || slices.ContainsFunc(g.waiters, awaited)
	}
	if !g.ready() {
		return false
	}
	g.sealed, g.open = g.open, nil
	g.sealed.stop()
	return true
}

// write writes until nothing is due or a write fails. Then it wakes everyone
// who waits, even for a later segment, since their records may be in this one.
func (g *group) write() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for more := true; more; {
		seg := g.sealed
		g.s.mu.Unlock()
		err := g.s.write(seg)
		g.s.mu.Lock()
		if err != nil {
			g.dismiss(math.MaxInt, err)
			break
		}
		g.sealed = nil
		g.dismiss(seg.number, nil)
		more = g.due()
	}
	g.writing = false
	g.abandon()
}

// dismiss ends the wait for segments up to a number.
func (g *group) dismiss(number int, err error) {
	g.waiters = slices.DeleteFunc(g.waiters, func(w *waiter) bool {
		if w.number > number {
			return false
		}
		w.done <- err
		return true
	})
}

// abandon drops a group whose tasks have all ended and left records that they
// did not wait for: Sync has not returned success for any of these.
func (g *group) abandon() {
	if !g.begun || !g.idle() || !g.holds() {
		return
	}
	if g.open != nil {
		g.open.stop()
	}
	delete(g.s.groups, g.crawl)
}

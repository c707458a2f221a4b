package clean

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"sluice/shared/text/boilerplate"
)

// Lessons stores the boilerplate of the hosts of crawls, and the lessons that
// each segment with their pages was last cleaned with.
//
// The same pages give the same lesson, as in boilerplate.Store. Pages come at
// least once, in any order, to any number of concurrent cleaners.
type Lessons interface {
	// Learn first records that a segment with pages of a host is being cleaned,
	// with no lesson yet; then it adds the pages to the lesson of the host, and
	// returns it. Of two calls for a host one sees the pages of the other.
	Learn(ctx context.Context, crawl, host, segment string, pages []boilerplate.Page) (*Lesson, error)

	// Announced records that all segments cleaned with other lessons than that
	// of an edition have been requested. If there is a later edition, it does
	// nothing.
	Announced(ctx context.Context, crawl, host string, edition int64) error
}

// Lesson is the known boilerplate of a host.
type Lesson struct {
	Learned *boilerplate.Learned

	// Edition counts the changes of the lesson, even to an earlier content. 0:
	// it was always empty.
	Edition int64

	// Stale are the other segments that were not cleaned with this lesson and
	// so must be cleaned again: none if that is announced.
	Stale []string
	News  bool // it is not announced
}

// Cleanings keeps account of who cleans which segment.
type Cleanings interface {
	// Begin returns the number of a new cleaning, higher than all of the
	// segment's before. A request for the segment from now on asks for another
	// one.
	Begin(ctx context.Context, crawl, segment string) (run int64, err error)

	// Claim is called before requesting another cleaning of a segment. It
	// reports whether no other caller has claimed it since the last Begin, and,
	// if so, how often it was claimed before. The same caller may repeat it, if
	// its message may not have been sent.
	Claim(ctx context.Context, crawl, segment, by string) (mine bool, before int64, err error)

	// Leave notes that a cleaning is about to write to these folders, and returns
	// all that one of the segment's cleanings has written to, or may have.
	Leave(ctx context.Context, crawl, segment string, folders []string) ([]string, error)

	// End records the versions of these hosts' lessons that a segment was
	// cleaned with, and reports whether no other cleaning of it has begun since
	// its own, nor been claimed.
	End(ctx context.Context, crawl, segment string, run int64, versions map[string]string) (alone bool, err error)
}

// Again has segments cleaned again.
type Again interface {
	// Again sends a message like that of the segment's first arrival, delayed
	// by a time that grows with the number of earlier ones.
	Again(ctx context.Context, key string, before int64) error
}

// requests is how many hosts, and of each how many of their segments, are under way
// at a time: a segment has pages of dozens of hosts, a large host thousands of
// segments, and a function has a minute.
const requests = 32

// ask requests another cleaning of a segment, unless another cleaner has
// requested it already. It reports whether the message is sent.
func (s *segment) ask(ctx context.Context, name string) (bool, error) {
	mine, before, err := s.ports.Cleanings.Claim(ctx, s.crawl, name, s.name)
	if err != nil || !mine {
		return false, err
	}
	return true, s.ports.Again.Again(ctx, rawFolder+s.crawl+"/"+name, before)
}

// announce requests another cleaning of all segments that were cleaned with
// another lesson. If another cleaner has claimed one of them, the lesson stays
// news, and that cleaner continues: should it die, its segment is delivered
// again. Each cleaner starts at another segment, so that a segment that is
// never cleaned only delays those after it. It reports whether the announcement
// is complete.
func (s *segment) announce(ctx context.Context, host string, l *Lesson) (bool, error) {
	if !l.News {
		return true, nil
	}
	stale := slices.Sorted(slices.Values(l.Stale))
	first, _ := slices.BinarySearch(stale, s.name)
	var refused atomic.Bool
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(requests)
	for _, name := range slices.Concat(stale[first:], stale[:first]) {
		if refused.Load() || gctx.Err() != nil {
			break
		}
		g.Go(func() error {
			sent, err := s.ask(gctx, name)
			if !sent {
				refused.Store(true)
			}
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil || refused.Load() {
		return false, err
	}
	return true, s.ports.Lessons.Announced(ctx, s.crawl, host, l.Edition)
}

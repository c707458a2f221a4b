package clean

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"sluice/shared/text/boilerplate"
)

// Lessons keeps what is learned of the hosts of crawls, and by what each segment
// with pages of theirs was cleaned last.
//
// What is learned is the same for the same pages, as boilerplate.Store has it.
// Pages come at least once, in any order, to any number of cleaners at a time.
type Lessons interface {
	// Learn first notes that a segment with pages of a host is being cleaned, by
	// nothing known; then it adds the pages to what is known of the host, and
	// returns that. Of two calls for a host one sees the pages of the other.
	Learn(ctx context.Context, crawl, host, segment string, pages []boilerplate.Page) (*Lesson, error)

	// Announced notes that all segments that were cleaned by other lessons than
	// that of an edition have been asked for. Where there is a later edition, it
	// does nothing.
	Announced(ctx context.Context, crawl, host string, edition int64) error
}

// Lesson is what is known of a host.
type Lesson struct {
	Learned *boilerplate.Learned

	// Edition counts how often the lesson became another: a later one may teach
	// the same as an earlier one did. 0: it was nothing from the first.
	Edition int64

	// Stale are the other segments that were not cleaned by this lesson, so that
	// they have to be again: none where that is announced.
	Stale []string
	News  bool // it is not announced
}

// Cleanings keeps account of who cleans which segment.
type Cleanings interface {
	// Begin numbers a cleaning: higher than all of the segment's before. Who asks
	// for the segment from then on asks for another.
	Begin(ctx context.Context, crawl, segment string) (run int64, err error)

	// Claim is called by who is about to ask for another cleaning of a segment.
	// It reports whether nobody else has since the last Begin, and, if so, how
	// often it was claimed before: it may be called again by the same one, whose
	// message may not have been sent.
	Claim(ctx context.Context, crawl, segment, by string) (mine bool, before int64, err error)

	// Leave notes that a cleaning is about to write to these folders, and returns
	// all that one of the segment's cleanings has written to, or may have.
	Leave(ctx context.Context, crawl, segment string, folders []string) ([]string, error)

	// End notes by which version of these hosts' lessons a segment was cleaned, and
	// reports whether no other cleaning of it has begun since its own, nor been
	// claimed.
	End(ctx context.Context, crawl, segment string, run int64, versions map[string]string) (alone bool, err error)
}

// Again has segments cleaned again.
type Again interface {
	// Again sends a message like that of the segment's first arrival, some time
	// from now: later the more often it was asked for before.
	Again(ctx context.Context, key string, before int64) error
}

// requests is how many hosts, and of each how many of their segments, are under way
// at a time: a segment has pages of dozens of hosts, a large host thousands of
// segments, and a function has a minute.
const requests = 32

// ask has a segment cleaned again, unless another has asked for that already. It
// reports whether the message is sent.
func (s *segment) ask(ctx context.Context, name string) (bool, error) {
	mine, before, err := s.ports.Cleanings.Claim(ctx, s.crawl, name, s.name)
	if err != nil || !mine {
		return false, err
	}
	return true, s.ports.Again.Again(ctx, rawFolder+s.crawl+"/"+name, before)
}

// announce has all segments cleaned again that were cleaned by another lesson.
// Where another cleaner is at it with one of them, the lesson stays news, and it
// is left to that cleaner: should it die, its segment comes back and goes on with
// it. Each cleaner begins elsewhere, so that one segment that is never cleaned
// keeps none waiting but those behind it. It reports whether the lesson is no news
// any more.
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

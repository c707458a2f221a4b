package clean

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/crawl/reading"
	"sluice/shared/text/boilerplate"
)

// maxDrafts limits the text waiting for boilerplate of its hosts, in bytes.
const maxDrafts = 16 << 20

// segment is the cleaning of one.
type segment struct {
	*Cleaner
	crawl, name string
	reader      *reading.Reader
	run         int64 // number of the cleaning
	decided     Decisions
	seen        map[string]bool

	versions map[string]string // of the lesson that the pages of a host were cleaned by
	news     map[string]string // of these, the ones being announced
	mixed    bool              // some of a host's pages were cleaned by one, some by another

	documents, rejects []byte // JSON lines
}

// take reads the relevant pages in order. Of repeated ones it keeps the first.
func (s *segment) take(ctx context.Context, pages []*Page) error {
	var drafts []*Pending
	size := 0
	for _, p := range pages {
		if !p.counts || p.url != "" && s.seen[p.url] {
			continue
		}
		s.seen[p.url] = true
		d := p.Pending(s.reader)
		drafts = append(drafts, d)
		if size += d.size(); size < maxDrafts {
			continue
		}
		if err := s.finish(ctx, drafts); err != nil {
			return err
		}
		drafts, size = drafts[:0], 0
	}
	return s.finish(ctx, drafts)
}

// finish learns boilerplate from drafts, and adds them to the output without
// it.
func (s *segment) finish(ctx context.Context, drafts []*Pending) error {
	byHost := map[string][]boilerplate.Page{}
	for _, d := range drafts {
		host, page, ok := d.Learn()
		if !ok {
			continue
		}
		pages := byHost[host]     // the lines of its host are wanted in any case
		if d.page.before == nil { // and learned from what the step has kept
			pages = append(pages, page)
		}
		byHost[host] = pages
	}
	learned, err := s.learn(ctx, byHost)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		if err := s.add(d, learned[d.host]); err != nil {
			return err
		}
	}
	return nil
}

// learn adds pages to the lessons of their hosts, several hosts at a time, and
// returns the lessons.
func (s *segment) learn(ctx context.Context, byHost map[string][]boilerplate.Page) (map[string]*boilerplate.Learned, error) {
	var mu sync.Mutex
	learned := map[string]*boilerplate.Learned{}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(requests)
	for host, pages := range byHost {
		g.Go(func() error {
			lesson, told, err := s.learnHost(gctx, host, pages)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			learned[host] = lesson
			s.note(host, lesson.Version(), told)
			return nil
		})
	}
	return learned, g.Wait()
}

// learnHost adds pages to the lesson of a host. If the lesson changes, it
// requests cleaning of the segments cleaned with the old one.
func (s *segment) learnHost(ctx context.Context, host string, pages []boilerplate.Page) (l *boilerplate.Learned, told bool, err error) {
	lesson, err := s.ports.Lessons.Learn(ctx, s.crawl, host, s.name, pages)
	if err != nil {
		return nil, false, fmt.Errorf("learn from %d pages of %s: %w", len(pages), host, err)
	}
	if told, err = s.announce(ctx, host, lesson); err != nil {
		return nil, false, fmt.Errorf("announce what is known of %s: %w", host, err)
	}
	return lesson.Learned, told, nil
}

// note records the lesson that the pages of a host are cleaned with.
func (s *segment) note(host, version string, told bool) {
	if delete(s.news, host); !told {
		s.news[host] = version
	}
	if before, ok := s.versions[host]; ok && before != version {
		s.mixed = true
	}
	s.versions[host] = version
}

// add writes the result of a draft.
func (s *segment) add(d *Pending, learned *boilerplate.Learned) (err error) {
	document, reject := d.page.decided(d.Without(learned))
	if document != nil {
		if s.documents, err = document.AppendJSON(s.documents); err != nil {
			return fmt.Errorf("encode document of %s: %w", d.page.url, err)
		}
		return nil
	}
	if s.rejects, err = reject.AppendJSON(s.rejects); err != nil {
		return fmt.Errorf("encode reject of %s: %w", d.page.url, err)
	}
	return nil
}

// end records that the segment is clean, and with which lessons: a later lesson
// makes it stale. It is cleaned again if another cleaning has begun meanwhile,
// since it is unknown whose output was stored last, or if the pages of a host
// were cleaned with two lessons. The same holds if another cleaner has claimed
// it meanwhile, which may have died before it sent the request and would see no
// reason to send it when it returns.
func (s *segment) end(ctx context.Context) error {
	if s.mixed {
		s.news = nil
	}
	alone, err := s.ports.Cleanings.End(ctx, s.crawl, s.name, s.run, s.news)
	if err != nil {
		return fmt.Errorf("note the cleaning: %w", err)
	}
	if alone && !s.mixed {
		return nil
	}
	sent, err := s.ask(ctx, s.name)
	if err == nil && !sent {
		err = s.ports.Again.Again(ctx, rawFolder+s.crawl+"/"+s.name, 0)
	}
	if err != nil {
		return fmt.Errorf("ask for another cleaning: %w", err)
	}
	return nil
}

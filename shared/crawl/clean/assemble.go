package clean

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/crawl/reading"
	"sluice/shared/text/boilerplate"
)

// maxDrafts is how much text may wait for what is known of its hosts, in bytes.
const maxDrafts = 16 << 20

// segment is the cleaning of one.
type segment struct {
	*Cleaner
	crawl, name string
	reader      *reading.Reader
	run         int64 // number of the cleaning
	seen        map[string]bool

	versions map[string]string // of the lesson that the pages of a host were cleaned by
	news     map[string]string // of them those that are being announced
	mixed    bool              // some of a host's pages were cleaned by one, some by another

	documents, rejects []byte // JSON lines
}

// take reads the pages that count, in their order. Of what stands twice the
// first stays.
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

// finish learns from drafts, and adds to the output what they are without what
// is known then.
func (s *segment) finish(ctx context.Context, drafts []*Pending) error {
	byHost := map[string][]boilerplate.Page{}
	for _, d := range drafts {
		if host, page, ok := d.Learn(); ok {
			byHost[host] = append(byHost[host], page)
		}
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

// learn adds pages to what is known of their hosts, some hosts at a time, and
// returns what that is.
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

// learnHost adds pages to what is known of a host. Where that makes another lesson
// of it, the segments that were cleaned by the old one are asked for.
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

// note keeps by what the pages of a host are cleaned.
func (s *segment) note(host, version string, told bool) {
	if delete(s.news, host); !told {
		s.news[host] = version
	}
	if before, ok := s.versions[host]; ok && before != version {
		s.mixed = true
	}
	s.versions[host] = version
}

// add writes what a draft turns out to be.
func (s *segment) add(d *Pending, learned *boilerplate.Learned) (err error) {
	document, reject := d.Without(learned)
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

// end notes that the segment is clean, for those who announce what it was cleaned
// by: a lesson that comes after that makes it stale in any case. Where another
// cleaning has begun in the meantime, nobody can tell whose output stands; where
// the pages of a host were cleaned by two lessons, it is no one lesson's. Then it
// is cleaned again; also where another cleaner has claimed that meanwhile, who may
// have died before it asked, and find no reason to when it comes back.
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

package sift

import (
	"context"
	"errors"

	"github.com/zeebo/xxh3"

	"sluice/shared/text/boilerplate"
)

// maxHosts is of how many hosts of an input, the first ones, their boilerplate
// is learned.
const maxHosts = 10_000

// first is the pass in which every page of an input is read. Boilerplate is
// learned on it, and removed by a second one.
type first struct {
	sift   *Sift
	in     input
	out    *output
	result *Result

	urls  map[uint64]struct{} // of documents, where one URL has one
	kept  []bool              // by task; of an archive, the only kind that has a second pass
	hosts map[string]*boilerplate.Sketch
}

// pass reads an input, and some pages again with what it has learned by then.
func (s *Sift) pass(ctx context.Context, src *source, r *Result) error {
	out, err := s.folder.begin(src.input, partEnding)
	if err != nil {
		return err
	}
	r.Kind = src.kind
	p := &first{sift: s, in: src.input, out: out, result: r, urls: map[uint64]struct{}{}, hosts: map[string]*boilerplate.Sketch{}}
	sv := &sieve{workers: s.spec.Workers, work: func(t *task) { t.run(s.reader, s.forgotten, nil) }, write: p.write}
	if err := sv.run(ctx, src.tasks()); err != nil {
		return errors.Join(err, out.discard())
	}
	r.Records, r.Skipped, r.Types, r.Bytes = src.seen.Records, src.seen.Skipped, src.seen.Types, src.raw.n
	r.Kind = src.kind // which may turn out to be WET
	if sites := p.learned(); len(sites) > 0 {
		return errors.Join(s.again(ctx, src.input, p, sites), out.discard())
	}
	return out.commit()
}

// write writes the result of a page, when its turn has come.
func (p *first) write(t *task) error {
	if t.err == nil && t.document != nil && t.once && !p.firstOf(t.document.FinalURL) {
		t.repeated()
	}
	stays := t.reject == nil
	if err := p.out.write(t, stays); err != nil {
		return err
	}
	r := p.result
	if r.Kind != JSONL {
		p.kept = append(p.kept, stays)
		p.learn(t)
	}
	if stays {
		r.Kept++
		p.sift.kept.Add(1)
	} else {
		r.reject(t.reject.Rule)
	}
	r.Pages = r.Kept + r.Rejected - r.Damaged
	p.sift.pages.Add(1)
	return nil
}

// firstOf reports whether no document of this URL was there before.
func (p *first) firstOf(url string) bool {
	n := len(p.urls)
	p.urls[xxh3.HashString(url)] = struct{}{}
	return len(p.urls) > n
}

// learn takes up what a document shows of its host.
func (p *first) learn(t *task) {
	if t.host == "" {
		return
	}
	sketch := p.hosts[t.host]
	if sketch == nil {
		if len(p.hosts) == maxHosts {
			return
		}
		sketch = new(boilerplate.Sketch)
		p.hosts[t.host] = sketch
	}
	sketch.Add(t.lesson)
}

// learned is what the input shows about its hosts, without those about which it
// shows nothing.
func (p *first) learned() map[string]*boilerplate.Learned {
	sites := map[string]*boilerplate.Learned{}
	for host, sketch := range p.hosts {
		if l := sketch.Learned(); l.Version() != "" {
			sites[host] = l
		}
	}
	return sites
}

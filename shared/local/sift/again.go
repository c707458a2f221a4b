package sift

import (
	"bufio"
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"sluice/shared/text/boilerplate"
	"sluice/shared/web/urlnorm"
)

// second is the pass in which the documents of hosts that are known by now are
// made again; all else is taken over from the first.
type second struct {
	first              *first
	sites              map[string]*boilerplate.Learned
	documents, rejects *bufio.Reader // of the first pass
	out                *output
	read               int // tasks
}

// again goes through an input a second time.
func (s *Sift) again(ctx context.Context, in input, p *first, sites map[string]*boilerplate.Learned) error {
	src, err := openSource(ctx, in, new(atomic.Int64))
	if err != nil {
		return err
	}
	defer src.close()
	documents, rejects, end, err := p.out.reread()
	if err != nil {
		return err
	}
	defer end()
	out, err := s.folder.begin(in, againEnding)
	if err != nil {
		return err
	}
	again := &second{first: p, sites: sites, documents: documents, rejects: rejects, out: out}
	sv := &sieve{workers: s.spec.Workers, work: again.work, write: again.write}
	if err = sv.run(ctx, again.tasks(src)); err == nil && again.read < len(p.kept) {
		err = errChanged(in)
	}
	if err != nil {
		return errors.Join(err, out.discard())
	}
	return out.commit()
}

func errChanged(in input) error { return unreadable("read %s: it was changed meanwhile", in.path) }

// tasks are those of the source, with their results in the first pass.
func (p *second) tasks(src *source) iter.Seq2[*task, error] {
	return func(yield func(*task, error) bool) {
		for t, err := range src.tasks() {
			switch {
			case err != nil:
			case p.read == len(p.first.kept):
				t, err = nil, errChanged(src.input)
			default:
				t.stayed = p.first.kept[p.read]
				p.read++
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// work makes a document again of whose host something is known.
func (p *second) work(t *task) {
	if t.page == nil || !t.stayed {
		return
	}
	u, err := urlnorm.Parse(t.uri)
	if err != nil {
		return
	}
	if site := p.sites[u.Host()]; site != nil {
		t.run(p.first.sift.reader, p.first.sift.forgotten, site)
	}
}

// write writes the new result of a page, or else the earlier one.
func (p *second) write(t *task) error {
	from := p.rejects
	if t.stayed {
		from = p.documents
	}
	before, err := from.ReadBytes('\n')
	if err != nil {
		return errChanged(p.first.in)
	}
	if t.line == nil && t.err == nil {
		t.line = before
		return p.out.write(t, t.stayed)
	}
	if t.reject != nil {
		p.first.result.Kept--
		p.first.result.reject(t.reject.Rule)
	}
	return p.out.write(t, t.reject == nil)
}

// Package sift makes a corpus from existing archives, without a crawl: WARC
// files, Common Crawl's WET files and JSON lines. Pages are read and judged as
// in a crawl (METHOD A1, A8, A13), and the records are the same; fields that
// no archive has, such as the path to a page, are empty.
//
// Each input becomes corpus/NAME.jsonl and rejects/NAME.jsonl, in its own order
// and completely or not at all. So the outcome depends only on the inputs and the
// topic, and a sift that was killed continues with the input at which it stopped.
// Pages that were forgotten in the folder (local.Forget) do not come back.
package sift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/reading"
	"sluice/shared/local"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/forget"
	"sluice/shared/topic"
)

// Mistakes of a Spec: they are the caller's, and nothing was changed.
var (
	ErrOther   = errors.New("the folder holds what another topic sifted")
	ErrForeign = errors.New("the folder holds something else")
	ErrClash   = errors.New("an input would be sifted twice")
)

// Spec says what to sift, by what, and where to.
type Spec struct {
	Dir     string
	Topic   *topic.Compiled
	Source  []byte   // the bytes that Topic was read from; they are kept in Dir
	Files   []string // paths of the inputs
	Workers int      // pages read at a time; 0: as many as there are processors

	// Done is called after each input that was read or abandoned; it may be
	// nil.
	Done func(r *Result, took time.Duration)
}

// Sift is an open output folder. Close it.
type Sift struct {
	spec      Spec
	reader    *reading.Reader
	forgotten *forget.List
	inputs    []input
	folder    *folder
	lock      io.Closer

	read, pages, kept atomic.Int64
	size              int64 // bytes of the inputs that are not done
}

// Open checks the spec and locks the folder, which is created if necessary,
// until Close.
func Open(spec Spec) (_ *Sift, err error) {
	spec.Workers = cmp.Or(spec.Workers, runtime.GOMAXPROCS(0))
	if err := checkTwice(spec.Files); err != nil {
		return nil, err
	}
	s := &Sift{spec: spec}
	if err := os.MkdirAll(spec.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make output folder: %w", err)
	}
	if s.lock, err = filecorpus.Lock(spec.Dir); err != nil {
		return nil, err
	}
	if s.folder, s.inputs, err = openFolder(&s.spec); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.reader, err = plan.Reader(s.spec.Topic); err != nil {
		return nil, errors.Join(fmt.Errorf("read topic %s: %w", spec.Topic.File.Name, err), s.Close())
	}
	if s.forgotten, err = local.ReadForgotten(spec.Dir); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, in := range s.inputs {
		if info, err := os.Stat(in.path); err == nil && in.before == nil {
			s.size += info.Size()
		}
	}
	return s, nil
}

// Close unlocks the folder.
func (s *Sift) Close() error { return s.lock.Close() }

// Run sifts the inputs one after the other. One that cannot be read is reported
// in its Result, and leaves nothing; the others are done. An error means that
// the folder cannot be written, or that ctx has ended. The report has what was
// done until then.
func (s *Sift) Run(ctx context.Context) (*Report, error) {
	report := s.newReport()
	for _, in := range s.inputs {
		if err := context.Cause(ctx); err != nil {
			return report, err
		}
		begun := time.Now()
		if in.before != nil {
			r := *in.before
			r.Before = true
			report.add(&r)
			continue
		}
		r, err := s.sift(ctx, in)
		switch {
		case err != nil && ctx.Err() != nil:
			return report, context.Cause(ctx)
		case err != nil:
			return report, fmt.Errorf("sift %s: %w", in.path, err)
		}
		report.add(r)
		if s.spec.Done != nil {
			s.spec.Done(r, time.Since(begun))
		}
	}
	return report, nil
}

// sift sifts one input.
func (s *Sift) sift(ctx context.Context, in input) (*Result, error) {
	r := newResult(in)
	src, err := openSource(ctx, in, &s.read)
	if err != nil {
		r.fail(err)
		return r, nil
	}
	defer src.close()
	r.Size = src.size
	err = s.pass(ctx, src, r)
	var unreadable *unreadableError
	switch {
	case errors.As(err, &unreadable) && ctx.Err() == nil:
		r.fail(unreadable)
		return r, nil
	case err != nil:
		return nil, err
	}
	return r, s.folder.note(r)
}

// Progress is how far a running sift has come.
type Progress struct {
	Read, Size  int64 // bytes of the inputs, as they are stored
	Pages, Kept int64
}

// Progress may be called while Run is running.
func (s *Sift) Progress() Progress {
	return Progress{Read: s.read.Load(), Size: s.size, Pages: s.pages.Load(), Kept: s.kept.Load()}
}

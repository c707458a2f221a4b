package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sluice/shared/state/corpus"
)

// Run removes pages from a place for good: from the corpus, the rejects, the
// archives and the ledger. The place refuses them from then on; every other record
// stays where it is. Records of other pages lose what names such a page: that they
// were found on it, by which anchor, and that they repeat it.
//
// Run finds and notes what goes before it changes anything. A call that is
// interrupted leaves every file whole; the next one, for any targets, completes it,
// and the log has what went in both.
func Run(ctx context.Context, p Place, targets []Target, opts Options) (*Outcome, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Effect == nil {
		opts.Effect = func(string) error { return nil }
	}
	if opts.Progress == nil {
		opts.Progress = func(int, int) {}
	}
	r := &run{
		place: p, opts: opts,
		plan: &Plan{Outcome: &Outcome{Files: []string{}, Damaged: []string{}}, At: opts.Now()},
	}
	if err := r.run(ctx, targets); err != nil {
		return nil, err
	}
	return r.plan.Outcome, nil
}

// run is one call of Run.
type run struct {
	place Place
	opts  Options
	plan  *Plan
	begun *note // of an interrupted call, or of this one once it is noted; nil: none

	files     *Listing
	edits     []edit
	done, all int // files, each as often as it is read
}

// edit is a file that has to change.
type edit struct {
	name  string
	lines Edit // nil for an archive
}

func (r *run) run(ctx context.Context, targets []Target) error {
	if err := r.takeUp(ctx, targets); err != nil {
		return err
	}
	if err := r.survey(ctx); err != nil {
		return err
	}
	r.sumUp()
	if r.opts.DryRun {
		return nil
	}
	anew := r.begun == nil
	if err := r.noteBegun(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil && anew { // nothing has changed
		return errors.Join(err, r.place.SetNote(context.WithoutCancel(ctx), nil))
	}
	before, after := r.place.Effects(r.plan)
	for i, e := range slices.Concat(before, r.replacements(), after, r.ending()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.opts.Effect(e.Name); err != nil {
			return err
		}
		if err := e.Do(ctx); err != nil {
			if _, refused := errors.AsType[Refusal](err); refused && i == 0 && anew {
				return errors.Join(err, r.place.SetNote(context.WithoutCancel(ctx), nil))
			}
			return err
		}
	}
	return nil
}

// survey finds what goes, and changes nothing.
func (r *run) survey(ctx context.Context) (err error) {
	if r.files, err = r.place.List(ctx); err != nil {
		return err
	}
	l, s := r.files, r.plan.Set
	r.all = len(l.Rejects) + len(l.Archives) + len(l.Corpus)
	for grown := true; grown; { // again for records that were met before their page was known to go
		if grown, err = r.meet(ctx); err != nil {
			return err
		}
	}
	if err := r.planLines(ctx, l.Rejects, s.Reject); err != nil {
		return err
	}
	lines := r.edits
	r.edits = nil
	if err := r.planArchives(ctx); err != nil {
		return err
	}
	r.edits = append(r.edits, lines...)
	if err := r.planLines(ctx, l.Corpus, s.Document); err != nil {
		return err
	}
	err = r.place.Survey(ctx, r.plan)
	s.EndCount()
	return err
}

// each opens files, several at a time, and calls use for one at a time.
func (r *run) each(ctx context.Context, names []string, use func(name string, f io.Reader) error) error {
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.files.AtOnce, 1))
	for _, name := range names {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			f, err := r.place.Open(ctx, name)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			err = use(name, f)
			r.done++
			r.opts.Progress(r.done, r.all)
			return of(name, errors.Join(err, f.Close()))
		})
	}
	return g.Wait()
}

// of names the file that an error is about.
func of(name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// meet learns from records and the ledger which URLs are of one page, and reports
// whether the set has grown.
func (r *run) meet(ctx context.Context) (grown bool, err error) {
	s, lines := r.plan.Set, slices.Concat(r.files.Corpus, r.files.Rejects)
	r.all += len(lines) + len(r.files.Uncleaned)
	err = r.each(ctx, lines, func(_ string, f io.Reader) error {
		return EachLine(f, func(line []byte) error {
			more, err := s.Meet(line)
			grown = grown || more
			if r.torn(line, err) {
				return nil
			}
			return err
		})
	})
	if err != nil {
		return false, err
	}
	err = r.each(ctx, r.files.Uncleaned, func(_ string, f io.Reader) error {
		for rec, err := range corpus.ReadWARC(f) { // planArchives reports the errors
			if err == nil && rec.Type == "metadata" && rec.ConcurrentTo != "" {
				grown = s.MeetTrace(rec.Block) || grown
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for more := true; more; grown = grown || more {
		if more, err = r.place.Meet(ctx, s); err != nil {
			return false, err
		}
	}
	return grown, nil
}

// torn reports whether an error is about an incomplete line that a crawl will cut
// off.
func (r *run) torn(line []byte, err error) bool {
	return err != nil && r.files.Open && !bytes.HasSuffix(line, []byte("\n"))
}

// planLines finds the files of lines that have to change.
func (r *run) planLines(ctx context.Context, names []string, lines Edit) error {
	whole := func(line []byte) ([]byte, error) {
		out, err := lines(line)
		if r.torn(line, err) {
			return line, nil
		}
		return out, err
	}
	change := map[string]bool{}
	err := r.each(ctx, names, func(name string, f io.Reader) (err error) {
		change[name], err = CopyLines(io.Discard, f, whole)
		return err
	})
	r.add(names, change, whole)
	return err
}

// planArchives finds the archives that have to change, and where they are damaged.
func (r *run) planArchives(ctx context.Context) error {
	change, damage := map[string]bool{}, map[string][]error{}
	err := r.each(ctx, r.files.Archives, func(name string, f io.Reader) error {
		patches, damaged, err := r.plan.Set.Archive(f)
		change[name], damage[name] = len(patches) > 0, damaged
		return err
	})
	for _, name := range r.files.Archives {
		for _, d := range damage[name] {
			r.plan.Damaged = append(r.plan.Damaged, fmt.Sprintf("%s: %v", name, d))
		}
	}
	r.add(r.files.Archives, change, nil)
	return err
}

func (r *run) add(names []string, change map[string]bool, lines Edit) {
	for _, name := range names {
		if change[name] {
			r.edits = append(r.edits, edit{name, lines})
			r.plan.Files = append(r.plan.Files, name)
		}
	}
}

// replacements are the effects on files: archives first, documents last.
func (r *run) replacements() []Effect {
	effects := make([]Effect, 0, len(r.edits))
	for _, e := range r.edits {
		effects = append(effects, Effect{"file " + e.name, func(ctx context.Context) error {
			return r.place.Replace(ctx, e.name, func(w io.Writer) error { return r.rewrite(ctx, e, w) })
		}})
	}
	return effects
}

// rewrite writes a file without what goes.
func (r *run) rewrite(ctx context.Context, e edit, w io.Writer) error {
	f, err := r.place.Open(ctx, e.name)
	if err != nil {
		return err
	}
	if e.lines != nil {
		_, err = CopyLines(w, f, e.lines)
	} else {
		err = r.patch(w, f)
	}
	return of(e.name, errors.Join(err, f.Close()))
}

// patch reads an archive twice: the patches of all archives together may be more
// than memory holds.
func (r *run) patch(w io.Writer, f io.ReadSeeker) error {
	patches, _, err := r.plan.Set.Archive(f)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read again: %w", err)
	}
	return Apply(w, f, patches, r.plan.At)
}

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"sluice/shared/dataset/export"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/forget"
)

// filesIn returns the files of a folder that match a pattern, by name.
func filesIn(dir, pattern string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return path.Base(name)[0] == '.' }), nil
}

// readFile reads a file of the folder.
func readFile(name string, read func(r io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	if err := errors.Join(read(f), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (f *forgetting) open(name string, read func(r io.Reader) error) error {
	return readFile(filepath.Join(f.dir, filepath.FromSlash(name)), read)
}

// survey finds what is to go, and changes nothing.
func (f *forgetting) survey(ctx context.Context) error {
	for grown := true; grown; { // a redirect may lead to one that was met before
		var err error
		if grown, err = f.meet(ctx); err != nil {
			return err
		}
	}
	if err := f.planLines(ctx, f.rejects, f.set.Reject); err != nil {
		return err
	}
	lines := f.edits
	f.edits = nil
	if err := f.planArchives(ctx); err != nil {
		return err
	}
	f.edits = append(f.edits, lines...)
	if err := f.planLines(ctx, f.corpus, f.set.Document); err != nil {
		return err
	}
	if f.store != "" {
		if err := f.surveyStore(ctx); err != nil {
			return err
		}
	}
	f.set.EndCount()
	return f.surveyExports()
}

// meet takes in what records say of the URLs of pages, and reports whether more
// of them go than before.
func (f *forgetting) meet(ctx context.Context) (grown bool, err error) {
	for _, name := range slices.Concat(f.corpus, f.rejects) {
		err := f.open(name, func(r io.Reader) error {
			return forget.EachLine(r, func(line []byte) error {
				more, err := f.set.Meet(line)
				if f.torn(line, err) {
					return nil
				}
				grown = grown || more
				return err
			})
		})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return false, err
		}
	}
	if f.store == "" {
		return grown, nil
	}
	err = f.reader(func(st *sqlitestore.Store) error {
		for traces, err := range st.EachTrace(ctx) {
			if err != nil {
				return err
			}
			for _, trace := range traces {
				grown = f.set.MeetTrace(trace) || grown
			}
		}
		return nil
	})
	return grown, err
}

// torn reports whether an error is about half a line that a crawl will cut off.
func (f *forgetting) torn(line []byte, err error) bool {
	return err != nil && f.store != "" && !bytes.HasSuffix(line, []byte("\n"))
}

// planLines notes which files of lines have to change.
func (f *forgetting) planLines(ctx context.Context, files []string, edit forget.Edit) error {
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed := false
		err := f.open(name, func(r io.Reader) (err error) {
			changed, err = forget.CopyLines(io.Discard, r, func(line []byte) ([]byte, error) {
				out, err := edit(line)
				if f.torn(line, err) {
					return line, nil
				}
				return out, err
			})
			return err
		})
		if err != nil {
			return err
		}
		if changed {
			f.note(name, func(w io.Writer, r io.Reader) error {
				_, err := forget.CopyLines(w, r, edit)
				return err
			})
		}
		f.progress()
	}
	return nil
}

// planArchives notes which archives have to change.
func (f *forgetting) planArchives(ctx context.Context) error {
	at := f.opts.now()
	for _, name := range f.archives {
		if err := ctx.Err(); err != nil {
			return err
		}
		var patches []forget.Patch
		err := f.open(name, func(r io.Reader) error {
			var damaged []error
			var err error
			patches, damaged, err = f.set.Archive(r)
			for _, d := range damaged {
				f.out.Damaged = append(f.out.Damaged, fmt.Sprintf("%s: %v", name, d))
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(patches) > 0 {
			f.note(name, func(w io.Writer, r io.Reader) error { return forget.Apply(w, r, patches, at) })
		}
		f.progress()
	}
	return nil
}

func (f *forgetting) note(name string, apply func(w io.Writer, r io.Reader) error) {
	f.edits = append(f.edits, fileEdit{name, apply})
	f.out.Files = append(f.out.Files, name)
}

func (f *forgetting) progress() {
	f.read++
	if f.opts.Progress != nil {
		f.opts.Progress(f.read, len(f.corpus)+len(f.rejects)+len(f.archives))
	}
}

// surveyStore counts what goes out of the store.
func (f *forgetting) surveyStore(ctx context.Context) error {
	return f.reader(func(st *sqlitestore.Store) error { return st.Forget(ctx, f.storeForgetting(true)) })
}

// reader opens the store for reading.
func (f *forgetting) reader(read func(st *sqlitestore.Store) error) error {
	st, err := sqlitestore.OpenReader(f.store)
	if err != nil {
		return err
	}
	return errors.Join(read(st), st.Close())
}

// storeForgetting says what the store is to forget. The survey counts.
func (f *forgetting) storeForgetting(dry bool) *sqlitestore.Forgetting {
	tally := func(url string) *forget.Tally {
		target, ok := f.set.Find(url)
		if !ok || !dry {
			return new(forget.Tally)
		}
		return f.set.Tally(target)
	}
	return &sqlitestore.Forgetting{
		DryRun: dry, At: f.opts.now(), URLs: f.set.URLs(), Goes: f.set.Has,
		Host:     func(host string) bool { _, ok := f.set.FindHost(host); return ok },
		TraceURL: forget.TraceURL, Trace: f.set.Trace, Link: f.set.Link,
		Entry: func(url string) { tally(url).Entries++ },
		Dropped: func(url string, bytes int64) {
			t := tally(url)
			t.Links++
			t.Bytes += bytes
		},
	}
}

// surveyExports notes the datasets that may hold what goes.
func (f *forgetting) surveyExports() error {
	holds := false
	for i := range f.set.Targets() {
		t := f.set.Tally(i)
		holds = holds || t.Documents+t.Rejects+t.Records > 0
	}
	if !holds {
		return nil
	}
	sets, err := export.Within(f.dir)
	for _, dir := range sets {
		name, err := filepath.Rel(f.dir, dir)
		if err != nil {
			return fmt.Errorf("name export: %w", err)
		}
		f.out.Exports = append(f.out.Exports, filepath.ToSlash(name))
	}
	return err
}

// removeParts removes files that a killed process was writing in the place of
// others: nobody goes on with them, and they may hold what goes.
func (f *forgetting) removeParts() error {
	var errs []error
	for _, pattern := range []string{"corpus/*", "rejects/*", "warc/*"} {
		names, err := filesIn(f.dir, pattern+filecorpus.PartSuffix)
		errs = append(errs, err)
		for _, name := range names {
			errs = append(errs, os.Remove(filepath.Join(f.dir, filepath.FromSlash(name))))
		}
	}
	return errors.Join(errs...)
}

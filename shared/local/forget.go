package local

import (
	"context"
	"encoding/json"
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
	"sluice/shared/state/job"
)

// LabelFile is the file by which sluice export says whose copy a folder holds.
const LabelFile = "export.json"

// Forgotten is what a folder was made to forget, or would be; the keys are
// stable.
type Forgotten struct {
	In     string `json:"in"`
	DryRun bool   `json:"dry_run"`
	forget.Outcome
	Refused bool   `json:"refused"`  // a crawl or sift that continues in the folder refuses it
	Stack   string `json:"stack"`    // whose copy the folder is, "" for none: the stack still has what its copy has not
	Crawl   string `json:"crawl_id"` // on that stack
}

// Forget takes pages out of a folder for good, as forget.Run does. The folder is
// that of a crawl, of a sift or of a copy from a stack. A sift refuses the pages,
// too, from any archive. Exports inside the folder are removed if they may contain
// them.
//
// If a crawl is running in the folder, the error wraps filecorpus.ErrBusy.
// ErrNoCrawl says that there is nothing of the kind in it.
func Forget(ctx context.Context, dir string, targets []forget.Target, opts forget.Options) (*Forgotten, error) {
	f := &forgetting{dir: dir, out: &Forgotten{In: dir, DryRun: opts.DryRun}}
	if err := f.run(ctx, targets, opts); err != nil {
		return nil, fmt.Errorf("forget in %s: %w", dir, err)
	}
	return f.out, nil
}

// forgetting is one call of Forget. It implements forget.Place.
type forgetting struct {
	dir     string
	store   string // path; "" for a folder without a crawl
	sift    bool   // archives may yet be sifted into the folder
	listing forget.Listing
	out     *Forgotten
}

var _ forget.Place = (*forgetting)(nil)

func (f *forgetting) run(ctx context.Context, targets []forget.Target, opts forget.Options) (err error) {
	if err := f.look(ctx); err != nil {
		return err
	}
	if f.store != "" && !opts.DryRun {
		// As a crawl does before it continues: no half record is left.
		c, err := filecorpus.Open(f.dir, filecorpus.Options{})
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return err
		}
	}
	lock, err := filecorpus.Lock(f.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	out, err := forget.Run(ctx, f, targets, opts)
	if err == nil {
		f.out.Outcome = *out
	}
	return err
}

// look finds out what the folder is.
func (f *forgetting) look(ctx context.Context) error {
	held, err := OpenFolder(ctx, f.dir)
	switch {
	case err == nil:
		f.store, f.out.Refused, f.listing.Open = f.path(StateFile), true, true
		if err := held.Close(); err != nil {
			return err
		}
	case !errors.Is(err, ErrNoCrawl):
		return err
	}
	l := &f.listing
	for _, kind := range []struct {
		pattern string
		files   *[]string
	}{{"corpus/*.jsonl", &l.Corpus}, {"rejects/*.jsonl", &l.Rejects}, {"warc/*.warc.gz", &l.Archives}} {
		if *kind.files, err = filesIn(f.dir, kind.pattern); err != nil {
			return err
		}
	}
	gathered, err := filesIn(f.dir, RecordsFolder+"/*/*/*.jsonl")
	if err != nil {
		return err
	}
	l.Corpus = append(l.Corpus, gathered...)
	if _, err := os.Stat(f.path(SiftFile)); err == nil && f.store == "" {
		f.sift, f.out.Refused = true, true
	}
	if f.store == "" && !f.sift && len(l.Corpus)+len(l.Rejects)+len(l.Archives) == 0 {
		return fmt.Errorf("%w, sift or copy of a corpus: %s", ErrNoCrawl, f.dir)
	}
	var label struct{ Stack, Crawl string }
	data, err := os.ReadFile(f.path(LabelFile))
	if err == nil && json.Unmarshal(data, &label) == nil {
		f.out.Stack, f.out.Crawl = label.Stack, label.Crawl
	}
	return nil
}

// filesIn returns the files of a folder that match a pattern, by name.
func filesIn(dir, pattern string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return path.Base(name)[0] == '.' }), nil
}

func (f *forgetting) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// List implements forget.Files.
func (f *forgetting) List(context.Context) (*forget.Listing, error) { return &f.listing, nil }

// Open implements forget.Files.
func (f *forgetting) Open(_ context.Context, name string) (io.ReadSeekCloser, error) {
	return os.Open(f.path(name))
}

// Replace implements forget.Files.
func (f *forgetting) Replace(_ context.Context, name string, write func(w io.Writer) error) error {
	return filecorpus.Replace(f.path(name), write)
}

// Meet implements forget.State.
func (f *forgetting) Meet(ctx context.Context, s *forget.Set) (grown bool, err error) {
	err = f.read(func(st *sqlitestore.Store) error {
		for traces, err := range st.EachTrace(ctx) {
			if err != nil {
				return err
			}
			for _, trace := range traces {
				grown = s.MeetTrace(trace) || grown
			}
		}
		return nil
	})
	return grown, err
}

// Survey implements forget.State.
func (f *forgetting) Survey(ctx context.Context, p *forget.Plan) error {
	err := f.read(func(st *sqlitestore.Store) error {
		return st.Forget(ctx, &sqlitestore.Forgetting{Set: p.Set, At: p.At, DryRun: true})
	})
	if err != nil {
		return err
	}
	p.Exports = []string{}
	holds := false
	for i := range p.Set.Targets() {
		t := p.Set.Tally(i)
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
		p.Exports = append(p.Exports, filepath.ToSlash(name))
	}
	return err
}

// read opens the store for reading, if there is one.
func (f *forgetting) read(use func(st *sqlitestore.Store) error) error {
	if f.store == "" {
		return nil
	}
	st, err := sqlitestore.OpenReader(f.store)
	if err != nil {
		return err
	}
	return errors.Join(use(st), st.Close())
}

// write opens the store.
func (f *forgetting) write(use func(st *sqlitestore.Store) error) error {
	st, err := sqlitestore.Open(f.store, sqlitestore.Options{})
	if err != nil {
		return err
	}
	return errors.Join(use(st), st.Close())
}

// Effects implements forget.State.
func (f *forgetting) Effects(p *forget.Plan) (before, after []forget.Effect) {
	before = append(before, forget.Effect{Name: "refuse", Do: func(ctx context.Context) error { return f.refuse(ctx, p.Set.List()) }})
	for _, name := range p.Exports {
		before = append(before, forget.Effect{Name: "export " + name, Do: func(context.Context) error {
			return errors.Join(export.Remove(f.path(name)), removeEmpty(f.dir, export.FolderName))
		}})
	}
	before = append(before, forget.Effect{Name: "parts", Do: func(context.Context) error { return f.removeParts() }})
	if f.store == "" {
		return before, nil
	}
	return before, []forget.Effect{
		{Name: "store", Do: func(ctx context.Context) error {
			return f.write(func(st *sqlitestore.Store) error {
				return errors.Join(st.Forget(ctx, &sqlitestore.Forgetting{Set: p.Set, At: p.At}), f.unlearn(ctx, st))
			})
		}},
		{Name: "compact", Do: func(context.Context) error { return sqlitestore.Compact(f.store) }},
	}
}

// unlearn removes the words that a crawl has learned, and its counts of pages by
// section: some may be of no other page. A crawl that continues learns them again.
func (f *forgetting) unlearn(ctx context.Context, st *sqlitestore.Store) error {
	if err := os.Remove(f.path(LearnedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := errors.Join(st.SetMeta(ctx, secondLookKey, ""), st.SetMeta(ctx, experienceKey, "")); err != nil {
		return err
	}
	var log []job.Adjustment
	if err := readJSON(ctx, st, adjustmentsKey, &log); err != nil || log == nil {
		return err
	}
	for i := range log {
		log[i].Words = nil
	}
	return keepJSON(ctx, st, adjustmentsKey, log)
}

// removeParts removes files that a killed process was writing in the place of
// others: no other process continues them, and they may hold what goes.
func (f *forgetting) removeParts() error {
	errs := []error{filecorpus.DiscardFolder(f.path(RecordsFolder))}
	for _, pattern := range []string{"corpus/*", "rejects/*", "warc/*"} {
		names, err := filesIn(f.dir, pattern+filecorpus.PartSuffix)
		errs = append(errs, err)
		for _, name := range names {
			errs = append(errs, os.Remove(f.path(name)))
		}
	}
	return errors.Join(errs...)
}

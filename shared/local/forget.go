package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/dataset/export"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/forget"
)

// LabelFile is the file by which sluice export says whose copy a folder holds.
const LabelFile = "export.json"

// ForgetOptions change how Forget goes about it.
type ForgetOptions struct {
	DryRun bool
	// Progress, unless nil, is called as files are read, with how many of all.
	Progress func(done, all int)

	now func() time.Time
	// effect is called before each effect; an error ends the call like a crash.
	effect func(name string) error
}

// Forgotten is what a folder was made to forget, or would be; the keys are
// stable.
type Forgotten struct {
	In      string            `json:"in"`
	DryRun  bool              `json:"dry_run"`
	Targets []ForgottenTarget `json:"targets"`
	Files   []string          `json:"files"`    // that were changed, below the folder, with slashes
	Exports []string          `json:"exports"`  // that were removed, by the same names: they held what was forgotten
	Damaged []string          `json:"damaged"`  // places that cannot be read, and may hold what was to go
	Refused bool              `json:"refused"`  // a crawl that goes on in the folder fetches none of it again, a sift into it takes none of it up
	Stack   string            `json:"stack"`    // whose copy the folder is, "" for none: the stack still has what its copy has not
	Crawl   string            `json:"crawl_id"` // on that stack
}

// ForgottenTarget is what went for a target.
type ForgottenTarget struct {
	Target string `json:"target"` // as it was named
	forget.Tally
}

// forgetting is one call of Forget.
type forgetting struct {
	dir   string
	opts  ForgetOptions
	set   *forget.Set
	store string // path; "" for a folder without a crawl
	sift  bool   // archives may yet be sifted into the folder
	begun *begun // a call that was broken off, or this one once it is noted; nil: none
	out   *Forgotten

	corpus, rejects, archives []string // files, below dir, with slashes
	edits                     []fileEdit
	read                      int // files
}

// fileEdit is a file that has to change, and how.
type fileEdit struct {
	name  string
	apply func(w io.Writer, r io.Reader) error
}

// Forget takes pages out of a folder for good: out of the corpus, the rejects,
// the archives and the ledger. The folder is that of a crawl, of a sift or of a
// copy from a stack. A crawl refuses the pages from then on, whatever links to
// them, and so does a sift, whichever archive holds them; every other record
// stays where it is. What others say of such a page goes as far as it is ours:
// where and by which text they were found on it, and that they repeat it. Exports
// inside the folder are removed where they may hold what went.
//
// What is to go is found, and noted, before anything is changed. A call that is
// broken off leaves every file whole; the next one, whatever it names, ends it as
// it would have ended, and the log has what went by both.
// Nobody may be crawling in the folder: else the error wraps filecorpus.ErrBusy.
// ErrNoCrawl says that there is nothing of the kind in it.
func Forget(ctx context.Context, dir string, targets []forget.Target, opts ForgetOptions) (*Forgotten, error) {
	if opts.now == nil {
		opts.now = time.Now
	}
	if opts.effect == nil {
		opts.effect = func(string) error { return nil }
	}
	f := &forgetting{dir: dir, opts: opts}
	f.out = &Forgotten{In: dir, DryRun: opts.DryRun, Files: []string{}, Exports: []string{}, Damaged: []string{}}
	if err := f.run(ctx, targets); err != nil {
		return nil, fmt.Errorf("forget in %s: %w", dir, err)
	}
	return f.out, nil
}

func (f *forgetting) run(ctx context.Context, targets []forget.Target) (err error) {
	if err := f.look(ctx); err != nil {
		return err
	}
	if f.store != "" && !f.opts.DryRun {
		// As a crawl would, before it goes on: no half record is left.
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
	if err := f.takeUp(targets); err != nil {
		return err
	}
	if err := f.survey(ctx); err != nil {
		return err
	}
	f.sumUp()
	if f.opts.DryRun {
		return nil
	}
	anew := f.begun == nil
	if err := f.noteBegun(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil && anew { // called off in time
		return errors.Join(err, os.Remove(filepath.Join(f.dir, begunFile)))
	}
	if err := f.carryOut(ctx); err != nil {
		return err
	}
	return f.log()
}

// look finds out what the folder is.
func (f *forgetting) look(ctx context.Context) error {
	held, err := OpenFolder(ctx, f.dir)
	switch {
	case err == nil:
		f.store, f.out.Refused = filepath.Join(f.dir, StateFile), true
		if err := held.Close(); err != nil {
			return err
		}
	case !errors.Is(err, ErrNoCrawl):
		return err
	}
	for _, kind := range []struct {
		pattern string
		files   *[]string
	}{{"corpus/*.jsonl", &f.corpus}, {"rejects/*.jsonl", &f.rejects}, {"warc/*.warc.gz", &f.archives}} {
		if *kind.files, err = filesIn(f.dir, kind.pattern); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(f.dir, SiftFile)); err == nil && f.store == "" {
		f.sift, f.out.Refused = true, true
	}
	if f.store == "" && !f.sift && len(f.corpus)+len(f.rejects)+len(f.archives) == 0 {
		return fmt.Errorf("%w, sift or copy of a corpus: %s", ErrNoCrawl, f.dir)
	}
	var label struct{ Stack, Crawl string }
	data, err := os.ReadFile(filepath.Join(f.dir, LabelFile))
	if err == nil && json.Unmarshal(data, &label) == nil {
		f.out.Stack, f.out.Crawl = label.Stack, label.Crawl
	}
	return nil
}

// carryOut changes what the survey has found. What refuses the pages comes
// first, what tells which they are last: so a call that is repeated finds them
// again, and nothing brings them back meanwhile.
func (f *forgetting) carryOut(ctx context.Context) (err error) {
	var st *sqlitestore.Store
	if err := f.opts.effect("refuse"); err != nil {
		return err
	}
	if f.sift {
		if err := f.refuseSifted(); err != nil {
			return err
		}
	}
	if f.store != "" {
		if st, err = sqlitestore.Open(f.store, sqlitestore.Options{}); err != nil {
			return err
		}
		defer func() {
			if st != nil {
				err = errors.Join(err, st.Close())
			}
		}()
		if err := f.refuse(ctx, st); err != nil {
			return err
		}
	}
	if err := f.removeExports(); err != nil {
		return err
	}
	if err := errors.Join(f.removeParts(), f.editFiles(ctx)); err != nil {
		return err
	}
	if st == nil {
		return nil
	}
	if err := f.opts.effect("store"); err != nil {
		return err
	}
	if err := st.Forget(ctx, f.storeForgetting(false)); err != nil {
		return err
	}
	open := st
	st = nil
	if err := open.Close(); err != nil {
		return err
	}
	if err := f.opts.effect("compact"); err != nil {
		return err
	}
	return sqlitestore.Compact(f.store)
}

// removeExports removes the datasets inside the folder that may hold what goes.
func (f *forgetting) removeExports() error {
	for _, name := range f.out.Exports {
		if err := f.opts.effect("export " + name); err != nil {
			return err
		}
		if err := export.Remove(filepath.Join(f.dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	if len(f.out.Exports) > 0 {
		return removeEmpty(f.dir, export.FolderName)
	}
	return nil
}

// editFiles writes the files anew that have to change.
func (f *forgetting) editFiles(ctx context.Context) error {
	for _, e := range f.edits {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.opts.effect("file " + e.name); err != nil {
			return err
		}
		path := filepath.Join(f.dir, filepath.FromSlash(e.name))
		err := filecorpus.Replace(path, func(w io.Writer) error {
			return readFile(path, func(r io.Reader) error { return e.apply(w, r) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

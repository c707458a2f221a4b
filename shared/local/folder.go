package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/console"
	"sluice/shared/dataset/export"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// Folder is a crawl's folder opened for reading, also while a crawl is
// running in it. Close it.
type Folder struct {
	dir   string
	set   settings
	store *sqlitestore.Store
}

// OpenFolder opens the folder of a crawl.
func OpenFolder(ctx context.Context, dir string) (*Folder, error) {
	path := filepath.Join(dir, StateFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoCrawl, dir)
	}
	st, err := sqlitestore.OpenReader(path)
	switch {
	case errors.Is(err, sqlitestore.ErrEmpty):
		return nil, fmt.Errorf("%w: %s (%w)", ErrNoCrawl, dir, err)
	case err != nil:
		return nil, err
	}
	f := &Folder{dir: dir, store: st}
	if err := f.readSettings(ctx); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return f, nil
}

func (f *Folder) readSettings(ctx context.Context) error {
	raw, ok, err := f.store.Meta(ctx, settingsKey)
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	if !ok {
		return fmt.Errorf("%w: %s (it was never started)", ErrNoCrawl, f.dir)
	}
	if err := json.Unmarshal([]byte(raw), &f.set); err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	return nil
}

// Generation is how often the crawl went over its pages: 1, and one more with
// each refresh.
func (f *Folder) Generation() int { return f.set.generation() }

// Topic is the name of the crawl's topic.
func (f *Folder) Topic() string { return f.set.Topic }

// ReadTopic reads the topic that the folder keeps, as the crawl was begun with it.
func (f *Folder) ReadTopic() (*topic.Compiled, error) {
	compiled, err := topic.LoadAny(TopicPath(f.dir))
	if err != nil {
		return nil, err
	}
	return compiled.As(f.set.Strategy), nil
}

// Seeds are where the crawl began.
func (f *Folder) Seeds() []string { return f.set.Seeds }

// Strategy is the name of the strategy by which the crawl goes, one of rank.Names or "", which is
// rank.NameSemantic.
func (f *Folder) Strategy() string { return f.set.Strategy }

// Delay is the pause between two fetches on a host.
func (f *Folder) Delay() time.Duration { return f.set.Delay }

// Archive tells which pages the crawl archives, of corpus.Archives.
func (f *Folder) Archive() string { return f.set.archive() }

// Close closes the folder.
func (f *Folder) Close() error { return f.store.Close() }

// Explain tells the fate of a URL in any of its spellings.
func (f *Folder) Explain(ctx context.Context, raw string) (*console.Explanation, error) {
	u, err := urlnorm.Known(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadURL, err)
	}
	x := &console.Explanation{URL: u.String(), Fate: "unknown"}
	t, by, err := f.trail(ctx, x.URL)
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", u, err)
	}
	forgotten, err := readForgotten(ctx, f.store)
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", u, err)
	}
	switch {
	case forgotten.Contains(u), t.Entry != nil && t.Entry.Verdict == ledger.Forgotten:
		x.Fate = string(ledger.Forgotten)
	case t.Entry != nil:
		x.SetEntry(t.Entry)
		if err := f.refusedLater(ctx, by, x); err != nil {
			return nil, err
		}
	case t.Waiting != nil:
		x.Fate, x.Link = "waiting", t.Waiting
		if x.Rule, err = f.closed(ctx, u.Host()); err != nil {
			return nil, fmt.Errorf("explain %s: %w", u, err)
		}
	case t.Queued != nil:
		x.Fate, x.Link = "queued", t.Queued
	case t.Dropped != nil:
		x.Fate, x.Dropped, x.Rule, x.Link = "dropped", true, t.Dropped.Rule, &t.Dropped.Link
	}
	if t.Entry == nil && t.Flying && t.Waiting == nil {
		x.Fate = "leased"
	}
	if t.Entry == nil && (t.Waiting != nil || t.Queued != nil) {
		if x.Failures, x.Cause, err = f.store.Failures(ctx, f.set.Crawl, u.Host()); err != nil {
			return nil, fmt.Errorf("explain %s: %w", u, err)
		}
	}
	if t.Dead != nil {
		x.DeadReason = t.Dead.Reason
	}
	return x, nil
}

// refusedLater takes over by which rule a page went that the crawl had kept.
func (f *Folder) refusedLater(ctx context.Context, crawl string, x *console.Explanation) error {
	rule, err := f.store.RefusedBy(ctx, crawl, x.URL)
	if x.Kept && rule != "" {
		x.Fate, x.Rule, x.Kept = string(ledger.Rejected), rule, false
	}
	return err
}

// closed returns the rule by which a host was closed, "" for an open one.
func (f *Folder) closed(ctx context.Context, host string) (string, error) {
	hosts, err := f.store.ClosedHosts(ctx, f.set.Crawl)
	for _, h := range hosts {
		if h.Host == host {
			return h.Closed, nil
		}
	}
	return "", err
}

// constants reads those of the topic. They are nil where the folder's copy of it
// is gone, or can no longer be read: an explanation holds without them. Those of
// a strategy that adapts are the last ones.
func (f *Folder) constants(ctx context.Context) *console.Constants {
	compiled, err := f.ReadTopic()
	if err != nil {
		return nil
	}
	c := console.ConstantsOf(compiled.File)
	if learned, err := topic.LoadAny(filepath.Join(f.dir, LearnedFile)); err == nil {
		c = console.ConstantsOf(learned.File)
	}
	var log []job.Adjustment
	if err := readJSON(ctx, f.store, adjustmentsKey, &log); err == nil {
		c.Adjust(log)
	}
	return c
}

// Remove deletes the crawl in a folder: the files that sluice puts there and
// the folders that are empty then, nothing else. A folder without a crawl is
// left alone. The state goes last, so that a removal can be repeated.
func Remove(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, StateFile)); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	unlock, err := filecorpus.Lock(dir)
	if err != nil {
		return fmt.Errorf("remove old crawl: %w", err)
	}
	err = errors.Join(
		removeExports(dir),
		removeFiles(dir, "warc/[0-9]*.warc.gz", "corpus/[0-9]*.jsonl", "rejects/[0-9]*.jsonl", "corpus/[0-9]*.jsonl.part", TopicFile, ArtifactFile, LearnedFile, ForgottenFile, begunFile, ControlFile),
		removeEmpty(dir, "warc", "corpus", "rejects"),
	)
	if err == nil {
		err = removeFiles(dir, StateFile+"-wal", StateFile+"-shm", StateFile)
	}
	err = errors.Join(err, unlock.Close())
	if err != nil {
		return fmt.Errorf("remove old crawl: %w", err)
	}
	return nil
}

// removeExports deletes the datasets of the crawl that lie in its folder.
func removeExports(dir string) error {
	sets, err := export.In(dir)
	errs := []error{err}
	for _, set := range sets {
		errs = append(errs, export.Remove(set))
	}
	return errors.Join(append(errs, removeEmpty(dir, export.FolderName))...)
}

func removeFiles(dir string, patterns ...string) error {
	var errs []error
	for _, p := range patterns {
		names, err := fs.Glob(os.DirFS(dir), p)
		errs = append(errs, err)
		for _, name := range names {
			errs = append(errs, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
		}
	}
	return errors.Join(errs...)
}

func removeEmpty(dir string, folders ...string) error {
	var errs []error
	for _, name := range folders {
		path := filepath.Join(dir, name)
		if left, err := os.ReadDir(path); err == nil && len(left) == 0 {
			errs = append(errs, os.Remove(path))
		}
	}
	return errors.Join(errs...)
}

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

	"sluice/shared/crawl/step"
	"sluice/shared/dataset/export"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
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

// Close closes the folder.
func (f *Folder) Close() error { return f.store.Close() }

// Status is how a crawl stands.
type Status struct {
	Summary
	Waiting int          `json:"waiting"` // links in the backlog
	Queued  int          `json:"queued"`  // links in tasks
	Hosts   []HostStatus `json:"hosts"`   // those with most fetches
}

// HostStatus is how one host of a crawl stands.
type HostStatus struct {
	Host    string `json:"host"`
	Fetched int    `json:"fetched"`
	Waiting int    `json:"waiting"`
	Closed  string `json:"closed,omitempty"` // the rule
}

// statusHosts is how many hosts a status lists.
const statusHosts = 20

// Status reads how the crawl stands.
func (f *Folder) Status(ctx context.Context) (*Status, error) {
	sum, err := summarise(ctx, f.store, f.dir, &f.set.turn, f.set.Topic)
	if err != nil {
		return nil, err
	}
	s := &Status{Summary: *sum}
	if s.StopReason, _, err = f.store.Meta(ctx, reasonKey); err != nil {
		return nil, fmt.Errorf("read stop reason: %w", err)
	}
	if s.Queued, err = f.store.Queue().Queued(ctx, f.set.Crawl, ""); err != nil {
		return nil, fmt.Errorf("count queued links: %w", err)
	}
	if s.Waiting, err = f.store.Backlog().Len(ctx, f.set.Crawl); err != nil {
		return nil, fmt.Errorf("count waiting links: %w", err)
	}
	hosts, err := f.store.Hosts(ctx, f.set.Crawl, statusHosts)
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	for _, h := range hosts {
		s.Hosts = append(s.Hosts, HostStatus{Host: h.Host, Fetched: h.Fetched, Waiting: h.Waiting, Closed: h.Closed})
	}
	return s, nil
}

// Explanation is everything a crawl knows of a URL, and every part of why.
type Explanation struct {
	URL     string `json:"url"`     // canonical form
	Fate    string `json:"fate"`    // a ledger verdict, or dropped, waiting, queued, leased, unknown
	Fetched bool   `json:"fetched"` // a response was received
	Kept    bool   `json:"kept"`
	Dropped bool   `json:"dropped"`
	Rule    string `json:"rule,omitempty"` // that decided it; of a waiting link, the one that closed its host

	Link  *frontier.Link `json:"link,omitempty"` // how it was found, and eq. 5 with its parts
	Trace *step.Trace    `json:"trace,omitempty"`
	Entry *ledger.Entry  `json:"entry,omitempty"`

	DeadReason string     `json:"dead_reason,omitempty"`
	At         *time.Time `json:"at,omitempty"`
}

// Explain tells the fate of a URL in any of its spellings.
func (f *Folder) Explain(ctx context.Context, raw string) (*Explanation, error) {
	u, err := urlnorm.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrBadURL, raw, err)
	}
	x := &Explanation{URL: u.String(), Fate: "unknown"}
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
		x.setEntry(t.Entry)
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
	if t.State == ledger.Leased && t.Waiting == nil {
		x.Fate = "leased"
	}
	if t.Dead != nil {
		x.DeadReason = t.Dead.Reason
	}
	return x, nil
}

// refusedLater takes over by which rule a page went that the crawl had kept.
func (f *Folder) refusedLater(ctx context.Context, crawl string, x *Explanation) error {
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

func (x *Explanation) setEntry(e *ledger.Entry) {
	x.Fate, x.Rule, x.Fetched, x.Kept, x.At = string(e.Verdict), e.Rule, e.Fetched, e.Verdict == ledger.Kept, &e.At
	trace := new(step.Trace)
	if err := json.Unmarshal(e.Trace, trace); err == nil {
		x.Trace, x.Link = trace, &trace.Link
	}
	entry := *e
	entry.Trace = nil // it stands beside
	x.Entry = &entry
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
		removeFiles(dir, "warc/[0-9]*.warc.gz", "corpus/[0-9]*.jsonl", "rejects/[0-9]*.jsonl", "corpus/[0-9]*.jsonl.part", TopicFile, ArtifactFile, ForgottenFile, begunFile),
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

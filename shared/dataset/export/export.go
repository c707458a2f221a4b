// Package export turns the folders of crawls into a dataset: sharded and
// compressed files in the format of the user's choice, a manifest with the
// digest of every file, an index of the archives and a card that describes it.
//
// A dataset is a function of the folders and the options: the same ones give
// the same bytes. It is made in three steps, each of which streams, so that no
// corpus is too large for memory: first it decides which records to keep and
// notes that in an index, 50 bytes a record, on disk beside the dataset; then
// it writes the shards one after another; the files that describe them come
// last, the manifest at the very end. A file gets its name only when it is
// complete. An export that was killed continues with the shard it was at.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Format is what a dataset is written as.
type Format string

// The formats. All are compressed by Zstandard, inside of Parquet's pages.
const (
	JSONL   Format = "jsonl"   // a record a line, as corpus.Document.AppendJSON makes it
	Parquet Format = "parquet" // the same fields by the same names, none null
	Text    Format = "text"    // texts alone: a line a paragraph, an empty line between two texts
	HF      Format = "hf"      // as Parquet, with the card's front matter naming every field: a dataset repository
)

// Formats lists them.
func Formats() []Format { return []Format{JSONL, Parquet, Text, HF} }

// Bounds of Options.ShardSize, in bytes.
const (
	DefaultShardSize = 256_000_000
	MinShardSize     = 1_000_000
	MaxShardSize     = 2 << 30
)

// Options of an export. They go into the manifest.
type Options struct {
	Format       Format  `json:"format"`
	MinRelevance float64 `json:"min_relevance"` // of the body, or of the description where no body was judged
	Dedupe       bool    `json:"dedupe"`        // leave out what repeats another document
	Split        Split   `json:"split"`         // the zero value: everything is for training
	ShardSize    int64   `json:"shard_size"`    // bytes, compressed, at which a shard ends; 0: DefaultShardSize
	Sluice       string  `json:"sluice"`        // version
}

// Tools are what an export works with besides the disk. All may be nil.
type Tools struct {
	// Duplicates makes what finds the documents that repeat others; it may keep
	// files in the folder, which is removed in the end. Without it the records'
	// own duplicate_of counts.
	Duplicates func(folder string) (Duplicates, error)
	// Lock takes the lock of a folder or fails.
	Lock func(folder string) (io.Closer, error)
	// Progress is called now and then with what is being done.
	Progress func(step string, done, all int64)
}

// Errors that are the caller's to mend.
var (
	ErrOther   = errors.New("the folder holds another export")
	ErrForeign = errors.New("the folder holds files of something else")
	ErrInput   = errors.New("there is nothing to export")
)

// workFolder holds, inside the dataset's, what an export needs while it runs.
const workFolder = ".export"

// exporter is one call of Run.
type exporter struct {
	out     string
	folders []*Folder
	plan    *plan
	tools   Tools
	disk    disk
	void    bool // it failed: remove every trace
}

// Run exports folders to out, which is created if necessary. It continues an
// interrupted export, and accepts a complete one if neither the folders nor the
// options have changed since; otherwise the error wraps ErrOther and names the
// difference.
//
// A folder whose ledger points at missing records is not exported, unless its
// crawl is running: then they are counted in Result.Missing.
func Run(ctx context.Context, folders []*Folder, out string, opts Options, tools Tools) (*Result, error) {
	return run(ctx, folders, out, opts, tools, osDisk{})
}

func run(ctx context.Context, folders []*Folder, out string, opts Options, tools Tools, d disk) (_ *Result, err error) {
	opts.ShardSize = cmp.Or(opts.ShardSize, DefaultShardSize)
	if !slices.Contains(Formats(), opts.Format) {
		return nil, fmt.Errorf("unknown format %q", opts.Format)
	}
	if tools.Progress == nil {
		tools.Progress = func(string, int64, int64) {}
	}
	want, err := newPlan(folders, out, opts)
	if err != nil {
		return nil, err
	}
	e := &exporter{out: out, folders: folders, plan: want, tools: tools, disk: d}
	if done, err := e.finished(); err != nil {
		return nil, err
	} else if done != nil {
		return done, os.RemoveAll(filepath.Join(out, workFolder)) // what a kill at the very end has left
	}
	if err := e.claim(); err != nil {
		return nil, err
	}
	release, err := e.lock()
	if err != nil {
		return nil, err
	}
	defer func() {
		if rerr := release(); err == nil {
			err = rerr
		}
	}()
	res, err := e.make(ctx)
	if err != nil {
		e.void = errors.Is(err, errMissing)
		return nil, err
	}
	return res, nil
}

// lock makes the work folder and takes its lock. The folder goes with the lock
// where the export is complete.
func (e *exporter) lock() (release func() error, err error) {
	work := filepath.Join(e.out, workFolder)
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("make work folder: %w", err)
	}
	var held io.Closer
	if e.tools.Lock != nil {
		if held, err = e.tools.Lock(work); err != nil {
			return nil, err
		}
	}
	return func() error {
		var err error
		if held != nil {
			err = held.Close()
		}
		if _, serr := os.Stat(filepath.Join(e.out, ManifestFile)); serr == nil || e.void {
			err = errors.Join(err, os.RemoveAll(work))
		}
		if e.void {
			removeEmpty(e.out)
		}
		return err
	}, nil
}

// removeEmpty removes the folder of an export, and that of a crawl's exports,
// where nothing is in them.
func removeEmpty(out string) {
	if os.Remove(out) == nil && filepath.Base(filepath.Dir(out)) == FolderName {
		_ = os.Remove(filepath.Dir(out)) // it may have others
	}
}

// make does what is left to do.
func (e *exporter) make(ctx context.Context) (*Result, error) {
	if err := e.takeUp(); err != nil {
		return nil, err
	}
	chosen, err := e.choose(ctx)
	if err != nil {
		return nil, err
	}
	shards, err := e.writeShards(ctx, chosen)
	if err != nil {
		return nil, err
	}
	m := &Manifest{V: manifestVersion, Options: e.plan.Options, Folders: chosen.Folders, Left: chosen.Left, Shards: []Shard{}}
	stats := newStats()
	for _, s := range shards {
		m.Shards = append(m.Shards, s.Shard)
		stats.merge(s.Stats)
	}
	m.total(stats)
	if err := e.indexArchives(ctx, m); err != nil {
		return nil, err
	}
	if err := e.describe(m, stats); err != nil {
		return nil, err
	}
	data, err := m.encode()
	if err != nil {
		return nil, err
	}
	if err := e.writeFile(ManifestFile, data); err != nil {
		return nil, err
	}
	return e.result(m, false), nil
}

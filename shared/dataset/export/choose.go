package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/corpus"
)

// chosen is what the first step comes to, besides the index.
type chosen struct {
	Folders []*Source `json:"folders"` // with the digests of their files
	Rows    int64     `json:"rows"`
	Left    Left      `json:"left"`
}

// Left counts the records that are in a folder and not in the dataset.
type Left struct {
	NotDone    int64 `json:"not_done"`        // the ledger points at no such record: its page was fetched again, or is not done yet
	Again      int64 `json:"again"`           // the record, or another of its document, comes earlier in the folder
	Elsewhere  int64 `json:"elsewhere"`       // the same document is in a folder that was named before
	Relevance  int64 `json:"below_relevance"` //
	Duplicates int64 `json:"duplicates"`      // left out for Options.Dedupe
	NoText     int64 `json:"no_text"`         // from a dataset of texts
	Torn       int64 `json:"torn"`            // half lines at the end of a file that is being written
}

// chooser decides which records to keep.
type chooser struct {
	e     *exporter
	dups  Duplicates // nil for none
	index *index
	out   *chosen

	folder int
	roll   *roll            // of the folder
	census *census          // of the folder
	stands map[[16]byte]int // folder of each document, by ID; nil where a ledger has each once
}

// choose reads all records and decides which to keep, unless that was done.
func (e *exporter) choose(ctx context.Context) (_ *chosen, err error) {
	done := new(chosen)
	if err := e.readWork(chosenFile, done); !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	c := &chooser{e: e, out: &chosen{Folders: e.plan.Folders}}
	if len(e.folders) > 1 || e.folders[0].Ledger == nil {
		c.stands = map[[16]byte]int{}
	}
	if e.tools.Duplicates != nil {
		folder := filepath.Join(e.out, workFolder, "duplicates")
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
			return nil, fmt.Errorf("make work folder: %w", err)
		}
		if c.dups, err = e.tools.Duplicates(folder); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, c.dups.Close()) }()
	}
	f, err := e.disk.open(filepath.Join(e.out, filepath.FromSlash(indexFile)), os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	c.index = newIndex(f)
	err = c.run(ctx)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	c.out.Rows = c.index.rows
	return c.out, e.writeWork(chosenFile, c.out)
}

func (c *chooser) run(ctx context.Context) error {
	for i, s := range c.out.Folders {
		c.folder = i
		if err := c.readFolder(ctx, s); err != nil {
			return err
		}
	}
	if err := c.index.w.Flush(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return c.markDuplicates(ctx)
}

// readFolder reads the documents of a folder.
func (c *chooser) readFolder(ctx context.Context, s *Source) (err error) {
	folder := c.e.folders[c.folder]
	if c.roll, err = newRoll(ctx, folder.Ledger); err != nil {
		return err
	}
	c.census = &census{ledger: folder.Ledger}
	for n := range s.Corpus {
		if err := c.read(ctx, n, &s.Corpus[n]); err != nil {
			return err
		}
	}
	if err := c.census.flush(ctx); err != nil {
		return err
	}
	if c.roll.absent > 0 && s.Open { // they may have come since the plan was made
		if err := c.roll.sweep(ctx, folder.Dir); err != nil {
			return err
		}
	}
	first := ""
	err = c.roll.missing(ctx, func(p Pointed) {
		s.Missing++
		first = cmp.Or(first, p.URL)
	})
	if err == nil && s.Missing > 0 && !s.Open {
		err = fmt.Errorf("%w: %s lacks %d of them, %.300s for one; nothing was exported; sluice export --check %s lists them",
			errMissing, filepath.Join(folder.Dir, corpus.DocumentFolder), s.Missing, first, folder.Dir)
	}
	return err
}

// errMissing says that a folder is not whole.
var errMissing = errors.New("the ledger points at documents that are not there")

// read reads a file of documents, up to the length in the plan.
func (c *chooser) read(ctx context.Context, n int, in *Input) error {
	c.e.tools.Progress("read "+in.Name, c.index.rows, 0)
	path := filepath.Join(c.e.folders[c.folder].Dir, filepath.FromSlash(in.Name))
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read documents: %w", err)
	}
	sum := sha256.New()
	err = corpus.EachLine(io.TeeReader(io.LimitReader(f, in.Bytes), sum), func(l corpus.Line) error {
		return c.take(ctx, n, l)
	})
	in.SHA256 = hexSum(sum)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func (c *chooser) take(ctx context.Context, file int, l corpus.Line) error {
	d, err := readDocument(l.Text())
	switch {
	case err != nil && l.Torn() && c.out.Folders[c.folder].Open:
		c.out.Left.Torn++
		return nil
	case err != nil && l.Torn():
		return fmt.Errorf("line %d is half (%w): sluice crawl --resume mends the folder of a crawl", l.Number, err)
	case err != nil:
		return fmt.Errorf("line %d is not a document: %w", l.Number, err)
	case len(l.Text()) > 1<<32-1:
		return fmt.Errorf("line %d is too long", l.Number)
	}
	c.out.Folders[c.folder].Records++
	r := row{Folder: uint16(c.folder), File: uint32(file), Length: uint32(len(l.Text())), Offset: uint64(l.Offset), Sum: xxh3.Hash(l.Text())}
	d.ID = corpus.DocumentID(d.FinalURL, d.Version)
	if _, err := hex.Decode(r.ID[:], []byte(d.ID)); err != nil {
		return fmt.Errorf("line %d has no id: %w", l.Number, err)
	}
	m := markLine(d, l.Text())
	return c.census.ask(ctx, d, func(counts bool) error {
		// What a crash left behind, and what was fetched again, is not done.
		if !counts {
			c.out.Left.NotDone++
			return nil
		}
		if _, again := c.roll.meet(m); again {
			c.out.Left.Again++
			return nil
		}
		c.lookForArchive(d.WARC.File)
		return c.decide(d, &r)
	})
}

// lookForArchive counts what lies in an archive of the folder that it has not.
func (c *chooser) lookForArchive(name string) {
	s := c.out.Folders[c.folder]
	there := slices.ContainsFunc(s.Archives, func(in Input) bool { return in.Name == name })
	if !there && strings.HasPrefix(name, corpus.ArchiveFolder+"/") {
		s.Unarchived++
	}
}

package operator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/crawl/clean"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// Exported is the result of an export.
type Exported struct {
	Stack  string `json:"stack"`
	Crawl  string `json:"crawl"`
	Out    string `json:"out"`
	Files  int    `json:"files"`  // now in the folder
	Copied int    `json:"copied"` // by this call
	Bytes  int64  `json:"bytes"`  // copied, as they are in the bucket

	Documents int64 `json:"documents"` // now in the folder
	Kept      int64 `json:"kept"`      // in the ledger

	// Missing are documents of the ledger that are neither in the corpus nor
	// rejected for a fault of the page: not cleaned yet, or lost. Segments are
	// those not cleaned yet.
	Missing  int64    `json:"missing"`
	Segments []string `json:"segments"`

	// Again are segments that wait to be cleaned again: with newer boilerplate of their
	// hosts, or as the second look has decided.
	Again []string `json:"again"`
}

// ExportOptions are options of Export. The zero value copies everything.
type ExportOptions struct {
	NoWARC bool // do not copy archives
	// Progress, unless nil, is called after each file. Calls do not overlap.
	Progress func(done, all int)
}

// copies is how many files are copied at once.
const copies = 8

// Export copies the corpus of a crawl into a folder with the layout of a local
// crawl: warc/, corpus/ and rejects/. It may be repeated: complete files are
// kept and new ones added. A record is kept only if the ledger says that its
// page ended in that segment.
//
// The export of a refresh includes the crawls that it refreshes, except pages
// that a newer crawl found changed or gone.
//
// The folder must not hold another crawl; such an error wraps ErrRequest.
func (o *Operator) Export(ctx context.Context, id, dir string, opts ExportOptions) (*Exported, error) {
	j, err := o.parts.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	label := label{Stack: o.parts.Resources.Stack, Bucket: o.parts.Resources.Bucket, Crawl: id}
	if err := label.claim(dir); err != nil {
		return nil, err
	}
	crawls := append([]string{id}, j.RefreshOf...)
	e := &export{o: o, crawls: crawls, known: &ledger.Generations{Reader: o.parts.Store.Ledger(), Crawls: crawls}, dir: dir, opts: opts, out: &Exported{Stack: label.Stack, Crawl: id, Out: dir, Segments: []string{}, Again: []string{}}}
	if err := e.run(ctx); err != nil {
		return nil, fmt.Errorf("export crawl %s: %w", id, err)
	}
	return e.out, nil
}

// export is one call of Export.
type export struct {
	o      *Operator
	crawls []string // newest first
	known  *ledger.Generations
	dir    string
	opts   ExportOptions

	mu  sync.Mutex
	all int // files
	out *Exported
}

// exportFile is an object to copy.
type exportFile struct {
	s3corpus.Object
	crawl string
	name  string // without folder
	path  string // in the export
}

// segment is the key of the segment that lines come from.
func (f *exportFile) segment() string {
	return corpus.RawFolder + "/" + f.crawl + "/" + segmentName(f.name)
}

func (e *export) run(ctx context.Context) error {
	corpora, err := e.list(ctx, corpus.DocumentFolder, corpus.DocumentFolder, ".jsonl")
	if err != nil {
		return err
	}
	rejects, err := e.list(ctx, corpus.RejectFolder, corpus.RejectFolder, ".jsonl")
	if err != nil {
		return err
	}
	segments, err := e.list(ctx, corpus.RawFolder, corpus.ArchiveFolder, "")
	if err != nil {
		return err
	}
	e.all = len(corpora) + len(rejects)
	// Ask for the marks before copying: a cleaning that runs now may end after
	// a file is copied.
	asked := make([]bool, len(segments))
	if err := e.again(ctx, segments, asked); err != nil {
		return err
	}
	g, ectx := errgroup.WithContext(ctx)
	g.SetLimit(copies)
	for _, f := range corpora {
		g.Go(func() error { return e.lines(ectx, f, e.document) })
	}
	for _, f := range rejects {
		g.Go(func() error { return e.lines(ectx, f, e.reject) })
	}
	if !e.opts.NoWARC {
		e.all += len(segments)
		for _, f := range segments {
			g.Go(func() error { return e.archive(ectx, f) })
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := errors.Join(e.again(ctx, segments, asked), e.undone(ctx, slices.Concat(corpora, rejects), segments, asked)); err != nil {
		return err
	}
	for i, f := range segments {
		if asked[i] {
			e.out.Again = append(e.out.Again, f.Key)
		}
	}
	return e.account(ctx, corpora, rejects, segments)
}

// lookups is how many segments are looked up at once.
const lookups = 16

// again marks the segments that wait to be cleaned again.
func (e *export) again(ctx context.Context, segments []exportFile, asked []bool) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(lookups)
	for i, f := range segments {
		g.Go(func() error {
			yes, err := e.o.parts.Lessons.Asked(gctx, f.crawl, f.name)
			asked[i] = asked[i] || yes
			return err
		})
	}
	return g.Wait()
}

// undone marks the segments that are not cleaned since the second look decided about their
// pages.
func (e *export) undone(ctx context.Context, lines, segments []exportFile, asked []bool) error {
	cleaned := map[string]time.Time{}
	for _, f := range lines {
		if f.Modified.After(cleaned[f.name]) {
			cleaned[f.name] = f.Modified
		}
	}
	looks := map[string]*clean.Look{}
	for i, f := range segments {
		l := looks[f.crawl]
		if l == nil {
			var err error
			if l, err = clean.ReadLook(ctx, e.o.parts.Objects, f.crawl); err != nil {
				return err
			}
			looks[f.crawl] = l
		}
		if l.Undone(f.name, cleaned[clean.LinesName(f.name)]) {
			asked[i] = true
		}
	}
	return nil
}

// list lists the objects of the crawls in a folder of the bucket. It skips
// names that are unsafe as file names: others may put objects into the bucket.
func (e *export) list(ctx context.Context, from, to, suffix string) ([]exportFile, error) {
	var files []exportFile
	owner := map[string]string{}
	for _, crawl := range e.crawls {
		prefix := from + "/" + crawl + "/"
		for obj, err := range e.o.parts.Objects.List(ctx, prefix) {
			if err != nil {
				return nil, err
			}
			name := strings.TrimPrefix(obj.Key, prefix)
			if !plainName(name) || !strings.HasSuffix(name, suffix) {
				continue
			}
			if other, twice := owner[name]; twice { // an archive of the user's own: names that sluice gives are unique
				return nil, request("crawls %s and %s both have a file %s: rename one of them and the lines made from it", other, crawl, name)
			}
			owner[name] = crawl
			files = append(files, exportFile{obj, crawl, name, filepath.Join(e.dir, to, name)})
		}
	}
	return files, nil
}

// plainName reports whether a name is that of a complete file, directly in its
// folder on any platform.
func plainName(name string) bool {
	return filepath.IsLocal(name) && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, `/\:`) && !strings.HasSuffix(name, partSuffix)
}

// done counts a complete file.
func (e *export) done(f *exportFile, copied bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.out.Files++
	if copied {
		e.out.Copied++
		e.out.Bytes += f.Size
	}
	if e.opts.Progress != nil {
		e.opts.Progress(e.out.Files, e.all)
	}
}

// account compares the corpus with the ledger.
func (e *export) account(ctx context.Context, corpora, rejects, segments []exportFile) error {
	totals, err := e.o.parts.Store.Ledger().Totals(ctx, e.crawls[0])
	if err != nil {
		return err
	}
	e.out.Kept = totals.Verdicts[ledger.Kept]
	ours, err := e.documents(ctx, corpora)
	if err != nil || ours >= e.out.Kept {
		return err
	}
	refused, err := e.refused(ctx, rejects)
	if err != nil {
		return err
	}
	if e.out.Missing = max(e.out.Kept-ours-refused, 0); e.out.Missing == 0 {
		return nil
	}
	cleaned := map[string]bool{}
	for _, f := range slices.Concat(corpora, rejects) {
		cleaned[f.name] = true
	}
	for _, f := range segments {
		if !cleaned[clean.LinesName(f.name)] {
			e.out.Segments = append(e.out.Segments, f.Key)
		}
	}
	return nil
}

// segmentName is the name of the segment that lines were made from.
func segmentName(lines string) string { return strings.TrimSuffix(lines, ".jsonl") + ".warc.gz" }

// makeFolders makes the folders of a crawl.
func makeFolders(dir string) error {
	for _, name := range []string{corpus.ArchiveFolder, corpus.DocumentFolder, corpus.RejectFolder} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
	}
	return nil
}

// localWARC is the path of a segment in the export, as documents name it.
func localWARC(key string) string { return path.Join(corpus.ArchiveFolder, path.Base(key)) }

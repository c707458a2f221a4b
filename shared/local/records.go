package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/records"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sitefolder"
	"sluice/shared/state/corpus"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// RecordsFolder is the folder of a crawl's records, RecordsFolder/SITE/LAYER/*.jsonl.
const RecordsFolder = corpus.RecordFolder

func (s *Spec) sites() sitefolder.Folder {
	return sitefolder.Folder(cmp.Or(s.Sites, sitefolder.Default))
}

// checkSites fails where what is known of the sites of a structured crawl cannot be used:
// before anything is fetched, not when its records are made.
func checkSites(ctx context.Context, spec *Spec, seeds []urlnorm.URL) error {
	t, err := spec.Topic.File.SiteTemplate()
	if t == nil || err != nil {
		return err
	}
	for _, u := range seeds {
		known, err := spec.sites().Site(ctx, u.Authority())
		if err == nil {
			_, err = site.NewReaderOf(known, t)
		}
		if err != nil && !errors.Is(err, site.ErrUnknown) {
			return err
		}
	}
	return nil
}

// gatherRecords writes all records of the crawl anew: what is known of the sites may
// have changed since the last time.
func (c *Crawl) gatherRecords(ctx context.Context) error {
	t, err := c.spec.Topic.File.SiteTemplate()
	if err != nil {
		return err
	}
	g := &records.Gathering{Template: t, Sites: c.spec.sites(), Each: c.eachPage}
	linked := &records.Linked{Scope: c.plan.Scope, Entries: generations(c.store, c.crawls()).Entries}
	counts, lost, err := gather(ctx, c.spec.Dir, g, linked.Add)
	if err == nil {
		err = linked.End(ctx)
	}
	if err != nil {
		return err
	}
	if lost > 0 {
		c.spec.Log.WarnContext(ctx, "pages have no records, as their WARC records cannot be read", "pages", lost)
	}
	for _, entry := range g.Idle {
		c.spec.Log.WarnContext(ctx, "a correction selects nothing on the sample pages of its layer", "entry", entry)
	}
	if n := len(g.TooLarge); n > 0 {
		c.spec.Log.WarnContext(ctx, "pages are too large to have records", "pages", n, "example", g.TooLarge[0])
	}
	if linked.Missing > 0 {
		counts[records.NotFetched] = linked.Missing
		c.spec.Log.WarnContext(ctx, "records of lists lead to pages that were not fetched: see sluice explain for why", "pages", linked.Missing, "example", linked.Example)
	}
	return keepJSON(ctx, c.store, recordsKey, counts)
}

// GatherRecords writes the records of a copy of a structured crawl, which has all of its
// archive, and returns how many there are by SITE/LAYER.
func GatherRecords(ctx context.Context, dir string, t *template.Template, sites site.Store) (map[string]int, error) {
	names, err := filesIn(dir, corpus.DocumentFolder+"/*.jsonl")
	if err != nil {
		return nil, err
	}
	g := &records.Gathering{Template: t, Sites: sites}
	g.Each = func(ctx context.Context, use func(d *corpus.Document) error) error {
		for _, name := range names {
			if err := eachDocument(ctx, filepath.Join(dir, filepath.FromSlash(name)), use); err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
		}
		return nil
	}
	counts, lost, err := gather(ctx, dir, g, func(context.Context, *corpus.Item) error { return nil })
	if err == nil && lost > 0 {
		err = fmt.Errorf("%d pages are not in the archive", lost)
	}
	return counts, err
}

func eachDocument(ctx context.Context, path string, use func(d *corpus.Document) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	return corpus.EachLine(f, func(l corpus.Line) error {
		d, err := readDocument(l.Raw)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = use(d)
		}
		return err
	})
}

// WriteRecords writes the records of a copy of a structured crawl that were made before:
// each calls add for the lines of SITE/LAYER.
func WriteRecords(dir string, t *template.Template, each func(add func(layer string, line []byte) error) error) error {
	_, err := writeRecords(dir, t, func(files *recordFiles) error { return each(files.addLine) })
	return err
}

// gather writes the records of the pages in the archive of a folder, calls also for each,
// and returns how many there are by SITE/LAYER and how many pages cannot be read.
func gather(ctx context.Context, dir string, g *records.Gathering, also func(ctx context.Context, i *corpus.Item) error) (counts map[string]int, lost int, err error) {
	g.Read = func(_ context.Context, at corpus.Location) (*reading.Arrival, error) { return arrival(dir, at), nil }
	if err := g.Learn(ctx); err != nil {
		return nil, 0, err
	}
	counts, err = writeRecords(dir, g.Template, func(files *recordFiles) (err error) {
		lost, err = g.Gather(ctx, func(i *corpus.Item) error {
			if err := also(ctx, i); err != nil {
				return err
			}
			return files.add(i)
		})
		return err
	})
	if n := len(g.TooLarge); n > 0 && err == nil {
		counts[records.TooLarge] = n
	}
	return counts, lost, err
}

// writeRecords puts the records that fill adds in the place of those before.
func writeRecords(dir string, t *template.Template, fill func(*recordFiles) error) (map[string]int, error) {
	files, err := newRecordFiles(filepath.Join(dir, RecordsFolder))
	if err != nil {
		return nil, err
	}
	if err = fill(files); err == nil {
		err = files.finish(t)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write records: %w", err), files.discard())
	}
	return files.counts, nil
}

// recordsKey keeps in the store how many records each layer of each site has.
const recordsKey = "records"

// eachPage calls use for the documents that count, in their order.
func (c *Crawl) eachPage(ctx context.Context, use func(d *corpus.Document) error) error {
	var waiting []*corpus.Document
	flush := func() error {
		urls := make([]string, len(waiting))
		for i, d := range waiting {
			urls[i] = d.FinalURL
		}
		entries, err := generations(c.store, c.crawls()).Entries(ctx, urls)
		if err != nil {
			return err
		}
		for i, d := range waiting {
			if !entries[i].KeptAt(d.WARC.File, d.WARC.Offset) {
				continue
			}
			if err := use(d); err != nil {
				return err
			}
		}
		waiting = waiting[:0]
		return nil
	}
	err := c.corpus.Documents(ctx, func(_ filecorpus.Place, line []byte) error {
		d, err := readDocument(line)
		if err != nil {
			return err
		}
		if waiting = append(waiting, d); len(waiting) < lookUp {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return err
}

// arrival reads a page of an archive again; nil for one that cannot be read.
func arrival(dir string, at corpus.Location) *reading.Arrival {
	page, err := clean.ReadPage(dir, at)
	if err != nil {
		return nil
	}
	a, rule, _ := page.Arrival()
	if rule != "" {
		return nil
	}
	return a
}

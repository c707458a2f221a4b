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
const RecordsFolder = "records"

// gathering makes the records of a structured crawl of the pages that it has kept.
type gathering struct {
	dir      string // of the archive, and of the records
	template *template.Template
	each     func(ctx context.Context, use func(d *corpus.Document) error) error

	survey  records.Survey
	readers map[string]*records.Reader // by site
	seen    records.Seen
	files   *recordFiles
	lost    int // pages whose WARC records cannot be read
}

// gatherRecords writes all records of the crawl anew: what is known of the sites may
// have changed since the last time.
func (c *Crawl) gatherRecords(ctx context.Context) error {
	t, err := c.spec.Topic.File.SiteTemplate()
	if err != nil {
		return err
	}
	g := &gathering{dir: c.spec.Dir, template: t, each: c.eachPage}
	if err := g.run(ctx, sitefolder.Folder(cmp.Or(c.spec.Sites, sitefolder.Default))); err != nil {
		return err
	}
	if g.lost > 0 {
		c.spec.Log.WarnContext(ctx, "pages have no records, as their WARC records cannot be read", "pages", g.lost)
	}
	return keepJSON(ctx, c.store, recordsKey, g.files.counts)
}

// GatherRecords writes the records of a copy of a structured crawl, which has all of its
// archive, and returns how many there are by SITE/LAYER.
func GatherRecords(ctx context.Context, dir string, t *template.Template, sites site.Store) (map[string]int, error) {
	names, err := filesIn(dir, corpus.DocumentFolder+"/*.jsonl")
	if err != nil {
		return nil, err
	}
	g := &gathering{dir: dir, template: t}
	g.each = func(ctx context.Context, use func(d *corpus.Document) error) error {
		for _, name := range names {
			if err := eachDocument(ctx, filepath.Join(dir, filepath.FromSlash(name)), use); err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
		}
		return nil
	}
	if err := g.run(ctx, sites); err != nil {
		return nil, err
	}
	if g.lost > 0 {
		return nil, fmt.Errorf("%d pages are not in the archive", g.lost)
	}
	return g.files.counts, nil
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

func (g *gathering) run(ctx context.Context, sites site.Store) (err error) {
	g.readers, g.seen = map[string]*records.Reader{}, records.Seen{}
	if err := g.each(ctx, g.notice); err != nil {
		return fmt.Errorf("look over the pages: %w", err)
	}
	learner := records.Learner{Template: g.template, Sites: sites, Read: g.arrival}
	for _, host := range g.survey.Sites() {
		if g.readers[host], err = learner.Site(ctx, host, &g.survey); err != nil {
			return err
		}
	}
	if g.files, err = newRecordFiles(filepath.Join(g.dir, RecordsFolder)); err != nil {
		return err
	}
	err = g.each(ctx, g.gather)
	if err == nil {
		err = g.files.finish(g.template)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write records: %w", err), g.files.discard())
	}
	return nil
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

func (g *gathering) notice(d *corpus.Document) error {
	if u, err := urlnorm.Parse(d.FinalURL); err == nil {
		g.survey.Add(u, d.Layer, d.WARC)
	}
	return nil
}

// arrival reads a page again.
func (g *gathering) arrival(at corpus.Location) (*reading.Arrival, error) {
	page, err := clean.ReadPage(g.dir, at)
	if err != nil {
		return nil, err
	}
	a, rule, err := page.Arrival()
	if rule != "" {
		return nil, errors.Join(errors.New(rule), err)
	}
	return a, nil
}

// gather writes the records of a page.
func (g *gathering) gather(d *corpus.Document) error {
	a, err := g.arrival(d.WARC)
	if err != nil {
		g.lost++
		return nil //nolint:nilerr // the records of the other pages are worth having
	}
	reader := g.readers[a.URL.Authority()]
	if reader == nil {
		return nil
	}
	for _, item := range reader.Items(a, g.survey.Layer(a.URL, d.Layer), d.WARC) {
		if g.seen.Again(item, g.template) {
			continue
		}
		if err := g.files.add(item); err != nil {
			return err
		}
	}
	return nil
}

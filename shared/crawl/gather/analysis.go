package gather

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"sluice/shared/crawl/records"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/structure"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// analysis is the work on one host of a crawl.
type analysis struct {
	*Gatherer
	job      *job.Job
	host     string
	template *template.Template
	scope    *urlnorm.Scope // of the crawl
}

// learn learns an unknown site, as soon as there are as many pages of details as samples
// are taken: fewer make paths that fit them alone. A site without so many, and what is
// known of others, is looked at when the crawl has ended.
func (a *analysis) learn(ctx context.Context, receives int, last bool) error {
	if known, err := a.known(ctx); known || err != nil {
		return err
	}
	p, err := a.pages(ctx)
	if err != nil {
		return err
	}
	details := 0
	for _, d := range p.of {
		if d.Layer == structure.DetailLayer {
			details++
		}
	}
	if details < records.Samples {
		if last {
			return nil
		}
		wait := min(a.opts.Wait<<receives, most)
		return fault.NewAfter(wait, "few_pages", fmt.Errorf("the crawl has %d pages of details", details))
	}
	return a.gathering(p).Learn(ctx)
}

// known reports whether the layers of the site are known by the template.
func (a *analysis) known(ctx context.Context) (bool, error) {
	known, err := a.ports.Sites.Site(ctx, a.host)
	if errors.Is(err, site.ErrUnknown) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, layer := range records.Layers() {
		if l := known.Layers[layer]; l == nil || l.Template != a.template.Name {
			return false, nil
		}
	}
	return true, nil
}

func (a *analysis) gathering(p *pages) *records.Gathering {
	r := &archive{objects: a.ports.Objects}
	return &records.Gathering{Template: a.template, Sites: a.ports.Sites, Each: p.each, Read: r.page}
}

// each calls use for the pages of the host.
func (p *pages) each(_ context.Context, use func(d *corpus.Document) error) error {
	for _, d := range p.of {
		if err := use(d); err != nil {
			return err
		}
	}
	return nil
}

// records makes the records of the pages of the host, unless the crawl has not asked for
// them: then it will.
func (a *analysis) records(ctx context.Context, kept int, last bool) error {
	switch {
	case kept == 0: // asked for while the crawl went on; its records are by another message
		return nil
	case a.job.LacksRecords() && !last: // about to be noted
		return fault.NewAfter(a.opts.Wait, "pending", errors.New("the crawl has not asked for its records yet"))
	case a.job.Records[a.host] == nil:
		return nil
	}
	p, err := a.pages(ctx)
	if err != nil {
		return err
	}
	switch missing := kept - p.all; {
	case missing > 0 && !last:
		return fault.NewAfter(a.opts.Wait, "pending", fmt.Errorf("%d pages are not in the corpus yet", missing))
	case missing > 0:
		return a.note(ctx, &job.HostRecords{Made: true, Left: fmt.Sprintf("%d pages are not in the corpus", missing)})
	case len(p.of) > a.opts.MaxPages:
		return a.note(ctx, &job.HostRecords{Made: true, Left: fmt.Sprintf("%d pages, more than %d", len(p.of), a.opts.MaxPages)})
	}
	counts, err := a.make(ctx, p)
	if errors.Is(err, context.DeadlineExceeded) { // another try would take as long
		return a.note(context.WithoutCancel(ctx), &job.HostRecords{Made: true, Left: fmt.Sprintf("%d pages take too long", len(p.of))})
	}
	if err != nil {
		return err
	}
	return a.note(ctx, &job.HostRecords{Made: true, Counts: counts})
}

// make writes the records, and returns how many there are, as job.HostRecords has them.
func (a *analysis) make(ctx context.Context, p *pages) (map[string]int, error) {
	g := a.gathering(p)
	if err := g.Learn(ctx); err != nil {
		return nil, err
	}
	for _, path := range g.Idle {
		a.opts.Log.WarnContext(ctx, "a correction selects nothing on the pages of its layer", "crawl", a.job.ID, "path", path)
	}
	out := newOutput(a)
	linked := &records.Linked{Scope: a.scope, Entries: func(ctx context.Context, urls []string) ([]*ledger.Entry, error) {
		return a.ports.Ledger.Entries(ctx, a.job.ID, urls)
	}}
	lost, err := g.Gather(ctx, func(i *corpus.Item) error {
		if err := linked.Add(ctx, i); err != nil {
			return err
		}
		return out.add(i)
	})
	if err == nil {
		err = linked.End(ctx)
	}
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		a.opts.Log.WarnContext(ctx, "pages have no records, as their WARC records cannot be read", "crawl", a.job.ID, "host", a.host, "pages", lost)
	}
	if n := len(g.TooLarge); n > 0 {
		out.counts[records.TooLarge] = n
	}
	if linked.Missing > 0 {
		out.counts[records.NotFetched] = linked.Missing
	}
	return out.counts, out.write(ctx)
}

// note notes what became of the records, unless the crawl was resumed meanwhile.
func (a *analysis) note(ctx context.Context, made *job.HostRecords) error {
	_, err := a.ports.Jobs.Update(ctx, a.job.ID, func(j *job.Job) error {
		if j.Records[a.host] == nil {
			return nil
		}
		if !reflect.DeepEqual(j.Forgotten, a.job.Forgotten) {
			return errors.New("pages were forgotten meanwhile: their records have to go")
		}
		j.Records[a.host] = made
		return nil
	})
	if err != nil {
		return fmt.Errorf("note records: %w", err)
	}
	if made.Left != "" {
		a.opts.Log.WarnContext(ctx, "records are left to an export", "crawl", a.job.ID, "host", a.host, "reason", made.Left)
	}
	return nil
}

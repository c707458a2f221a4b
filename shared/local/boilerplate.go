package local

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/fault"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/corpus"
	"sluice/shared/text/boilerplate"
	"sluice/shared/web/urlnorm"
)

// lessons are what is learned of hosts by all generations of a crawl together: a
// refresh may see few of their pages.
type lessons struct {
	*sqlitestore.Boilerplate
	crawl string // the first generation
}

// Update implements boilerplate.Store.
func (l lessons) Update(ctx context.Context, _, host string, pages []boilerplate.Page) (*boilerplate.Learned, error) {
	return l.Boilerplate.Update(ctx, l.crawl, host, pages)
}

// removeBoilerplate makes the documents again that were made when less was known
// of their hosts than is now, from what the hosts sent. What is then no document
// any more goes to the rejects, and is noted as refused: in this order, so that
// a pass that was killed finds its documents where they were, or all done.
func (c *Crawl) removeBoilerplate(ctx context.Context) error {
	hosts, err := c.learned.Taught(ctx, c.learned.crawl)
	if err != nil || len(hosts) == 0 {
		return err
	}
	p := c.newCleaning()
	for _, host := range hosts {
		p.hosts[host] = true
	}
	err = c.corpus.Revise(ctx, func(line []byte) ([]byte, error) { return p.revise(ctx, line) })
	if err != nil {
		return fmt.Errorf("remove boilerplate: %w", err)
	}
	p.warn(ctx)
	return nil
}

// cleaning is one pass over the documents.
type cleaning struct {
	*Crawl
	hosts   map[string]bool
	lessons map[string]*boilerplate.Learned // of the last hosts
	lost    int                             // pages whose records cannot be read
}

func (c *Crawl) newCleaning() cleaning {
	return cleaning{Crawl: c, hosts: map[string]bool{}, lessons: map[string]*boilerplate.Learned{}}
}

func (p *cleaning) warn(ctx context.Context) {
	if p.lost > 0 {
		p.spec.Log.WarnContext(ctx, "pages stay as they are, as their WARC records cannot be read", "pages", p.lost)
	}
}

// maxLessons is how many hosts are remembered at a time.
const maxLessons = 4096

// revise makes a document again unless it is what its host's lines have it be.
func (p *cleaning) revise(ctx context.Context, line []byte) ([]byte, error) {
	var d struct {
		FinalURL    string             `json:"final_url"`
		Version     int                `json:"version"`
		Verdicts    []string           `json:"verdicts"`
		Boilerplate corpus.Boilerplate `json:"boilerplate"`
		WARC        corpus.Location    `json:"warc"`
	}
	if err := json.Unmarshal(line, &d); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("document: %w", err))
	}
	u, err := urlnorm.Parse(d.FinalURL)
	if err != nil || !p.hosts[u.Host()] {
		return line, nil //nolint:nilerr // an invalid URL has no host
	}
	learned, err := p.lesson(ctx, u.Host())
	if err != nil || learned.Version() == d.Boilerplate.Learned {
		return line, err
	}
	page, err := clean.ReadPage(p.spec.Dir, d.WARC)
	if err != nil {
		p.lost++
		return line, nil //nolint:nilerr // the document as it is says more than none
	}
	if page.Keep(); slices.Contains(d.Verdicts, reading.RuleSecondLook) {
		page.Accept()
	}
	pending := page.Pending(p.plan.Reader)
	if _, _, ok := pending.Learn(); !ok {
		return line, nil // this program reads the page otherwise than the one that kept it
	}
	again, reject := pending.Without(learned)
	if again == nil {
		return nil, p.refuse(ctx, reject, d.WARC)
	}
	again.Version = d.Version
	return again.AppendJSON(nil)
}

// lesson is what is known of a host.
func (p *cleaning) lesson(ctx context.Context, host string) (*boilerplate.Learned, error) {
	if l := p.lessons[host]; l != nil {
		return l, nil
	}
	s, err := p.learned.Sketch(ctx, p.learned.crawl, host)
	if err != nil {
		return nil, err
	}
	if len(p.lessons) >= maxLessons {
		clear(p.lessons)
	}
	p.lessons[host] = s.Learned()
	return p.lessons[host], nil
}

// refuse puts a page among the rejects that was a document. It is refused in all
// generations that point at the record: an older version counts in none by now.
func (p *cleaning) refuse(ctx context.Context, r *corpus.Reject, record corpus.Location) error {
	if err := p.corpus.Reject(ctx, r); err != nil {
		return err
	}
	for _, id := range p.crawls() {
		entries, err := p.store.Ledger().Entries(ctx, id, []string{r.FinalURL})
		if err != nil {
			return fmt.Errorf("look up %s: %w", r.FinalURL, err)
		}
		if !entries[0].KeptAt(record.File, record.Offset) {
			continue
		}
		if err := p.store.Refuse(ctx, id, r.FinalURL, r.Rule); err != nil {
			return err
		}
	}
	return nil
}

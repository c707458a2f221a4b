// Package freeze makes a frozen web of a finished crawl, so that other topics and
// strategies can be tried on what it fetched, without a network.
//
// The pages that the crawl archived are in the web as they were served. Any other page
// has its title, the topic words of its description if that was relevant, and the links by
// which the crawl found other pages; it has no text. Redirects, sitemaps, feeds and paths
// that robots.txt forbade are there as far as the crawl met them. All other URLs are
// missing (404).
package freeze

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/step"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/wholecrawl"
	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

// Result counts the pages of a frozen web.
type Result struct {
	Web       string `json:"web"`       // its name: that of the topic, which is also the label of the documents
	Pages     int    `json:"pages"`     // all
	Documents int    `json:"documents"` // as they were served, labelled with the topic
	Others    int    `json:"others"`    // pages that were not kept
	Held      int    `json:"held"`      // of these, as they were served
	Redirects int    `json:"redirects"` // that lead to a URL
	Sources   int    `json:"sources"`   // sitemaps and feeds, and robots.txt
	Missing   int    `json:"missing"`   // URLs that the crawl met and the web lacks: they could not be fetched
}

// freezer writes the pages of a crawl.
type freezer struct {
	dir      string
	topic    string
	crawl    Crawl
	out      *frozenweb.Writer
	kept     map[string]bool   // final URLs of the documents
	children map[string][]link // of pages that may not have been archived, by URL
	robots   map[string]string // lines of the robots.txt at a URL
	seen     map[string]bool   // by each
	result   Result
}

// link is a link by which the crawl found a page.
type link struct {
	url, anchor string
	source      bool
}

// Crawl is what is known of a crawl whose archive and corpus are in a folder.
type Crawl interface {
	Topic() string
	Seeds() []string
	// Ends returns the ends of all pages, some at a time, with their places in that
	// archive; those of a page may come repeatedly.
	Ends(ctx context.Context) iter.Seq2[[]ledger.End, error]
}

// Folder writes the crawl in a folder as a frozen web.
func Folder(ctx context.Context, dir string, w io.Writer) (_ *Result, err error) {
	folder, err := local.OpenFolder(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("freeze crawl: %w", err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	return Of(ctx, folder, dir, w)
}

// Of writes a crawl whose pages are in a folder as a frozen web.
func Of(ctx context.Context, crawl Crawl, dir string, w io.Writer) (*Result, error) {
	kept, err := wholecrawl.Kept(dir)
	if err != nil {
		return nil, fmt.Errorf("freeze crawl: %w", err)
	}
	f := &freezer{
		dir: dir, topic: crawl.Topic(), crawl: crawl,
		kept: map[string]bool{}, children: map[string][]link{}, robots: map[string]string{},
	}
	for _, url := range kept {
		f.kept[url] = true
	}
	f.result.Web = f.topic
	f.out, err = frozenweb.NewWriter(w, f.topic, "pages of a crawl for "+f.topic+"; those that it did not archive have no text", crawl.Seeds())
	if err != nil {
		return nil, err
	}
	if err = errors.Join(f.pages(ctx), f.out.Close()); err != nil {
		return nil, fmt.Errorf("freeze crawl: %w", err)
	}
	return &f.result, nil
}

func (f *freezer) pages(ctx context.Context) error {
	if err := f.each(ctx, f.note); err != nil {
		return err
	}
	if err := f.each(ctx, f.write); err != nil {
		return err
	}
	return f.writeRobots()
}

// each visits the end of every page once.
func (f *freezer) each(ctx context.Context, visit func(url string, e *ledger.Entry, t *step.Trace) error) error {
	f.seen = map[string]bool{}
	for ends, err := range f.crawl.Ends(ctx) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, end := range ends {
			if f.seen[end.URL] {
				continue
			}
			f.seen[end.URL] = true
			var t step.Trace
			if err := json.Unmarshal(end.Entry.Trace, &t); err != nil {
				return fmt.Errorf("read the trace of %s: %w", end.URL, err)
			}
			if err := visit(end.URL, end.Entry, &t); err != nil {
				return err
			}
		}
	}
	return nil
}

// note remembers where a page was found.
func (f *freezer) note(url string, e *ledger.Entry, t *step.Trace) error {
	if t.Link.Origin == "" { // else the page is behind the redirect that was found there
		f.children[t.Link.Parent] = append(f.children[t.Link.Parent], link{url: url, anchor: t.Link.Anchor, source: t.Link.IsSource})
	}
	switch {
	case e.Verdict == ledger.Skipped && e.Rule == step.RuleRobots:
		return f.robot(url, func(path string) string { return "Disallow: " + path + "$" })
	case t.Link.IsSource:
		return f.robot(url, func(string) string { return "Sitemap: " + url })
	}
	return nil
}

// write adds a page to the web.
func (f *freezer) write(url string, e *ledger.Entry, t *step.Trace) error {
	p := &frozenweb.Page{URL: url, Label: frozenweb.None, Kind: "other"}
	count := &f.result.Others
	switch to, ok := target(url, t.Target); {
	case e.Verdict == ledger.Forgotten || e.Verdict == ledger.Skipped:
		return nil
	case e.Length > 0:
		if err := f.archived(p, e); err != nil {
			return err
		}
		if p.Label == f.topic {
			count = &f.result.Documents
		} else {
			f.result.Held++
		}
	case ok:
		p.Redirect, count = to, &f.result.Redirects
	case e.Verdict == ledger.Source:
		p.Type, p.Body = "application/rss+xml", feed(f.children[url])
		count = &f.result.Sources
	case t.Status == http.StatusOK && t.Charset == "": // it was not read as a page
		p.Type = "application/octet-stream"
	case t.Status == http.StatusOK:
		p.Type, p.Body = "text/html; charset=utf-8", passed(e, t, f.children[url])
	default:
		f.result.Missing++
		return nil
	}
	return f.add(p, count)
}

func (f *freezer) add(p *frozenweb.Page, count *int) error {
	*count++
	f.result.Pages++
	return f.out.Add(p)
}

// archived reads a page as it was served.
func (f *freezer) archived(p *frozenweb.Page, e *ledger.Entry) error {
	page, err := clean.ReadPage(f.dir, corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length})
	if err != nil {
		return err
	}
	if p.Type, p.Body, err = page.Served(); err != nil {
		return fmt.Errorf("read page %s: %w", p.URL, err)
	}
	if f.kept[p.URL] {
		p.Label, p.Kind = f.topic, frozenweb.Article
	}
	return nil
}

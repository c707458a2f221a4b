// Package wholecrawl runs complete crawls over frozen webs and judges the
// results (METHOD A14, B7): precision by site, by threshold, and with parts of
// the method left out. They are crawls of package local in temporary folders;
// only the network is a frozen web in the same process.
package wholecrawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/local"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
	"sluice/shared/web/hosts"
)

// contact is the contact of the crawls, which contact no real server.
const contact = "https://eval.invalid/"

// Setup is the common part of the crawls of one evaluation.
type Setup struct {
	Web    *frozenweb.Web
	Topic  *topic.Compiled
	Source []byte   // the bytes that Topic was read from
	Seeds  []string // nil: the web's, else the topic's

	MaxPages   int    // 0: as many as the web has
	PerHost    int    // pages of one host; 0: as many as MaxPages
	RandomSeed uint64 // of crawls that can be repeated, which go in rounds; 0: exact order of priority
	Workers    int    // 0: local.DefaultWorkers
}

// Outcome is what a crawl fetched and kept.
type Outcome struct {
	Name    string
	Fetched []string // URLs of the pages served, in order of the first request, robots.txt and the like not among them; nil if unknown
	Missing int      // URLs asked for that the web lacks; 0 if Fetched is unknown
	Pages   int64    // responses received, those for URLs that the web lacks among them
	Kept    []string // final URLs of the documents
	Learned []string // words that the crawl has learned, the best first
	Seconds float64
}

// Run crawls the web in a temporary folder.
func Run(ctx context.Context, s Setup, v Variant) (_ *Outcome, err error) {
	temporary, err := os.MkdirTemp("", "sluice-eval-")
	if err != nil {
		return nil, fmt.Errorf("make crawl folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()

	watch := &watch{web: s.Web, seen: map[string]bool{}, missing: map[string]bool{}}
	dir := filepath.Join(temporary, "crawl")
	spec := s.Spec(v, dir)
	spec.Transport = frozenweb.Transport{Handler: watch}
	sum, err := crawl(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", v.Name, err)
	}
	kept, err := Kept(dir)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", v.Name, err)
	}
	words, err := learned(dir)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", v.Name, err)
	}
	fetched, missing := watch.asked()
	return &Outcome{Name: v.Name, Fetched: fetched, Missing: missing, Pages: sum.Fetched, Kept: kept, Learned: words, Seconds: sum.DurationS}, nil
}

// learned returns the words that a crawl in a folder has learned.
func learned(dir string) (words []string, err error) {
	t, err := topic.LoadAny(filepath.Join(dir, local.LearnedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, w := range t.File.Words {
		if w.Related {
			words = append(words, w.Text)
		}
	}
	return words, nil
}

// Spec says how a variant is crawled into a folder: from memory, without
// pauses, and with a page budget that replaces the topic's.
func (s *Setup) Spec(v Variant, dir string) local.Spec {
	changed := v.Of(s.Topic)
	pages := s.MaxPages
	if pages == 0 {
		pages = len(s.Web.Pages) + deadLinks*len(s.Web.Pages)
	}
	changed.File.Budgets = topic.Budgets{Limits: limits.Limits{MaxPages: pages, MaxPagesPerHost: cmp.Or(s.PerHost, pages), MaxDepth: changed.File.Budgets.MaxDepth}}
	return local.Spec{
		Dir: dir, Topic: changed, Source: s.Source,
		Seeds: s.StartsAt(), Contact: contact, Version: "eval", Transport: frozenweb.Transport{Handler: s.Web},
		Workers: s.Workers, RandomSeed: s.RandomSeed,
	}
}

// StartsAt returns the seeds of the crawls.
func (s *Setup) StartsAt() []string {
	for _, seeds := range [][]string{s.Seeds, s.Web.Seeds} {
		if len(seeds) > 0 {
			return seeds
		}
	}
	return s.Topic.File.Seeds
}

// deadLinks limits the links without a page, as a multiple of the number of
// pages, before the crawl's budget ends it.
const deadLinks = 4

func crawl(ctx context.Context, spec local.Spec) (sum *local.Summary, err error) {
	c, err := local.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	stop, cancel := context.WithTimeout(ctx, maxDuration)
	defer cancel()
	return c.Run(ctx, stop)
}

// maxDuration ends a crawl that does not end otherwise; a web of 20,000 pages
// takes some minutes.
const maxDuration = 2 * time.Hour

// watch records the requested pages, in order, and the URLs that the web lacks.
type watch struct {
	web *frozenweb.Web

	mu      sync.Mutex
	seen    map[string]bool
	urls    []string
	missing map[string]bool
}

// ServeHTTP implements http.Handler.
func (w *watch) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	p := w.note(r)
	if p == nil && r.URL.Scheme == "https" {
		// The web would say that its https is down, and the crawl wait for it.
		http.NotFound(rw, r)
		return
	}
	w.web.ServeHTTP(rw, r)
}

// note records a request and returns its page, nil if the web lacks it.
func (w *watch) note(r *http.Request) *frozenweb.Page {
	asked := frozenweb.Asked(r)
	p := w.web.Page(asked)
	if hosts.SiteFile(r.URL.Path) {
		return p
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case p == nil:
		w.missing[asked] = true
	case !w.seen[p.URL]:
		w.seen[p.URL] = true
		w.urls = append(w.urls, p.URL)
	}
	return p
}

// asked returns the pages in order, and the number of URLs that the web lacks.
func (w *watch) asked() (pages []string, missing int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.urls), len(w.missing)
}

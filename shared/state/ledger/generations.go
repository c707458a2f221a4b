package ledger

import (
	"context"
	"fmt"
)

// Change is what a refresh found about a document; "" if there is and was none.
type Change string

// The changes. In a refresh every kept entry has one.
const (
	New       Change = "new"       // the corpus had no document, or none that was current
	Changed   Change = "changed"   // another text than before: a new version
	Unchanged Change = "unchanged" // the entry points at the existing record
	Gone      Change = "gone"      // there was one, which is no longer current; Rule says why
	Unreached Change = "unreached" // its page could not be fetched this time; the document is still current
)

// AddChange adds to the entries of a change.
func (t *Totals) AddChange(c Change, n int64) {
	if t.Changes == nil {
		t.Changes = map[Change]int64{}
	}
	t.Changes[c] += n
}

// Stands reports whether e describes the current page. If the page could not be
// fetched, the earlier entry remains valid: a server that is down for a day
// removes nothing from a corpus.
func (e *Entry) Stands() bool {
	switch {
	case e.Change != "":
		return e.Change != Unreached
	case e.Verdict == Dead:
		return false
	}
	return e.Verdict != Rejected || e.Fetched
}

// Reader reads entries of crawls.
type Reader interface {
	// Entries returns the entry of each URL, in order, nil if there is none.
	Entries(ctx context.Context, crawl string, urls []string) ([]*Entry, error)
}

// Past is the data of a URL in a crawl and the crawls that it refreshes.
type Past struct {
	Last *Entry // the newest valid entry; nil if none
	Kept *Entry // the newest entry that has it in the corpus: Last, or an older one; nil if none
}

// Generations are a crawl and the crawls that it refreshes. A refresh is a
// separate crawl, so that entries are still written once; the state of a URL is
// its newest valid entry.
type Generations struct {
	Reader Reader
	Crawls []string // newest first
}

// Past looks URLs up, in order. It queries each generation only for URLs that
// no newer one keeps.
func (g *Generations) Past(ctx context.Context, urls []string) ([]Past, error) {
	return g.look(ctx, urls, func(p *Past) bool { return p.Kept != nil })
}

// Entries returns the newest valid entry of each URL, in order, nil if there is
// none. A document is current if that entry points at its record.
func (g *Generations) Entries(ctx context.Context, urls []string) ([]*Entry, error) {
	past, err := g.look(ctx, urls, func(p *Past) bool { return p.Last != nil })
	if err != nil {
		return nil, err
	}
	last := make([]*Entry, len(past))
	for i := range past {
		last[i] = past[i].Last
	}
	return last, nil
}

// look goes back in time until it is enough of each URL.
func (g *Generations) look(ctx context.Context, urls []string, enough func(*Past) bool) ([]Past, error) {
	out := make([]Past, len(urls))
	open := make([]int, len(urls))
	for i := range urls {
		open[i] = i
	}
	for _, crawl := range g.Crawls {
		asked := make([]string, len(open))
		for n, i := range open {
			asked[n] = urls[i]
		}
		if len(asked) == 0 {
			break
		}
		entries, err := g.Reader.Entries(ctx, crawl, asked)
		if err != nil {
			return nil, fmt.Errorf("read entries of %s: %w", crawl, err)
		}
		left := open[:0]
		for n, i := range open {
			out[i].add(entries[n])
			if !enough(&out[i]) {
				left = append(left, i)
			}
		}
		open = left
	}
	return out, nil
}

// add takes the entry of the next older generation.
func (p *Past) add(e *Entry) {
	if e == nil || !e.Stands() {
		return
	}
	if p.Last == nil {
		p.Last = e
	}
	if p.Kept == nil && e.Verdict == Kept {
		p.Kept = e
	}
}

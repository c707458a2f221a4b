// Package secondlook judges all pages of a crawl again when it has ended, by words
// learned from those that were kept and from those that were not (METHOD B1, B2):
// documents may go to the rejects, and pages that were held may become documents. It
// decides; its callers move the pages.
package secondlook

import (
	"context"
	"errors"
	"fmt"

	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

const (
	maxJudged = 20_000 // runes of the text of a page are judged
	maxLinks  = 200    // of a page count
)

// Crawl is the crawl that is judged: its records and its archive. It is safe for
// concurrent use.
type Crawl struct {
	Lines compile.Lines
	// Page returns the page whose response is at a place of the archive.
	Page func(at corpus.Location) (*clean.Page, error)
}

// Look judges pages.
type Look struct {
	by    *compile.Feedback
	prose *compile.Prose
	crawl Crawl
}

// Learn learns from the pages of a crawl how to judge them. It returns nil if there are
// too few to learn from.
func Learn(ctx context.Context, t *topic.Compiled, language string, crawl Crawl) (*Look, error) {
	prose, err := compile.NewProse(language, t.UserWords)
	if err != nil {
		return nil, fmt.Errorf("look again: %w", err)
	}
	l := &Look{prose: prose, crawl: crawl}
	samples, err := compile.ReadCrawl(ctx, crawl.Lines, prose.Words, l.page)
	if err == nil {
		l.by, err = compile.LearnFeedback(t.File, samples, prose)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, compile.ErrFewTexts):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look again: %w", err)
	}
	return l, nil
}

// Document judges a document: refused unless value is at least the threshold.
func (l *Look) Document(d *corpus.Document) (value, threshold float64) {
	return l.value(d.URL, d.WARC, d.Text), l.by.ThresholdOf(d.URL)
}

// Reject judges a reject, as Document does a document.
func (l *Look) Reject(r *corpus.Reject) (value, threshold float64) {
	return l.value(r.URL, r.WARC, r.Text), l.by.ThresholdOf(r.URL)
}

// Accepts reports whether a reject is of a page that was held and is on the topic.
func (l *Look) Accepts(r *corpus.Reject) bool {
	if !reading.Held(r) {
		return false
	}
	value, threshold := l.Reject(r)
	return value >= threshold
}

// Result says what was learned; the counts of pages are the caller's.
func (l *Look) Result() job.SecondLook {
	return job.SecondLook{Threshold: l.by.Threshold, On: l.by.On, Off: l.by.Off, Words: Words(l.by.Learned)}
}

// Words are those that a crawl has learned.
func Words(found []compile.Candidate) []job.Learned {
	words := make([]job.Learned, len(found))
	for i, c := range found {
		words[i] = job.Learned{Word: c.Word, Weight: c.Weight, Documents: c.Relevant}
	}
	return words
}

// value is the relevance of a page with this URL, place and main text.
func (l *Look) value(url string, at corpus.Location, text string) float64 {
	if value, known := l.by.ValueAt(at); known {
		return value
	}
	words, _ := l.page(at, true)
	if len(words) == 0 {
		words = l.prose.Words(text)
	}
	return l.by.Value(url, words)
}

// page returns the words of an archived page, if they are wanted, and where it links to: none
// if it cannot be read.
func (l *Look) page(at corpus.Location, cut bool) (words []string, links []compile.Address) {
	if at.Length == 0 {
		return nil, nil
	}
	archived, err := l.crawl.Page(at)
	if err != nil {
		return nil, nil
	}
	contentType, body, err := archived.Served()
	if err != nil {
		return nil, nil
	}
	base, _ := urlnorm.Parse(archived.URL()) // zero: it has absolute links alone
	text, found := page.Visible(body, contentType, maxJudged, base)
	for _, link := range found[:min(len(found), maxLinks)] {
		if link.URL != base {
			links = append(links, compile.AddressOf(link.URL.String()))
		}
	}
	if cut {
		words = l.prose.All(text)
	}
	return words, links
}

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/topic/compile"
	"sluice/shared/web/page"
)

// secondLookKey keeps in the store what the last second look came to.
const secondLookKey = "second_look"

// maxJudged is how much of the text of a page the second look judges, in runes.
const maxJudged = 20_000

// secondLook judges all pages again by words learned from those that were kept, by
// the words of the author or by an earlier look (METHOD B1, B2): documents may go to
// the rejects, and pages that were held may become documents. Either is stored in its
// new place before it leaves the old one, so that a pass that was killed loses none.
type secondLook struct {
	cleaning
	by    *compile.Feedback
	prose *compile.Prose

	result console.SecondLook
}

func (c *Crawl) lookAgain(ctx context.Context) error {
	if !c.plan.Hold {
		return nil
	}
	prose, err := compile.NewProse(c.plan.Language, c.spec.Topic.UserWords)
	if err != nil {
		return fmt.Errorf("look again: %w", err)
	}
	p := &secondLook{cleaning: c.newCleaning(), prose: prose}
	samples, err := compile.ReadCrawl(ctx, c.spec.Dir, prose.Words, p.page)
	if err == nil {
		p.by, err = compile.LearnFeedback(c.spec.Topic.File, samples, prose)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, compile.ErrFewTexts):
		return nil
	case err != nil:
		return fmt.Errorf("look again: %w", err)
	}
	err = c.corpus.Revise(ctx, func(line []byte) ([]byte, error) { return p.document(ctx, line) })
	if err == nil {
		err = c.corpus.ReviseRejects(ctx, c.spec.turn.Start.Rejects, func(line []byte) ([]byte, error) { return p.reject(ctx, line) })
	}
	if err != nil {
		return fmt.Errorf("look again: %w", err)
	}
	p.warn(ctx)
	return p.note(ctx)
}

// document keeps the line of a document, or puts its page among the rejects. It
// leaves older versions alone.
func (p *secondLook) document(ctx context.Context, line []byte) ([]byte, error) {
	d, err := readDocument(line)
	if err != nil {
		return nil, err
	}
	e, err := p.store.Ledger().Entry(ctx, p.id, d.FinalURL)
	if err != nil || !e.KeptAt(d.WARC.File, d.WARC.Offset) {
		return line, err // another version is current
	}
	value, threshold := p.value(d.URL, d.WARC, d.Text), p.by.ThresholdOf(d.URL)
	if value >= threshold {
		rule, err := p.store.RefusedBy(ctx, p.id, d.FinalURL)
		if rule == reading.RuleSecondLook && err == nil { // a pass that was killed has refused it
			err = p.store.Accept(ctx, p.id, d.FinalURL, reading.RuleSecondLook, "")
		}
		return line, err
	}
	p.result.Removed++
	return nil, p.refuse(ctx, &corpus.Reject{
		URL: d.URL, FinalURL: d.FinalURL, Rule: reading.RuleSecondLook, Status: 200, Title: d.Title,
		Detail: fmt.Sprintf("learned words: relevance %.4g, threshold %.4g", value, threshold),
		Date:   corpus.Date{Time: time.Now().UTC()}, Depth: d.Path.Depth, Parent: d.Path.Parent, Anchor: d.Path.Anchor, Topic: d.Topic,
		OffTopic: &corpus.OffTopic{Text: d.Text, SampledOneIn: 1}, WARC: d.WARC,
	}, d.WARC)
}

// reject keeps the line of a reject, or makes a document of a page that was held.
func (p *secondLook) reject(ctx context.Context, line []byte) ([]byte, error) {
	var r corpus.Reject
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("reject: %w", err))
	}
	if !reading.Held(&r) || p.value(r.URL, r.WARC, r.Text) < p.by.ThresholdOf(r.URL) {
		return line, nil
	}
	e, err := p.store.Ledger().Entry(ctx, p.id, r.FinalURL)
	if err != nil || e == nil || e.Length == 0 {
		return line, err
	}
	if e.Verdict == ledger.Kept {
		rule, err := p.store.RefusedBy(ctx, p.id, r.FinalURL)
		if err != nil || rule == "" {
			return nil, err // a pass that was killed has done this
		}
	}
	d, err := p.held(ctx, e)
	if d == nil {
		return line, err
	}
	if err := p.corpus.Add(ctx, d); err != nil {
		return nil, err
	}
	p.result.Added++
	return nil, p.store.Accept(ctx, p.id, r.FinalURL, reading.RuleSecondLook, p.change(&r))
}

// value is the relevance of a page with this URL, place and main text.
func (p *secondLook) value(url string, at corpus.Location, text string) float64 {
	if value, known := p.by.ValueAt(at); known {
		return value
	}
	words := p.page(at)
	if len(words) == 0 {
		words = p.prose.Words(text)
	}
	return p.by.Value(url, words)
}

// page returns the words of an archived page, none if it cannot be read.
func (p *secondLook) page(at corpus.Location) []string {
	if at.Length == 0 {
		return nil
	}
	archived, err := clean.ReadPage(p.spec.Dir, at)
	if err != nil {
		return nil
	}
	contentType, body, err := archived.Served()
	if err != nil {
		return nil
	}
	return p.prose.All(page.Visible(body, contentType, maxJudged))
}

// change is what the end of the crawl notes of a page that becomes a document.
func (p *secondLook) change(r *corpus.Reject) ledger.Change {
	switch {
	case p.prior() == nil:
		return ""
	case r.Previous != "":
		return ledger.Changed
	}
	return ledger.New
}

// held makes the document of a page that was held, nil if it is none for other
// reasons.
func (p *secondLook) held(ctx context.Context, e *ledger.Entry) (*corpus.Document, error) {
	page, err := clean.ReadPage(p.spec.Dir, corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length})
	if err != nil {
		p.lost++
		return nil, nil //nolint:nilerr // it stays where it is
	}
	page.Accept()
	pending := page.Pending(p.plan.Reader)
	host, _, ok := pending.Learn()
	if !ok {
		return nil, nil
	}
	learned, err := p.lesson(ctx, host)
	if err != nil {
		return nil, err
	}
	d, _ := pending.Without(learned)
	return d, nil
}

// note keeps what the second look came to.
func (p *secondLook) note(ctx context.Context) error {
	p.result.Threshold, p.result.On, p.result.Off = p.by.Threshold, p.by.On, p.by.Off
	p.result.Words = learnedWords(p.by.Learned)
	return keepJSON(ctx, p.store, secondLookKey, &p.result)
}

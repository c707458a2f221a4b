package local

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/boilerplate"
	"sluice/shared/topic/compile"
)

// secondLookKey keeps in the store what the last second look came to.
const secondLookKey = "second_look"

// secondLook moves the pages of a crawl as package secondlook judges them. Either is stored in its
// new place before it leaves the old one, so that a pass that was killed loses none.
type secondLook struct {
	cleaning
	*secondlook.Look

	result console.SecondLook
}

func (c *Crawl) lookAgain(ctx context.Context) error {
	if !c.plan.Hold {
		return nil
	}
	look, err := secondlook.Learn(ctx, c.spec.Topic, c.plan.Language, secondlook.Crawl{
		Lines: compile.FolderLines(c.spec.Dir),
		Page:  func(at corpus.Location) (*clean.Page, error) { return clean.ReadPage(c.spec.Dir, at) },
	})
	if err != nil || look == nil {
		return err
	}
	p := &secondLook{cleaning: c.newCleaning(), Look: look, result: look.Result()}
	err = c.corpus.Revise(ctx, func(line []byte) ([]byte, error) { return p.document(ctx, line) })
	if err == nil {
		err = c.corpus.ReviseRejects(ctx, c.spec.turn.Start.Rejects, func(line []byte) ([]byte, error) { return p.reject(ctx, line) })
	}
	if err != nil {
		return fmt.Errorf("look again: %w", err)
	}
	p.warn(ctx)
	return keepJSON(ctx, p.store, secondLookKey, &p.result)
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
	value, threshold := p.Document(d)
	if value >= threshold {
		rule, err := p.store.RefusedBy(ctx, p.id, d.FinalURL)
		if rule == reading.RuleSecondLook && err == nil { // a pass that was killed has refused it
			err = p.accept(ctx, d.FinalURL, "")
		}
		return line, err
	}
	p.result.Removed++
	return nil, p.refuse(ctx, reading.SecondLook{Value: value, Threshold: threshold}.Refuse(d, time.Now()), d.WARC)
}

// reject keeps the line of a reject, or makes a document of a page that was held.
func (p *secondLook) reject(ctx context.Context, line []byte) ([]byte, error) {
	var r corpus.Reject
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fault.New(fault.Broken, "corpus_read", fmt.Errorf("reject: %w", err))
	}
	if !p.Accepts(&r) {
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
	return nil, p.accept(ctx, r.FinalURL, secondlook.Change(p.prior() != nil, r.Previous))
}

func (p *secondLook) accept(ctx context.Context, url string, change ledger.Change) error {
	return p.store.Accept(ctx, p.id, reading.RuleSecondLook, []ledger.Accepted{{URL: url, Change: change}})
}

// held makes the document of a page that was held, nil if it is none for other
// reasons.
func (p *secondLook) held(ctx context.Context, e *ledger.Entry) (*corpus.Document, error) {
	page, err := clean.ReadPage(p.spec.Dir, corpus.Location{File: e.Segment, Offset: e.Offset, Length: e.Length})
	if err != nil {
		p.lost++
		return nil, nil //nolint:nilerr // it stays where it is
	}
	return secondlook.Made(page, p.plan.Reader, func(host string) (*boilerplate.Learned, error) { return p.lesson(ctx, host) })
}

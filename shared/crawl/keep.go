package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/corpus"
	"sluice/shared/language"
	"sluice/shared/ledger"
	"sluice/shared/page"
	"sluice/shared/page/body"
	"sluice/shared/topic"
)

// keep stores a page whose description is relevant: in the corpus, or among
// the rejects when there is no text in it or the text is about something else.
func (r *run) keep(ctx context.Context, v *visit, p *page.Page, text []byte, rel topic.Relevance) error {
	if isNoIndex(p) {
		return r.recordReject(ctx, v, RuleNoIndex, "meta robots: "+strings.Join(p.MetaRobots, ","))
	}
	b, err := body.Extract(text, v.link.URL, p, body.Options{Fetched: v.resp.Start})
	switch {
	case err != nil:
		return r.recordReject(ctx, v, RuleNoText, err.Error())
	case b.MediaOnly:
		return r.recordReject(ctx, v, RuleMediaOnly, "")
	}
	d := r.document(v, p, b, rel)
	if rule, detail := r.judgeText(v, d); rule != "" {
		return r.passOver(ctx, v, rule, detail, func() *corpus.OffTopic { return r.offTopic(v, p, text, b) })
	}
	loc, err := r.ports.Corpus.Put(ctx, r.exchange(v), d)
	if err != nil {
		return fmt.Errorf("store %s: %w", v.link.URL, err)
	}
	v.entry.Verdict, v.entry.Relevant = ledger.Kept, true
	v.entry.Segment, v.entry.Offset, v.entry.Length = loc.File, loc.Offset, loc.Length
	return nil
}

// isNoIndex reports whether a page asks that its text is not kept.
func isNoIndex(p *page.Page) bool { return slices.Contains(p.MetaRobots, "noindex") }

// judgeText judges the main text of a document, fills in what it says, and
// names the rule by which the document is none, "" for a document.
func (r *run) judgeText(v *visit, d *corpus.Document) (rule, detail string) {
	text := d.Title + "\n" + d.Text
	written := language.Detect(text)
	if !written.Fits(r.plan.Language) {
		return RuleLanguage, fmt.Sprintf("main text in %s, wanted %s", written.Language, r.plan.Language)
	}
	if written.Language != "" {
		d.Language, d.LanguageScore, d.Script = written.Language, corpus.Real(written.Score), written.Script
	}
	if r.plan.BodyThreshold == 0 {
		return "", ""
	}
	rel := r.plan.Lexicon.Rel(r.plan.Segmenter.Words(text))
	v.trace.Body, v.trace.BodyThreshold = &rel, r.plan.BodyThreshold
	if rel.Value < r.plan.BodyThreshold {
		return RuleBody, "title and main text: " + below(rel, r.plan.BodyThreshold)
	}
	d.Relevance.Body = corpus.Real(rel.Value)
	return "", ""
}

package crawl

import (
	"context"

	"github.com/zeebo/xxh3"

	"sluice/shared/corpus"
	"sluice/shared/ledger"
	"sluice/shared/page"
	"sluice/shared/page/body"
)

// sampleOneIn is how many pages off topic there are for each that is recorded
// with its text. A topic is refined against them, which takes some hundred.
const sampleOneIn = 4

// passOver records that a page is off topic: not a document, yet its links
// count (METHOD A1). For a sample of these pages, the same ones in every crawl,
// the record says what the page is about.
func (r *run) passOver(ctx context.Context, v *visit, rule, detail string, about func() *corpus.OffTopic) error {
	reject := r.newReject(v, rule, detail)
	if rule != RuleLanguage && xxh3.HashString(v.link.URL)%sampleOneIn == 0 {
		reject.OffTopic = about()
	}
	if err := r.putReject(ctx, v, reject); err != nil {
		return err
	}
	v.entry.Verdict, v.entry.Relevant = ledger.Passed, false
	return nil
}

// offTopic is what a page says, nil where it asks not to be indexed; b is its
// main text where that was read before.
func (r *run) offTopic(v *visit, p *page.Page, text []byte, b *body.Body) *corpus.OffTopic {
	if isNoIndex(p) {
		return nil
	}
	about := &corpus.OffTopic{Description: description(p), SampledOneIn: sampleOneIn}
	if b == nil {
		var err error
		if b, err = body.Extract(text, v.link.URL, p, body.Options{Fetched: v.resp.Start}); err != nil {
			return about // no text: its description stands alone
		}
	}
	about.Text = b.Text
	return about
}

package crawl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sluice/shared/corpus"
	"sluice/shared/frontier"
	"sluice/shared/language"
	"sluice/shared/ledger"
	"sluice/shared/page"
	"sluice/shared/topic"
)

// content reads what a response brought: a page, a source of links, or
// something else.
func (r *run) content(ctx context.Context, v *visit) error {
	contentType := v.resp.Header.Get("Content-Type")
	kind := page.Sniff(v.resp.Body, contentType, v.link.URL)
	switch {
	case kind == page.HTML:
		return r.html(ctx, v, contentType)
	case kind == page.Sitemap, kind == page.Feed, kind == page.URLList && (v.link.IsSource || v.link.IsSeed):
		return r.source(ctx, v, contentType)
	}
	return r.reject(ctx, v, RuleNotHTML, "content type "+strconv.Quote(contentType))
}

// html is the flow of METHOD A1 for one page: score the description; keep
// what is relevant; follow the links that are worth it.
func (r *run) html(ctx context.Context, v *visit, contentType string) error {
	text, charset := page.Decode(v.resp.Body, contentType)
	p, err := page.Parse(text, charset, v.url)
	if err != nil {
		return r.reject(ctx, v, RuleNotHTML, err.Error())
	}
	v.trace.Charset, v.trace.Title = charset, p.Title
	if p.Refresh != "" && p.Refresh != v.link.URL && p.TextLen < refreshText {
		return r.redirectTo(ctx, v, p.Refresh)
	}
	if r.isMirror(p) {
		return r.reject(ctx, v, RuleMirror, fmt.Sprintf("more than %d pages of %s read the same", mirrorLimit, r.task.Host))
	}
	rel := r.plan.Lexicon.Rel(r.plan.Segmenter.Words(description(p)))
	v.trace.Relevance, v.trace.Threshold = &rel, r.plan.DescriptionThreshold
	written := language.Detect(description(p) + "\n" + p.Sample)
	relevant := false

	switch {
	case !written.Fits(r.plan.Language):
		err = r.passOver(ctx, v, RuleLanguage, fmt.Sprintf("page in %s, wanted %s", written.Language, r.plan.Language), nil)
	case rel.Words == 0 || rel.Value < r.plan.DescriptionThreshold:
		about := func() *corpus.OffTopic { return r.offTopic(v, p, text, nil) }
		err = r.passOver(ctx, v, RuleDescription, below(rel, r.plan.DescriptionThreshold), about)
	default:
		relevant = true
		err = r.keep(ctx, v, p, text, rel)
	}
	if err != nil {
		return err
	}
	if err := r.follow(ctx, v, p, rel.Value, relevant); err != nil {
		return err
	}
	r.settle(v)
	return nil
}

// below says why a relevance was not enough.
func below(rel topic.Relevance, threshold float64) string {
	return fmt.Sprintf("relevance %.4g, threshold %.4g", rel.Value, threshold)
}

// description is the text that METHOD A1 scores.
func description(p *page.Page) string {
	return p.Title + "\n" + p.Description + "\n" + strings.Join(p.Keywords, "\n")
}

// isMirror reports whether too many pages of the host read the same as this
// one: a mirror under many URLs, or a trap that makes them.
func (r *run) isMirror(p *page.Page) bool {
	if p.TextLen == 0 {
		return false
	}
	st := &r.lease.State
	if st.Digests == nil {
		st.Digests = map[string]int{}
	}
	key := strconv.FormatUint(p.Digest>>32, 36)
	if st.Digests[key] == 0 && len(st.Digests) >= digestsPerHost {
		for k, n := range st.Digests {
			if n == 1 {
				delete(st.Digests, k)
			}
		}
	}
	if len(st.Digests) < digestsPerHost {
		st.Digests[key]++
	}
	return st.Digests[key] > mirrorLimit
}

// source reads a sitemap or feed.
func (r *run) source(ctx context.Context, v *visit, contentType string) error {
	entries, _, err := page.ParseSource(v.resp.Body, contentType, v.url)
	if err != nil && len(entries) == 0 {
		return r.reject(ctx, v, RuleNotHTML, err.Error())
	}
	v.entry.Verdict = ledger.Source
	if err := r.followSource(ctx, v, entries); err != nil {
		return err
	}
	r.settle(v)
	return nil
}

// redirect follows what a 3xx says.
func (r *run) redirect(ctx context.Context, v *visit) error {
	if v.resp.Location == "" {
		return r.reject(ctx, v, RuleRedirect+"_without_target", "")
	}
	return r.redirectTo(ctx, v, v.resp.Location)
}

// redirectTo makes a link of its own of the place a redirect points to: it is
// checked, claimed and fetched like any other, whichever host it is on.
func (r *run) redirectTo(ctx context.Context, v *visit, location string) error {
	v.trace.Target = location
	if v.link.Hops >= maxHops {
		return r.reject(ctx, v, RuleTooManyHops, fmt.Sprintf("after %d hops from %s", v.link.Hops, v.origin()))
	}
	target, err := v.url.Resolve(location, nil)
	if err != nil {
		return r.reject(ctx, v, RuleRedirect+"_url", err.Error())
	}
	l := v.link
	l.URL, l.Origin, l.Hops, l.Attempts = target.String(), v.origin(), l.Hops+1, 0
	if r.plan.reproducible() {
		l.Round++
	}
	if rule := r.refuse(target, l); rule != "" {
		return r.reject(ctx, v, RuleRedirect+"_"+rule, target.String())
	}
	if err := r.offer(ctx, v, []frontier.Link{l}); err != nil {
		return err
	}
	v.entry.Verdict = ledger.Redirected
	r.settle(v)
	return nil
}

// exchange is what goes into the WARC segment.
func (r *run) exchange(v *visit) *corpus.Exchange {
	return &corpus.Exchange{
		URL: v.link.URL, Date: v.resp.Start, IP: v.resp.RemoteAddr,
		RequestHead: v.resp.RequestHead, ResponseHead: v.resp.ResponseHead, Body: v.resp.Raw,
		Metadata: v.trace.encode(),
	}
}

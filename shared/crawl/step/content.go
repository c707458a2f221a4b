package step

import (
	"context"
	"fmt"
	"strconv"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/page"
)

// content reads a response: a page, a source of links, or something else.
func (r *run) content(ctx context.Context, v *visit) error {
	contentType := v.resp.Header.Get("Content-Type")
	kind := page.Sniff(v.resp.Body, contentType, v.link.URL)
	switch {
	case kind == page.HTML:
		return r.html(ctx, v, contentType)
	case kind == page.Sitemap, kind == page.Feed, kind == page.URLList && (v.link.IsSource || v.link.IsSeed):
		return r.source(ctx, v, contentType)
	}
	return r.reject(ctx, v, reading.RuleNotHTML, "content type "+strconv.Quote(contentType))
}

// html is the flow of METHOD A1 for one page: keep it if it is relevant, and
// follow the links that are worth it.
func (r *run) html(ctx context.Context, v *visit, contentType string) error {
	if v.isFree() { // by its link
		v.entry.Fetched = true
		r.spend(v, 1)
	}
	if later, err := r.show(ctx, v, contentType); later || err != nil {
		return err
	}
	var s *sight
	var err error
	r.inTurn(func() { s, err = r.see(v, contentType) })
	if err == nil && s.grows {
		if later, err := r.render(ctx, v, contentType); later || err != nil {
			return err
		}
		r.inTurn(func() { s, err = r.see(v, contentType) })
	}
	if err != nil {
		return r.reject(ctx, v, reading.RuleNotHTML, err.Error())
	}
	rd := s.result
	v.read = !s.moved
	switch {
	case s.moved:
		return r.redirectTo(ctx, v, s.arrival.Page.Refresh)
	case v.unseen:
		if err := r.putReject(ctx, v, r.newReject(v, RuleNeedsBrowser, "render: "+r.plan.Render)); err != nil {
			return err
		}
	case s.mirror:
		return r.reject(ctx, v, RuleMirror, fmt.Sprintf("more than %d pages of %s read the same", mirrorLimit, r.task.Host))
	case s.draft == nil:
		r.keepRecord(v, "title and main text are those of the record")
	default:
		if rd, err = r.unlearn(ctx, s); err == nil {
			err = r.take(ctx, v, s.arrival, rd)
		}
		if err != nil {
			return err
		}
	}
	v.list = rd.List
	if r.plan.Structured {
		err = r.walk(ctx, v, s.arrival, rd)
	} else {
		err = r.follow(ctx, v, s.arrival, rd.Description.Value, rd.Relevant)
	}
	if err != nil {
		return err
	}
	r.finish(v)
	return nil
}

// take stores the result of a page: a document with its exchange, or a reject;
// and its links, if there are any to be recorded.
func (r *run) take(ctx context.Context, v *visit, a *reading.Arrival, rd *reading.Result) error {
	outlinks := r.outlinks(a)
	if v.trace.Layer = rd.Layer; !r.plan.Structured {
		v.trace.Relevance, v.trace.Threshold = &rd.Description, r.plan.DescriptionThreshold
	}
	if rd.Body != nil {
		v.trace.Body, v.trace.BodyThreshold = rd.Body, r.plan.BodyThreshold
	}
	if rd.Document == nil {
		reject := r.newReject(v, rd.Rule, rd.Detail)
		reject.OffTopic = rd.About
		switch {
		case rd.Held:
			reject.Exchange = r.record(v, rd, outlinks)
		case r.archives(rd) && !a.OptsOut():
			reject.Exchange = r.exchange(v, outlinks)
		default:
			reject.Outlinks = outlinks
		}
		if err := r.putReject(ctx, v, reject); err != nil {
			return err
		}
		v.entry.Verdict = rd.Verdict
		v.entry.Offset, v.entry.Length = reject.WARC.Offset, reject.WARC.Length
		return nil
	}
	x := r.record(v, rd, outlinks)
	loc, err := r.ports.Corpus.Put(ctx, x, rd.Document)
	if err != nil {
		return fmt.Errorf("store %s: %w", v.link.URL, err)
	}
	v.entry.Verdict, v.entry.Relevant, v.coverage = ledger.Kept, true, rd.Coverage
	v.entry.Segment, v.entry.Offset, v.entry.Length = loc.File, loc.Offset, loc.Length
	if r.ports.Prior != nil {
		v.entry.Change = ledger.New
		if v.prior.current() {
			v.entry.Change = ledger.Changed
		}
	}
	return nil
}

// archives reports whether the archive has pages that are rejected like this one.
func (r *run) archives(rd *reading.Result) bool {
	return r.plan.Archive == corpus.ArchiveAll || r.plan.Archive == corpus.ArchiveRelevant && rd.Relevant
}

// record is the exchange of a page that is kept or held, with what a refresh
// compares.
func (r *run) record(v *visit, rd *reading.Result, outlinks []string) *corpus.Exchange {
	v.trace.Version, v.trace.TextDigest = v.prior.version()+1, rd.Digest
	v.noteValidators()
	return r.exchange(v, outlinks)
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
	if rule := r.exhaustedSources(v); rule != "" && !v.link.IsSource {
		return r.reject(ctx, v, rule, "it is one, though its link does not say so")
	}
	entries, _, err := page.ParseSource(v.resp.Body, contentType, v.url)
	if err != nil && len(entries) == 0 {
		return r.reject(ctx, v, reading.RuleNotHTML, err.Error())
	}
	r.isSource(v)
	v.noteValidators()
	if err := r.followSource(ctx, v, entries); err != nil {
		return err
	}
	r.finish(v)
	return nil
}

// redirect follows a 3xx response.
func (r *run) redirect(ctx context.Context, v *visit) error {
	if v.resp.Location == "" {
		return r.reject(ctx, v, RuleRedirect+"_without_target", "")
	}
	return r.redirectTo(ctx, v, v.resp.Location)
}

// redirectTo makes a separate link of the target of a redirect: it is checked and
// fetched like any other, on any host.
func (r *run) redirectTo(ctx context.Context, v *visit, location string) error {
	v.trace.Target = location
	if to, err := v.url.Resolve(location, nil); err == nil && r.plan.Forgotten.Contains(to) {
		r.forget(v)
		return nil
	}
	if v.link.Hops >= maxHops {
		return r.reject(ctx, v, RuleTooManyHops, fmt.Sprintf("after %d hops from %s", v.link.Hops, v.link.First()))
	}
	target, err := v.url.Resolve(location, nil)
	if err != nil {
		return r.reject(ctx, v, RuleRedirect+"_url", err.Error())
	}
	if target == v.url || target.String() == v.link.First() {
		return r.reject(ctx, v, RuleRedirectLoop, target.String())
	}
	l := v.link
	l.URL, l.Origin, l.Hops, l.Attempts = target.String(), v.link.First(), l.Hops+1, 0
	if r.plan.reproducible() {
		l.Round++
	}
	if rule := r.refuse(target, l); rule != "" {
		return r.reject(ctx, v, RuleRedirect+"_"+rule, target.String())
	}
	if v.prior.current() {
		if err := r.putReject(ctx, v, r.newReject(v, RuleMoved, target.String())); err != nil {
			return err
		}
	} else {
		v.entry.Verdict = ledger.Redirected
	}
	if err := r.offer(ctx, v, []frontier.Link{l}); err != nil {
		return err
	}
	r.finish(v)
	return nil
}

// exchange is the page's exchange for the WARC segment.
func (r *run) exchange(v *visit, outlinks []string) *corpus.Exchange {
	return &corpus.Exchange{
		URL: v.link.URL, Date: v.resp.Start, IP: v.resp.RemoteAddr,
		RequestHead: v.resp.RequestHead, ResponseHead: v.resp.ResponseHead, Body: v.resp.Raw,
		Shown: v.shown, Metadata: v.trace.encode(), Outlinks: outlinks,
	}
}

package step

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
)

// Prior reads earlier crawls' data of the pages that this one refreshes. It is
// safe for concurrent use and does not change while the crawl runs.
type Prior interface {
	// Past returns for each URL, in order, how it ended.
	Past(ctx context.Context, urls []string) ([]ledger.Past, error)
}

// Archive reads pages that crawls have kept. It is safe for concurrent use.
type Archive interface {
	// Digest returns the digest of the page that an entry kept, as this program
	// reads it (see reading.Result.Digest); "" if it is unknown.
	Digest(e *ledger.Entry) string
}

// prior is the earlier crawls' data of one page. A nil prior is an unknown
// page.
type prior struct {
	ledger.Past
	document   Trace // of the newest document, zero if there is none
	validators fetch.Validators
}

// recall looks up earlier crawls' data of links.
func (r *run) recall(ctx context.Context, links []frontier.Link) error {
	if r.ports.Prior == nil || len(links) == 0 {
		return nil
	}
	past, err := r.ports.Prior.Past(ctx, frontier.URLs(links))
	if err != nil {
		return fmt.Errorf("look up earlier crawls for links of %s: %w", r.task.Host, err)
	}
	r.past = make(map[string]*prior, len(links))
	for i := range past {
		if past[i].Last != nil {
			r.past[links[i].URL] = newPrior(past[i])
		}
	}
	return nil
}

// Revisit returns the link by which a refresh fetches a page again, and whether
// it does. It does so for pages that may have changed or may have new links:
// documents, sources, seeds, lists, and other pages that gave links; and once
// more for a document that is gone for another reason than a missing page; but only
// those that revisits has not left. e is the newest valid entry.
func Revisit(e *ledger.Entry, revisits *limits.Revisits) (frontier.Link, bool) {
	l := readTrace(e).Link
	l.Hops, l.Attempts, l.Round = 0, 0, 0
	switch {
	case l.URL == "", Leaves(revisits, e, l.IsSeed):
		return l, false
	case l.IsSeed, e.Verdict == ledger.Kept, isSource(e, l):
		return l, true
	case e.Verdict == ledger.Redirected, e.Rule == RuleMoved, e.Rule == RuleGone:
		return l, false
	}
	return l, e.Rule == reading.RuleList || e.Enqueued > 0 || e.Change == ledger.Gone
}

// Leaves reports whether a refresh leaves a page, by its newest valid entry, as it is.
func Leaves(revisits *limits.Revisits, e *ledger.Entry, isSeed bool) bool {
	return revisits.Bounded() && revisits.Leaves(e.At, isSeed, isSource(e, readTrace(e).Link))
}

// isSource reports whether a page, by its newest valid entry and its link, is a sitemap or
// feed. It may have been a page of HTML for once, as while its site is maintained.
func isSource(e *ledger.Entry, l frontier.Link) bool {
	switch e.Verdict {
	case ledger.Source:
		return true
	case ledger.Kept, ledger.Passed, ledger.Rejected:
		return l.IsSource && e.Rule != RuleMoved && e.Rule != RuleGone && e.Rule != "http_404" && e.Rule != "http_410"
	}
	return false
}

// withoutLeft leaves out links to known pages that the refresh leaves as they are.
func (r *run) withoutLeft(ctx context.Context, links []frontier.Link) ([]frontier.Link, error) {
	if r.ports.Prior == nil || !r.plan.Revisits.Bounded() || len(links) == 0 {
		return links, nil
	}
	past, err := r.ports.Prior.Past(ctx, frontier.URLs(links))
	if err != nil {
		return nil, fmt.Errorf("look up links of %s: %w", r.task.Host, err)
	}
	var left []frontier.Link
	for i, l := range links {
		if e := past[i].Last; e != nil && Leaves(&r.plan.Revisits, e, l.IsSeed) {
			r.known.Put(keyOf(l.URL), offered{done: true})
			continue
		}
		left = append(left, l)
	}
	return left, nil
}

func newPrior(past ledger.Past) *prior {
	p := &prior{Past: past}
	var last Trace
	if past.Kept != nil {
		p.document = readTrace(past.Kept)
	}
	switch {
	case p.current():
		last = p.document
	case past.Last.Verdict == ledger.Source:
		last = readTrace(past.Last)
	}
	if r := last.Rendering; r != nil && r.Shown {
		return p // what scripts put into a page may have changed where it has not
	}
	p.validators = fetch.Validators{ETag: last.ETag, LastModified: last.LastModified}
	return p
}

// readTrace reads the trace of an entry. With an unreadable trace, the page is
// fetched and judged as if it were new.
func readTrace(e *ledger.Entry) Trace {
	var t Trace
	if err := json.Unmarshal(e.Trace, &t); err != nil {
		return Trace{}
	}
	return t
}

// current reports whether the corpus has a valid document of the page.
func (p *prior) current() bool { return p != nil && p.Kept != nil && p.Last == p.Kept }

// version is the version of the newest document, 0 if there is none.
func (p *prior) version() int {
	if p == nil || p.Kept == nil {
		return 0
	}
	return max(p.document.Version, 1)
}

// conditions are the headers of a conditional request for the page; nil if it
// is wanted in any case.
func (p *prior) conditions() http.Header {
	if p == nil {
		return nil
	}
	return p.validators.Conditions()
}

// noteValidators records the server's validators of the page.
func (v *visit) noteValidators() {
	val := fetch.ValidatorsOf(v.resp.Header)
	v.trace.ETag, v.trace.LastModified = val.ETag, val.LastModified
}

// notModified finishes a page by the answer that it is as it was (304). Its links
// were followed when it was read.
func (r *run) notModified(ctx context.Context, v *visit) error {
	if v.prior.conditions() == nil {
		return r.reject(ctx, v, RuleNotModified, "the request was not conditional")
	}
	if !v.prior.current() {
		r.isSource(v)
		v.trace.Detail = "not modified"
		v.trace.ETag, v.trace.LastModified = v.prior.validators.ETag, v.prior.validators.LastModified
		r.finish(v)
		return nil
	}
	v.trace.Site = v.robots.Site(v.link.URL)
	if rule, detail := v.withdrawn(); rule != "" {
		return r.reject(ctx, v, rule, detail)
	}
	r.keepRecord(v, "not modified")
	r.finish(v)
	return nil
}

// withdrawn returns the rule by which an unchanged page must no longer be kept,
// "" for none: the statements of header and site may change without it.
// Statements that the site made before the page was kept do not count.
func (v *visit) withdrawn() (rule, detail string) {
	site := v.trace.Site
	if site == v.prior.document.Site {
		site = optout.Site{}
	}
	said := optout.Gather(v.resp.Header, fetch.Product, optout.Meta{}, site)
	return said.Refusal(v.resp.Start)
}

// unchanged returns the reading of a page whose document the corpus has, nil
// for any other. Its relevance was decided when it was kept; its statements
// about its use are checked again. It is called in turn.
func (r *run) unchanged(v *visit, a *reading.Arrival) *reading.Result {
	if v.prior.version() == 0 {
		return nil
	}
	kept := *a
	kept.Kept = true
	d := r.plan.Draft(&kept)
	if !r.sameText(v.prior, d.Digest()) {
		return nil
	}
	return d.Result()
}

// sameText reports whether the newest document of a page has the digest. If a
// program that read pages differently, or recorded no digests, kept it, the
// bytes that the site sent at the time decide.
func (r *run) sameText(p *prior, digest string) bool {
	switch {
	case digest == "":
		return false
	case digest == p.document.TextDigest:
		return true
	case r.ports.Archive == nil || r.ports.Archive.Digest(p.Kept) != digest:
		return false
	}
	p.document.TextDigest = digest
	return true
}

// keepRecord ends a visit like the one before: with the existing record in the
// corpus.
func (r *run) keepRecord(v *visit, why string) {
	e := v.prior.Kept
	v.entry.Verdict, v.entry.Relevant, v.entry.Change = ledger.Kept, true, ledger.Unchanged
	if !v.prior.current() {
		v.entry.Change = ledger.New
	}
	v.entry.Segment, v.entry.Offset, v.entry.Length = e.Segment, e.Offset, e.Length

	t := v.prior.document
	validators := fetch.ValidatorsOf(v.resp.Header)
	if v.resp.Status == http.StatusNotModified {
		validators = validators.Or(v.prior.validators)
	}
	t.Link, t.Status, t.Site, t.Detail, t.HistorySize = v.link, v.trace.Status, v.trace.Site, why, 0
	t.ETag, t.LastModified = validators.ETag, validators.LastModified
	v.trace = t
}

// change is the change of a document that the visit found.
func (v *visit) change() ledger.Change {
	switch {
	case v.entry.Verdict == ledger.Kept:
		return v.entry.Change
	case !v.prior.current():
		return ""
	case v.unheard():
		return ledger.Unreached
	}
	return ledger.Gone
}

// unheard reports whether the visit says nothing about the page: there was no
// readable answer.
func (v *visit) unheard() bool {
	switch {
	case v.barred:
		return false
	case v.resp == nil, v.entry.Verdict == ledger.Dead:
		return true
	}
	switch v.entry.Rule {
	case fetch.RuleSlowBody, fetch.RuleBadEncoding, RuleNotModified, RuleNeedsBrowser:
		return true
	}
	return false
}

// isGone reports whether a response says that the page does not exist.
func isGone(resp *fetch.Response) bool {
	return resp != nil && (resp.Status == http.StatusNotFound || resp.Status == http.StatusGone)
}

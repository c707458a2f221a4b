package step

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
	"sluice/shared/web/outage"
	"sluice/shared/web/urlnorm"
)

// Limits of a page, a host and a chain of redirects.
const (
	maxHops             = 10  // redirects in a row
	refreshText         = 200 // runes; a page with a meta refresh and less text than this only redirects
	maxHostFailures     = 12  // consecutive, before a host is abandoned
	failuresBeforePause = 3   // consecutive, before a host gets a pause
	firstHostPause      = 15 * time.Second
	mostHostPause       = time.Hour
	mirrorLimit         = 8   // pages of one digest on a host; the next is a mirror
	digestsPerHost      = 64  // how many digests a host remembers
	maxSources          = 500 // sitemaps and feeds of a host
	maxFeeds            = 20  // feeds that pages of a host name
	maxNested           = 3   // sitemaps in a row that lead to a sitemap
)

// visit is one fetch of one link and its results.
type visit struct {
	link     frontier.Link
	url      urlnorm.URL
	prior    *prior       // nil: no earlier crawl knows the page
	barred   bool         // it must not be fetched
	read     bool         // a page was read and judged
	list     bool         // it is one of links
	coverage job.Coverage // by its document, if it got one
	robots   *hosts.Rules
	resp     *fetch.Response
	shown    []byte // the page as a browser showed it, UTF-8; nil: as its server sent it
	unseen   bool   // it was to be rendered, and there is no browser
	wentDown bool   // its host, which has answered before: the link is not to blame
	entry    ledger.Entry
	trace    Trace

	directives []string // for robots, of a page that was shown, as it was fetched
}

// link processes one link. An error is a port's; every failure of the web
// becomes an entry, a reject or a later attempt.
func (r *run) link(ctx context.Context, l frontier.Link) (turn, error) {
	u, err := urlnorm.Parse(l.URL)
	if err != nil {
		return goOn, fault.New(fault.Poison, "bad_link", err)
	}
	if known, ok := r.known.Get(keyOf(l.URL)); ok {
		l.Listed = cmp.Or(l.Listed, r.listed(known))
	}
	v := &visit{link: l, url: u, prior: r.past[l.URL], trace: Trace{Link: l}}
	if r.plan.Forgotten.Contains(u) {
		r.forget(v)
		return goOn, nil
	}
	r.withoutForgotten(&v.link)
	v.trace.Link = v.link
	if !l.IsSeed && r.plan.Scope.Denies(u) {
		r.leaveOut(v, DropScope) // denied since it was found
		return goOn, nil
	}
	if err := r.ports.Guard.CheckURL(l.URL); err != nil {
		return goOn, r.skip(ctx, v, fault.Of(err).Rule)
	}
	v.robots, err = r.rules(ctx, u)
	switch f := fault.Of(err); {
	case ctx.Err() != nil:
		return haltFirst, ctx.Err()
	case err == nil:
	case outage.Of(err) != nil:
		return r.sitOut(f), nil //nolint:nilerr // nobody is to blame
	case f.Class == fault.Retryable:
		return goOn, err // of the cache: failures of the host have another class
	default:
		return r.withoutRules(ctx, v, err)
	}
	if !v.robots.Allowed(l.URL) {
		return goOn, r.skip(ctx, v, RuleRobots)
	}
	if rule := r.exhaustedSources(v); l.IsSource && rule != "" {
		return goOn, r.skip(ctx, v, rule)
	}
	if r.usedUp(v) {
		return goOn, nil
	}
	if err := r.takeSitemaps(ctx, v); err != nil {
		return goOn, err
	}
	if r.needsOther(v) {
		r.renders = append(r.renders, v.link)
		return goOn, nil
	}
	if !r.waitTurn(ctx) {
		if r.out.Why == "" && v.robots.CrawlDelay() > r.plan.delay(u) {
			r.out.Why = RuleCrawlDelay
		}
		return haltFirst, nil
	}
	r.out.Why = ""
	if !l.IsSource {
		asked, err := r.askSite(ctx, u, v.robots)
		if f := outage.Of(err); f != nil {
			return r.sitOut(f), nil
		}
		if asked || err != nil {
			return again, err
		}
	}
	if r.grant.Leave != nil && !r.grant.Leave() {
		return haltFirst, nil
	}
	return r.fetch(ctx, v)
}

// askSite requests the next site file about the use of pages, and reports
// whether there was one. Its statements are known before the first page is
// read, since scoring a page is text mining, too ("MUST check … before it
// starts scraping", TDMRep 2024-02-02), and since a page that had to wait for
// it would be fetched twice. It costs a host two requests a day.
func (r *run) askSite(ctx context.Context, u urlnorm.URL, rules *hosts.Rules) (bool, error) {
	next, rest, err := r.ports.Robots.Ask(ctx, u.Scheme(), u.Authority(), rules)
	if next == nil && err == nil {
		return false, nil
	}
	r.lease.Next = r.opts.Now().Add(max(r.plan.delay(u), rules.CrawlDelay(), rest))
	if rest > 0 {
		r.out.Why = RuleRetryAfter
	}
	if err != nil {
		return true, err
	}
	r.robots[originOf(u)] = next
	return true, nil
}

// originOf returns the origin of a URL's site files.
func originOf(u urlnorm.URL) string { return u.Scheme() + "://" + u.Authority() }

// rules returns the robots.txt of a URL's scheme and authority, once for a
// task.
func (r *run) rules(ctx context.Context, u urlnorm.URL) (*hosts.Rules, error) {
	key := originOf(u)
	if rules := r.robots[key]; rules != nil {
		return rules, nil
	}
	rules, err := r.ports.Robots.For(ctx, u.Scheme(), u.Authority())
	if err != nil {
		return nil, err
	}
	r.robots[key] = rules
	return rules, nil
}

// withoutRules handles a link whose robots.txt cannot be fetched. Its whole host is
// closed for a while, or for good, unless it answers by the other scheme: many sites
// answer by one alone. Then the link waits, and others go on.
func (r *run) withoutRules(ctx context.Context, v *visit, cause error) (turn, error) {
	other := "https"
	if v.url.Scheme() == other {
		other = "http"
	}
	f := fault.Of(cause)
	if f.Class != fault.After || r.lease.State.Failures > 0 || !r.ports.Robots.Known(ctx, other, v.url.Authority()) {
		return r.failed(ctx, v, cause)
	}
	return goOn, r.tryLater(ctx, v, f, f.Delay)
}

// keepRobots stores the answers so far for the next runs, if some requests are
// left.
func (r *run) keepRobots(ctx context.Context) error {
	var errs []error
	for origin := range r.robots {
		scheme, authority, _ := strings.Cut(origin, "://")
		errs = append(errs, r.ports.Robots.Keep(ctx, scheme, authority))
	}
	return errors.Join(errs...)
}

// skip finishes a link that must not be fetched. An existing document of it is
// gone.
func (r *run) skip(ctx context.Context, v *visit, rule string) error {
	v.barred = true
	if v.prior.current() {
		return r.reject(ctx, v, rule, "it must not be fetched any more")
	}
	v.entry.Verdict, v.entry.Rule = ledger.Skipped, rule
	r.finish(v)
	return nil
}

// leaveOut finishes a link that the crawl does not want. An existing document stays.
func (r *run) leaveOut(v *visit, rule string) {
	v.entry.Verdict, v.entry.Rule = ledger.Skipped, rule
	r.finish(v)
}

// waitTurn waits in place for the host's next fetch, if that is near; else
// it reports false, and the rest of the task has the delay to wait.
func (r *run) waitTurn(ctx context.Context) bool {
	wait := r.lease.Next.Sub(r.opts.Now())
	if wait <= 0 {
		return true
	}
	if wait <= r.opts.Patience {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-r.grant.Stop:
		case <-ctx.Done():
		}
	}
	r.delay = r.lease.Next.Sub(r.opts.Now())
	return false
}

// fetch fetches the page and finishes it. The host's next fetch is counted from
// the end of this one: the server, too, then sees the whole delay between two
// requests.
func (r *run) fetch(ctx context.Context, v *visit) (turn, error) {
	req := &fetch.Request{URL: v.link.URL, Header: v.prior.conditions()}
	if v.link.IsSource {
		// Sitemaps may be as large as fifty pages, so they come one at a time.
		r.sources.Lock()
		defer r.sources.Unlock()
		req.MaxBody, req.AnyType = r.opts.MaxSource, true
	}
	resp, err := r.request(ctx, v, req)
	if err == nil && r.mayBeWall(v, resp) {
		passed, perr := r.passWall(ctx, v, req, resp)
		if passed == nil && perr == nil {
			return haltFirst, nil
		}
		resp, err = passed, perr
	}
	if ctx.Err() != nil {
		return haltFirst, ctx.Err()
	}
	if f := outage.Of(err); f != nil {
		return r.sitOut(f), nil
	}
	now := r.opts.Now()
	v.resp = resp
	if err == nil {
		err = fetch.Status(resp, now)
	}
	v.entry.Fetched = resp != nil && !v.isFree()
	if resp != nil {
		v.trace.Status = resp.Status
		r.lease.State.Answered = true
		r.lease.State.Forgive()
	}
	if err != nil {
		return r.failed(ctx, v, err)
	}
	return goOn, r.digest(ctx, v)
}

// request makes one request of a page.
func (r *run) request(ctx context.Context, v *visit, req *fetch.Request) (*fetch.Response, error) {
	resp, err := r.ports.Fetch.Fetch(ctx, req)
	r.lease.Next = r.opts.Now().Add(max(r.plan.delay(v.url), v.robots.CrawlDelay()))
	if ctx.Err() == nil && outage.Of(err) == nil {
		if v.link.IsSource {
			r.lease.State.Sources++
		}
		if !v.isFree() {
			r.spend(v, 1)
		}
	}
	return resp, err
}

// sitOut pauses the host in an outage, which costs neither it nor the link anything. If it
// takes too long, the host is closed as one that is down, and its links wait.
func (r *run) sitOut(f *fault.Error) turn {
	now, st := r.opts.Now(), &r.lease.State
	if st.OutSince == 0 {
		st.OutSince = now.Unix()
	}
	if most := r.opts.MaxOutage; most > 0 && now.Sub(time.Unix(st.OutSince, 0)) >= most {
		st.Failures = maxHostFailures
		return again
	}
	r.delay = f.Delay
	if t := now.Add(f.Delay); t.After(r.lease.Next) {
		r.lease.Next = t
	}
	return haltFirst
}

// digest reads a response. A panic in a parser affects that page, not the task.
func (r *run) digest(ctx context.Context, v *visit) error {
	err := fault.Catch(ctx, r.opts.Log.With("url", v.link.URL), func() error {
		switch {
		case v.resp.Status == http.StatusNotModified:
			return r.notModified(ctx, v)
		case v.resp.Status >= 300 && v.resp.Status < 400:
			return r.redirect(ctx, v)
		}
		return r.content(ctx, v)
	})
	if f := fault.Of(err); f != nil && f.Rule == fault.RulePanic {
		return r.bury(ctx, v, f)
	}
	return err
}

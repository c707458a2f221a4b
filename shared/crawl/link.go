package crawl

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"sluice/shared/fault"
	"sluice/shared/fetch"
	"sluice/shared/frontier"
	"sluice/shared/hosts"
	"sluice/shared/ledger"
	"sluice/shared/urlnorm"
)

// Limits of what a page, a host or a chain of redirects may do.
const (
	maxHops             = 10  // redirects in a row
	refreshText         = 200 // runes; a page with a meta refresh and less text than this only redirects
	maxHostFailures     = 12  // in a row, before a host is given up
	failuresBeforePause = 3   // in a row, before a host is left alone for a while
	mirrorLimit         = 8   // pages of one digest on a host; the next is a mirror
	digestsPerHost      = 64  // how many digests a host remembers
)

// visit is one fetch of one link and all that comes of it.
type visit struct {
	link   frontier.Link
	url    urlnorm.URL
	robots *hosts.Rules
	resp   *fetch.Response
	entry  ledger.Entry
	trace  Trace
}

// link deals with one link. An error is a port's; everything that the web
// does wrong becomes an entry, a reject or a later attempt.
func (r *run) link(ctx context.Context, l frontier.Link) (turn, error) {
	u, err := urlnorm.Parse(l.URL)
	if err != nil {
		return goOn, fault.New(fault.Poison, "bad_link", err)
	}
	v := &visit{link: l, url: u, trace: Trace{Link: l}}
	if err := r.ports.Guard.CheckURL(l.URL); err != nil {
		r.skip(v, fault.Of(err).Rule)
		return goOn, nil
	}
	v.robots, err = r.rules(ctx, u)
	switch f := fault.Of(err); {
	case ctx.Err() != nil:
		return haltFirst, ctx.Err()
	case err == nil:
	case f.Class == fault.Retryable:
		return goOn, err // of the cache: what the host does wrong has another class
	default:
		// Without its robots.txt the whole host is closed for a while, or for good.
		return r.failed(ctx, v, err)
	}
	if !v.robots.Allowed(l.URL) {
		r.skip(v, RuleRobots)
		return goOn, nil
	}
	if err := r.takeSitemaps(ctx, v); err != nil {
		return goOn, err
	}
	if !r.waitTurn(ctx) || r.shift.Leave != nil && !r.shift.Leave() {
		return haltFirst, nil
	}
	return r.fetch(ctx, v)
}

// rules returns the robots.txt of a URL's scheme and authority, once for a
// task.
func (r *run) rules(ctx context.Context, u urlnorm.URL) (*hosts.Rules, error) {
	key := u.Scheme() + "://" + u.Authority()
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

// skip settles a link that must not be asked for.
func (r *run) skip(v *visit, rule string) {
	v.entry.Verdict, v.entry.Rule = ledger.Skipped, rule
	r.settle(v)
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
		case <-r.shift.Stop:
		case <-ctx.Done():
		}
	}
	r.delay = r.lease.Next.Sub(r.opts.Now())
	return false
}

// fetch asks for the page and settles it. The host's next fetch is counted
// from the end of this one: the server, too, then sees the whole delay
// between two requests.
func (r *run) fetch(ctx context.Context, v *visit) (turn, error) {
	req := &fetch.Request{URL: v.link.URL}
	if v.link.IsSource {
		// Sitemaps may be as large as fifty pages, so they come one at a time.
		r.sources.Lock()
		defer r.sources.Unlock()
		req.MaxBody, req.AnyType = r.opts.MaxSource, true
	}
	resp, err := r.ports.Fetch.Fetch(ctx, req)
	now := r.opts.Now()
	r.lease.Next = now.Add(max(r.plan.Delay, v.robots.CrawlDelay()))
	if ctx.Err() != nil {
		return haltFirst, ctx.Err()
	}
	r.lease.State.Pages++
	v.resp = resp
	if err == nil {
		err = fetch.Status(resp, now)
	}
	v.entry.Fetched = resp != nil
	if resp != nil {
		v.trace.Status = resp.Status
		r.lease.State.Failures = 0
	}
	if err != nil {
		return r.failed(ctx, v, err)
	}
	return goOn, r.digest(ctx, v)
}

// digest makes of a response what there is in it. A panic in a parser costs
// that page, not the task.
func (r *run) digest(ctx context.Context, v *visit) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.opts.Log.ErrorContext(ctx, "page broke the step", "url", v.link.URL, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = r.bury(ctx, v, fault.New(fault.Poison, RulePanic, fmt.Errorf("%v", p)))
		}
	}()
	if v.resp.Status >= 300 && v.resp.Status < 400 {
		return r.redirect(ctx, v)
	}
	return r.content(ctx, v)
}

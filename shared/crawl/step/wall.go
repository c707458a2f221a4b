package step

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/outage"
	"sluice/shared/web/urlnorm"
)

// maxWall is how many requests a wall of cookies may take, beside the first.
const maxWall = 4

var errWall = errors.New("the page gives cookies and redirects; its host's delay is too long to wait for the next request in place")

// mayBeWall reports whether an answer is a redirect that may be a wall of cookies: it gives
// some, or names the page to come back to. A login does so, too, often with another value
// of its cookie each time, so that one redirect of a run is tried for its name alone.
func (r *run) mayBeWall(v *visit, resp *fetch.Response) bool {
	if resp.Status/100 != 3 || resp.Location == "" {
		return false
	}
	to, err := v.url.Resolve(resp.Location, nil)
	switch {
	case err != nil || originOf(to) != originOf(v.url):
		return false
	case to == v.url:
		return resp.Cookies != fetch.CookiesSame
	case r.tried || !comesBack(to, v.url):
		return resp.Cookies == fetch.CookiesNew
	}
	r.tried = true
	return true
}

// comesBack reports whether a parameter of a URL is the address of a page.
func comesBack(to, page urlnorm.URL) bool {
	query, _ := url.ParseQuery(to.Query()) // what can be read of it
	for _, values := range query {
		for _, value := range values {
			if !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "http") {
				continue
			}
			if back, err := page.Resolve(value, nil); err == nil && back == page {
				return true
			}
		}
	}
	return false
}

// passWall continues a fetch behind a wall of cookies: the page gives some and redirects
// to itself, at once or by way of other pages of its origin, which may give them in its
// place. It does so in this run, since no other process has these cookies. It returns the
// last answer of the page itself; first if its redirect leads elsewhere; nil if the run
// must end before.
func (r *run) passWall(ctx context.Context, v *visit, req *fetch.Request, first *fetch.Response) (*fetch.Response, error) {
	resp, at := first, v.url
	for range maxWall {
		to, ok := r.behindWall(v, at, resp)
		if !ok {
			break
		}
		inTime := r.opts.Now().Before(r.end) && r.waitTurn(ctx)
		switch {
		case ctx.Err() != nil, r.stopped(), r.grant.Leave != nil && !r.grant.Leave():
			return nil, ctx.Err()
		case !inTime && resp == first && to != v.url && resp.Cookies != fetch.CookiesNew:
			return first, nil // by its name alone, it is no reason to ask again
		case !inTime:
			return first, fault.NewAfter(max(r.lease.Next.Sub(r.opts.Now()), 0), RuleCookieWall, errWall)
		}
		next := *req
		if next.URL = to.String(); to != v.url {
			next.Header = nil // conditions for the page
		}
		var err error
		resp, err = r.request(ctx, v, &next)
		switch {
		case ctx.Err() != nil, outage.Of(err) != nil, err != nil && to == v.url:
			return resp, err
		case err != nil:
			return first, nil //nolint:nilerr // the target of the redirect is a link of its own
		}
		at = to
	}
	if at != v.url {
		return first, nil
	}
	return resp, nil
}

// behindWall returns the target of an answer from a page, if that may lead behind a wall
// of cookies.
func (r *run) behindWall(v *visit, at urlnorm.URL, resp *fetch.Response) (urlnorm.URL, bool) {
	if resp.Status/100 != 3 || resp.Location == "" {
		return urlnorm.URL{}, false
	}
	to, err := at.Resolve(resp.Location, nil)
	if err != nil || originOf(to) != originOf(v.url) {
		return urlnorm.URL{}, false
	}
	switch {
	case to == v.url:
		return to, at != v.url || resp.Cookies != fetch.CookiesSame
	case at == v.url && resp.Cookies != fetch.CookiesNew && !comesBack(to, v.url):
		return urlnorm.URL{}, false
	}
	return to, r.refuse(to, v.link) == "" && v.robots.Allowed(to.String())
}

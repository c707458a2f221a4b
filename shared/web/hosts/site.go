package hosts

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
	"sluice/shared/web/outage"
	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

const robotsPath = "/robots.txt"

// siteFiles are the files beside robots.txt about the use of a site's pages, in
// the order of their requests.
var siteFiles = [...]string{tdmrep: "/.well-known/tdmrep.json", aitxt: "/ai.txt"}

const (
	tdmrep = iota
	aitxt
)

// SiteFile reports whether a path is that of a file about a site's pages, which a
// crawl requests beside them: robots.txt, tdmrep.json or ai.txt.
func SiteFile(path string) bool {
	return path == robotsPath || slices.Contains(siteFiles[:], path)
}

// Limits of the redirects of such a file.
const (
	maxSiteHops = 3
	maxLocation = 2048 // bytes
)

// inquiry is the progress of requesting a file; the zero value means not
// requested.
type inquiry struct {
	Again time.Time `json:"again,omitzero"` // not to be requested before
	At    string    `json:"at,omitempty"`   // target of a redirect
	Hops  int       `json:"hops,omitempty"`
}

// unasked returns the next file to request, and its URL; "" if there is nothing
// to request now. Files that robots.txt forbids are not requested, and say
// nothing.
func (r *Rules) unasked(origin string, now time.Time) (file int, at string) {
	for file, path := range siteFiles {
		q := &r.asked[file]
		if now.Before(q.Again) {
			continue
		}
		at := cmp.Or(q.At, origin+path)
		if r.Allowed(at) {
			return file, at
		}
	}
	return 0, ""
}

// Site returns what the site's files say about a URL. Files that were not
// requested yet say nothing.
func (r *Rules) Site(rawURL string) optout.Site {
	if r.usage == nil && r.tdm == nil && r.ai == nil {
		return optout.Site{}
	}
	path := pathmatch.Path(rawURL)
	return optout.Site{TDM: r.tdm.For(path), Robots: r.usage.Refusal(path), AI: r.ai.Refusal(path)}
}

// Ask makes one request, for the next file that was not requested yet, and
// returns the rules with the result; nil if there is nothing to request. The
// result is cached like that of For (see Keep). The caller holds the lease of
// the host and observes its delay, as for any request. Rest is the pause that
// the server asks for, 0 for none. Errors are the caller's own cancellation, an
// outage, and the cache's.
//
// A missing file says nothing while the robots.txt is valid. A file that cannot
// be fetched says nothing for now and is requested again after an hour: unlike
// robots.txt, it forbids nothing by its absence ("failure to provide access …
// implies that the origin server does not implement this protocol", TDMRep
// 2024-02-02). Redirects are followed within the host, one request each:
// another host has its own lease.
func (r *Robots) Ask(ctx context.Context, scheme, authority string, rules *Rules) (next *Rules, rest time.Duration, err error) {
	key := scheme + "://" + authority
	file, at := rules.unasked(key, r.now())
	if at == "" {
		return nil, 0, nil
	}
	res, err := r.Client.Fetch(ctx, &fetch.Request{URL: at, MaxBody: robotstxt.MaxFile + 1, AnyType: true})
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	if outage.Of(err) != nil {
		return nil, 0, err
	}
	now := r.now()
	if err == nil {
		err = fetch.Status(res, now)
	}
	copied := *rules
	next = &copied
	q := &next.asked[file]
	f := fault.Of(err)
	switch {
	case err == nil && res.Status/100 == 3:
		q.redirect(at, res.Location, authority)
	case err == nil:
		*q = inquiry{}
		next.hear(file, res.Body)
	case res != nil && f.Class == fault.Permanent:
		*q = inquiry{} // it is not there
	default:
		*q = inquiry{Again: now.Add(max(f.Delay, minValidity))}
		rest = f.Delay
	}
	if q.Again.IsZero() && q.At == "" {
		q.Again = next.expires
	}
	if err := r.hold(ctx, key, next); err != nil {
		return nil, 0, err
	}
	return next, rest, nil
}

// hear adds the statements of a file.
func (r *Rules) hear(file int, body []byte) {
	switch file {
	case tdmrep:
		r.tdm = optout.ParseTDMFile(body)
	case aitxt:
		r.ai = optout.ParseAI(body, fetch.Product)
	}
}

// redirect records the next place of the file. A redirect to nowhere, or to
// another host, ends the inquiry.
func (q *inquiry) redirect(from, location, authority string) {
	hops := q.Hops + 1
	*q = inquiry{}
	next, ok := resolve(from, location)
	if !ok || hops > maxSiteHops || len(next) > maxLocation {
		return
	}
	if u, err := url.Parse(next); err == nil && strings.EqualFold(u.Host, authority) {
		q.At, q.Hops = next, hops
	}
}

package hosts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
	"sluice/shared/web/outage"
	"sluice/shared/web/robotstxt"
)

// How robots.txt is requested, and how long an answer is valid (RFC 9309, 2.3
// and 2.4).
const (
	maxRobotsHops = 5
	maxValidity   = 24 * time.Hour // also without a Cache-Control
	minValidity   = time.Hour
	minSilence    = time.Minute // after an inconclusive answer
)

// RuleUnreachable is the rule under which a host waits for its robots.txt.
const RuleUnreachable = "robots_unreachable"

// RobotsCache keeps Rules between tasks. The key is the place of a robots.txt,
// "scheme://host:port", without the scheme's default port. Both methods are
// safe for concurrent use; the Rules are shared and must not be modified.
type RobotsCache interface {
	// Robots returns the rules that PutRobots stored, or nil without an error
	// if there are none that are valid now and were fetched after since (see
	// Rules.Hold).
	Robots(ctx context.Context, authority string, since time.Time) (*Rules, error)
	// PutRobots replaces the rules of the key. If two calls run at once, either
	// may win. With leases, the caller holds the host's lease: other processes
	// see the rules once the lease is released, and perhaps never if it is not.
	PutRobots(ctx context.Context, authority string, r *Rules) error
}

// Robots fetches, caches and answers for robots.txt. It fetches each file at
// most once per validity, for all concurrent tasks of one Robots and all that
// share its Cache. It is safe for concurrent use.
type Robots struct {
	Client fetch.Client
	Cache  RobotsCache
	Now    func() time.Time // nil for time.Now

	// Since bounds the age of rules: older ones are fetched again. A refresh
	// sets it, to learn whether pages may still be fetched. Zero: rules are
	// used until they expire.
	Since time.Time

	flights singleflight.Group
	open    sync.Map // key to *Rules not in the cache yet, with requests still to come
}

// For returns the rules of a scheme ("http" or "https") and authority ("host"
// or "host:port", lower case).
//
// If robots.txt cannot be fetched because of its server (429, 5xx, network),
// the error is a fault After, rule "robots_unreachable", and the rules forbid
// everything until then. An authority that cannot be reached at all keeps its
// Permanent fault ("dns", "address", "tls", "bad_url"). Any other 4xx and
// redirects that lead nowhere allow everything.
func (r *Robots) For(ctx context.Context, scheme, authority string) (*Rules, error) {
	key := scheme + "://" + authority
	for {
		v, err, shared := r.flights.Do(key, func() (any, error) { return r.rules(ctx, key) })
		if err == nil {
			rules, _ := v.(*Rules)
			return rules, rules.blocked(r.now())
		}
		if shared && ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			continue // the task that was asking gave up; this one didn't
		}
		return nil, err
	}
}

// Known reports whether the rules of a scheme and authority are known, without a
// request, and let pages be fetched. If the cache cannot be read they are not known.
func (r *Robots) Known(ctx context.Context, scheme, authority string) bool {
	key := scheme + "://" + authority
	rules, err := r.Cache.Robots(ctx, key, r.Since)
	if err != nil || rules == nil {
		v, _ := r.open.Load(key)
		rules, _ = v.(*Rules)
	}
	return rules != nil && rules.Hold(r.now(), r.Since) && rules.refused == ""
}

func (r *Robots) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

// rules takes the rules from the cache, else from the host.
func (r *Robots) rules(ctx context.Context, key string) (*Rules, error) {
	rules, err := r.Cache.Robots(ctx, key, r.Since)
	if err != nil {
		return nil, fmt.Errorf("read robots cache for %s: %w", key, err)
	}
	if rules != nil && rules.Hold(r.now(), r.Since) {
		return rules, nil
	}
	if v, ok := r.open.Load(key); ok {
		if rules, _ := v.(*Rules); rules.Hold(r.now(), r.Since) {
			return rules, nil
		}
	}
	rules, err = r.fetch(ctx, key)
	if err != nil {
		return nil, err
	}
	return rules, r.hold(ctx, key, rules)
}

// hold keeps rules, in the cache if no request is left: otherwise each further
// answer would be a write.
func (r *Robots) hold(ctx context.Context, key string, rules *Rules) error {
	r.open.Store(key, rules)
	if _, at := rules.unasked(key, r.now()); at != "" {
		return nil
	}
	return r.keep(ctx, key, rules)
}

func (r *Robots) keep(ctx context.Context, key string, rules *Rules) error {
	if err := r.Cache.PutRobots(ctx, key, rules); err != nil {
		return fmt.Errorf("write robots cache for %s: %w", key, err)
	}
	r.open.CompareAndDelete(key, rules)
	return nil
}

// Keep stores the last result of For and Ask in the cache, unless it is there.
// Callers of both call it if they stop before Ask has nothing left to request.
func (r *Robots) Keep(ctx context.Context, scheme, authority string) error {
	key := scheme + "://" + authority
	if v, ok := r.open.Load(key); ok {
		rules, _ := v.(*Rules)
		return r.keep(ctx, key, rules)
	}
	return nil
}

// fetch requests robots.txt and turns every answer into Rules. Only the
// caller's own cancellation is an error, and an outage.
func (r *Robots) fetch(ctx context.Context, key string) (*Rules, error) {
	at := key + robotsPath
	for hop := range maxRobotsHops + 1 {
		res, err := r.Client.Fetch(ctx, &fetch.Request{URL: at, MaxBody: robotstxt.MaxFile + 1, AnyType: true})
		now := r.now()
		switch {
		case err != nil && (ctx.Err() != nil || outage.Of(err) != nil):
			return nil, err
		case err != nil:
			return failed(fault.Of(err), hop, now), nil
		case res.Status/100 == 2:
			return ParseRules(res.Body).during(now, validity(res.Header)), nil
		case res.Status/100 == 3:
			next, ok := resolve(at, res.Location)
			if !ok {
				return new(Rules).during(now, maxValidity), nil
			}
			at = next
		case res.Status >= 400 && res.Status < 500 && res.Status != http.StatusTooManyRequests:
			return new(Rules).during(now, validity(res.Header)), nil
		default:
			return failed(fault.Of(fetch.Status(res, now)), hop, now), nil
		}
	}
	return new(Rules).during(r.now(), maxValidity), nil
}

// maxCause is how many characters of a cause are kept.
const maxCause = 300

// failed makes the Rules of an authority whose robots.txt is unreachable: they
// forbid everything for a while, so that it is not requested again and again.
func failed(f *fault.Error, hop int, now time.Time) *Rules {
	rules := &Rules{refused: RuleUnreachable, cause: fault.Clip(f.Error(), maxCause)}
	if f.Class == fault.Permanent && hop == 0 {
		switch f.Rule {
		case "dns", "address", "tls", "bad_url":
			rules.refused = f.Rule // its pages cannot be fetched either
		}
	}
	return rules.during(now, max(f.Delay, minSilence))
}

// resolve returns the target of a redirect, if robots.txt can be there.
func resolve(base, location string) (string, bool) {
	u, err := url.Parse(base)
	if err != nil || location == "" {
		return "", false
	}
	next, err := u.Parse(location)
	if err != nil || next.Scheme != "http" && next.Scheme != "https" || next.Host == "" {
		return "", false
	}
	next.Fragment = ""
	return next.String(), true
}

// validity reads how long an answer holds: max-age of Cache-Control, within
// bounds.
func validity(h http.Header) time.Duration {
	for directive := range strings.SplitSeq(strings.ToLower(strings.Join(h["Cache-Control"], ",")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "no-store", "no-cache":
			return minValidity
		case "max-age":
			seconds, err := strconv.ParseUint(strings.Trim(value, `" `), 10, 31)
			if err != nil {
				continue
			}
			return min(max(time.Duration(seconds)*time.Second, minValidity), maxValidity)
		}
	}
	return maxValidity
}

package step

import (
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// override returns the first of the plan's overrides that a URL is of and that has a
// limit, nil for none.
func (p *Plan) override(u urlnorm.URL, has func(*limits.Override) bool) *limits.Override {
	for i := range p.Overrides {
		if o := &p.Overrides[i]; has(o) && o.Contains(u) {
			return o
		}
	}
	return nil
}

// delay is the time between a fetch of u and the next one on its host.
func (p *Plan) delay(u urlnorm.URL) time.Duration {
	if o := p.override(u, func(o *limits.Override) bool { return o.Delay != nil }); o != nil {
		return *o.Delay
	}
	return p.Delay
}

// hostDelay is the time between two fetches on a host.
func (p *Plan) hostDelay(host string) time.Duration {
	u, err := urlnorm.Parse("http://" + host + "/")
	if err != nil {
		return p.Delay
	}
	return p.delay(u)
}

// depth is how many links u may be from its seed.
func (p *Plan) depth(u urlnorm.URL) int {
	if o := p.override(u, func(o *limits.Override) bool { return o.MaxDepth != nil }); o != nil {
		return *o.MaxDepth
	}
	return p.MaxDepth
}

// pages is the budget of a host.
func (p *Plan) pages(host string) int {
	for i := range p.Overrides {
		if o := &p.Overrides[i]; o.MaxPages != nil && o.ContainsHost(host) {
			return *o.MaxPages
		}
	}
	return p.PagesPerHost
}

// budget returns the override that bounds the pages of a part of u's host, nil for none.
func (p *Plan) budget(u urlnorm.URL) *limits.Override {
	o := p.override(u, func(o *limits.Override) bool { return o.MaxPages != nil })
	if o == nil || o.ContainsHost(u.Host()) {
		return nil
	}
	return o
}

// usedUp ends a visit that has no page left in the budget of an override.
func (r *run) usedUp(v *visit) (ended bool) {
	o := r.plan.budget(v.url)
	if o == nil || v.isFree() || r.lease.State.Overrides[keyOfEntry(o)] < *o.MaxPages {
		return false
	}
	r.leaveOut(v, RuleOverride)
	return true
}

// keyOfEntry is short, since a host's state is one item of a table.
func keyOfEntry(o *limits.Override) string { return strconv.FormatUint(xxh3.HashString(o.Entry), 36) }

// spend takes pages from the budgets of a visit's host.
func (r *run) spend(v *visit, pages int) {
	r.lease.State.Pages += pages
	if o := r.plan.budget(v.url); o != nil {
		if r.lease.State.Overrides == nil {
			r.lease.State.Overrides = map[string]int{}
		}
		r.lease.State.Overrides[keyOfEntry(o)] += pages
	}
}

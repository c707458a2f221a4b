package dynamohosts

import (
	"maps"
	"sync"
	"time"

	"sluice/shared/aws/attr"
	"sluice/shared/web/hosts"
)

// visit is what a process knows of the item of a host that it leases.
type visit struct {
	owner   string
	end     time.Time // of the lease
	overdue []string  // whose states to drop
	fresh   bool      // there was no item, so there are no rules anywhere
	size    int       // of the item without riders
	riders  map[string]rider
	changed bool // riders are not those of the item
}

// visitOf returns the visit that begins with an item as it was before.
func visitOf(was item, owner string, end time.Time) *visit {
	riders, bad := ridersOf(was)
	v := &visit{owner: owner, end: end, fresh: len(was) == 0, size: itemHead, riders: riders, changed: bad}
	for crawl, packed := range statesOf(was) {
		v.size += entryBytes(crawl, packed)
	}
	v.size = max(v.size, usualItem)
	return v
}

// visits remembers the visits of a process from Acquire to Release. What it
// forgets the next lease finds again, or asks the host for. It is safe for
// concurrent use.
type visits struct {
	mu sync.Mutex
	of map[string]*visit // by host
}

// maxVisits is far above the hosts that one process leases at a time.
const maxVisits = 1_000

// begin notes a visit. If its own owner renews it, the visit is kept: the item
// does not have its riders yet.
func (vs *visits) begin(host string, v *visit, renewed bool, now time.Time) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if old := vs.of[host]; renewed && old != nil && old.owner == v.owner {
		old.end, old.overdue = v.end, v.overdue
		return
	}
	delete(vs.of, host)
	if len(vs.of) >= maxVisits { // leases that were never released
		maps.DeleteFunc(vs.of, func(_ string, v *visit) bool { return !now.Before(v.end) })
	}
	if len(vs.of) < maxVisits {
		vs.of[host] = v
	}
}

// look returns the rules for an authority in the host's item, nil for none.
// Leased says that the item has no others, as a lease of the host is running;
// settled, that there are no others elsewhere, or none that a lease's holder
// put later.
func (vs *visits) look(authority string, now time.Time) (r *hosts.Rules, leased, settled bool) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.of[hostOf(authority)]
	if v == nil || !now.Before(v.end) {
		return nil, false, false
	}
	k, rides := v.riders[authority]
	return k.rules, true, rides || v.fresh
}

// board lets rules ride, if a lease of their host is running and there is room.
func (vs *visits) board(authority string, k rider, now time.Time) bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.of[hostOf(authority)]
	return v != nil && now.Before(v.end) && v.board(authority, k, now)
}

// alight notes that an authority's rules have got an item of their own.
func (vs *visits) alight(authority string) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if v := vs.of[hostOf(authority)]; v != nil {
		_, rode := v.riders[authority]
		delete(v.riders, authority)
		v.fresh, v.changed = false, v.changed || rode
	}
}

// leaving returns what a Release has to write: the states to drop and, if they
// have changed, the riders that have not expired.
func (vs *visits) leaving(host string, now time.Time) (overdue []string, riders item, changed bool) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.of[host]
	if v == nil {
		return nil, nil, false
	}
	riders = item{}
	for authority, k := range v.riders {
		if k.rules.Hold(now, time.Time{}) {
			riders[authority] = attr.Blob(k.packed)
		}
	}
	return v.overdue, riders, v.changed || len(riders) < len(v.riders)
}

// end forgets a visit of an owner.
func (vs *visits) end(host, owner string) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if v := vs.of[host]; v != nil && v.owner == owner {
		delete(vs.of, host)
	}
}

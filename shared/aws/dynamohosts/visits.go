package dynamohosts

import (
	"maps"
	"sync"
	"time"

	"sluice/shared/aws/attr"
	"sluice/shared/web/hosts"
)

// visit is a process's knowledge of the item of a host that it leases.
type visit struct {
	owner   string
	end     time.Time // of the lease
	overdue []string  // crawls whose states to drop
	fresh   bool      // there was no item, so no rules are stored anywhere
	size    int       // of the item without riders
	riders  map[string]rider
	changed bool // riders differ from those of the item
}

// visitOf returns the visit that starts from the previous item.
func visitOf(was item, owner string, end time.Time) *visit {
	riders, bad := ridersOf(was)
	v := &visit{owner: owner, end: end, fresh: len(was) == 0, size: itemHead, riders: riders, changed: bad}
	for crawl, packed := range statesOf(was) {
		v.size += entryBytes(crawl, packed)
	}
	v.size = max(v.size, usualItem)
	return v
}

// visits holds the visits of a process from Acquire to Release. Forgotten rules
// are read again with the next lease or fetched from the host. It is safe for
// concurrent use.
type visits struct {
	mu sync.Mutex
	of map[string]*visit // by host
}

// maxVisits is far above the hosts that one process leases at a time.
const maxVisits = 1_000

// begin records a visit. If the owner renews its own lease, the visit is kept:
// its riders are not in the item yet.
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
// Leased says that this process leases the host, so the item has no others;
// settled, that no others are stored elsewhere, except those put later by the
// holder of another lease.
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

// board adds rules to the host's item, if the host is leased and there is room.
func (vs *visits) board(authority string, k rider, now time.Time) bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.of[hostOf(authority)]
	return v != nil && now.Before(v.end) && v.board(authority, k, now)
}

// alight records that an authority's rules now have an item of their own.
func (vs *visits) alight(authority string) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if v := vs.of[hostOf(authority)]; v != nil {
		_, rode := v.riders[authority]
		delete(v.riders, authority)
		v.fresh, v.changed = false, v.changed || rode
	}
}

// leaving returns what Release has to write: the states to drop and, if they
// changed, the unexpired riders.
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

// end removes a visit of an owner.
func (vs *visits) end(host, owner string) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if v := vs.of[host]; v != nil && v.owner == owner {
		delete(vs.of, host)
	}
}

package rank

import (
	"cmp"
	"maps"
	"slices"

	"sluice/shared/web/urlnorm"
)

// HostCounts are the pages of one host that were read and kept, by the name of their
// group without the host. They are stored with the host, for all processes of a
// crawl, and are small: groups with few pages are left out.
type HostCounts map[string][2]int

const (
	maxHostCounts = 800 // bytes, as JSON
	countBytes    = 12  // of a group, besides its name
)

// Learn counts a page of the host.
func (c HostCounts) Learn(u urlnorm.URL, kept bool) {
	for _, name := range groupsOf(u) {
		name = name[len(u.Host()):]
		n := c[name]
		n[0]++
		if kept {
			n[1]++
		}
		c[name] = n
	}
	c.shrink()
}

// shrink drops the groups with the fewest pages.
func (c HostCounts) shrink() {
	size := 0
	for name := range c {
		size += countBytes + len(name)
	}
	if size <= maxHostCounts {
		return
	}
	names := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[a][0], c[b][0]), cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	for _, name := range names {
		if size <= maxHostCounts {
			break
		}
		size -= countBytes + len(name)
		delete(c, name)
	}
}

// Restore takes over the counts of a host that others know better.
func (e *Experience) Restore(host string, c HostCounts) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, n := range c {
		t, ok := e.groups[host+name]
		now := tally{float64(n[0]), float64(n[1])}
		if now.valid() && now.Pages > t.Pages && (ok || len(e.groups) < maxGroups) {
			e.groups[host+name] = now
		}
	}
}

// SetAll sets the counts of all pages of the crawl, which other processes read, too.
func (e *Experience) SetAll(pages, kept int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = tally{float64(pages), float64(kept)}
}

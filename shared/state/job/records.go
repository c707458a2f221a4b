package job

import (
	"maps"
	"slices"
)

// Records are those of a structured crawl, by host. A host has several sites if it has
// several ports.
type Records map[string]*HostRecords

// HostRecords are the records of a host.
type HostRecords struct {
	Made   bool           `json:"made,omitempty"`
	Counts map[string]int `json:"counts,omitempty"` // by SITE/LAYER, and what has none, see package records
	Left   string         `json:"left,omitempty"`   // why they are left to an export; "": they are not
}

// Whole reports whether the records of all hosts are made.
func (r Records) Whole() bool {
	for _, h := range r {
		if !h.Made || h.Left != "" {
			return false
		}
	}
	return r != nil
}

// Left says why the records of a host are left to an export, of the first by name; "" if
// they are not.
func (r Records) Left() string {
	for _, host := range slices.Sorted(maps.Keys(r)) {
		if left := r[host].Left; left != "" {
			return host + ": " + left
		}
	}
	return ""
}

// Counts returns the counts of all hosts together; nil if no records were asked for.
func (r Records) Counts() map[string]int {
	if r == nil {
		return nil
	}
	all := map[string]int{}
	for _, h := range r {
		for what, n := range h.Counts {
			all[what] += n
		}
	}
	return all
}

// Missing reports whether the records of some host are asked for and not made.
func (r Records) Missing() bool {
	for _, h := range r {
		if !h.Made {
			return true
		}
	}
	return false
}

// LacksRecords reports whether the records of j should be asked for. Those of a refresh
// depend on the crawls before it, too, and are made by an export.
func (j *Job) LacksRecords() bool {
	return j.Structured && (j.State == Done || j.State == Stopped) && j.Records == nil && len(j.RefreshOf) == 0
}

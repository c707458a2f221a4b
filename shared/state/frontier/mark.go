package frontier

import "time"

// Mark says that a task is under way in a queue, for a Gauge that keeps its
// own books: cloud queues count messages, not the links of a crawl in them.
//
// A parked mark has no task of its own: its links wait for the next visit of their host,
// which takes them along.
type Mark struct {
	Crawl, Host, ID string
	Hops, Links     int
	Due             time.Time // when the task can be delivered at the earliest

	Held   []Link   // its links, if nothing else says that they are known; at its end those that were given up
	Parked bool     // see above
	Parks  []string // parked marks that it replaces, or that end with it
}

// RuleHostDown closes a host to which too many connections in a row failed. It has links
// left then, which wait in the backlog.
const RuleHostDown = "host_down"

// Standing is the state of a host in a crawl.
type Standing struct {
	Host   string
	Queued int    // links under way, as Gauge counts them
	Closed string // the rule, "" while open

	// Only a look at a single host has these. There Queued does not count parked links.
	Held   []string // URLs that only marks say are known
	Parked []Link   // links of parked marks
	Parks  []string // IDs of these marks
}

package frontier

import "time"

// Mark says that a task is under way in a queue, for a Gauge that keeps its
// own books: cloud queues count messages, not the links of a crawl in them.
type Mark struct {
	Crawl, Host, ID string
	Hops, Links     int
	Due             time.Time // when the task can be delivered at the earliest
	// Held are its links, if nothing else says that they are known; at its end those that
	// were given up.
	Held []Link
}

// Standing is the state of a host in a crawl.
type Standing struct {
	Host   string
	Queued int    // links under way, as Gauge counts them
	Closed string // the rule, "" while open

	// Held are the URLs under way that only the marks of their tasks say are known. Only
	// a look at a single host has them.
	Held []string
}

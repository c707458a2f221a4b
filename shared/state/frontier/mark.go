package frontier

import "time"

// Mark says that a task is under way in a queue, for a Gauge that keeps its
// own books: cloud queues count messages, not the links of a crawl in them.
type Mark struct {
	Crawl, Host, ID string
	Hops, Links     int
	Due             time.Time // when the task can be delivered at the earliest
}

// Standing is the state of a host in a crawl.
type Standing struct {
	Host   string
	Queued int    // links under way, as Gauge counts them
	Closed string // the rule, "" while open
}

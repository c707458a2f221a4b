package engine

import (
	"sync/atomic"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/state/job"
)

// Progress is a snapshot of a running crawl.
type Progress struct {
	Fetched  int64 // in all runs
	Kept     int64 // in this run
	Below    int64 // pages that links below the line led to, in this run
	InFlight int64 // hosts with a task in progress
	Pause    Pause // the one that ends first, if no host has a task in progress
}

// Progress may be called at any time.
func (e *Engine) Progress() Progress {
	p := Progress{Fetched: e.live.fetched.Load(), Kept: e.live.kept.Load(), Below: e.live.below.Load(), InFlight: int64(e.lines.hosts())}
	if p.InFlight == 0 {
		p.Pause = e.pauses.first(time.Now())
	}
	return p
}

// left is how many pages may still be fetched.
func (e *Engine) left() int64 { return e.opts.MaxPages - e.live.fetched.Load() }

// live counts pages as they end. Feeding counts whole tasks instead: see
// delivery.Run.
type live struct{ fetched, read, kept, below, covering atomic.Int64 }

func (l *live) count(e step.End) {
	if e.Fetched {
		l.fetched.Add(1)
	}
	if e.Read {
		l.read.Add(1)
	}
	if e.Kept {
		l.kept.Add(1)
	}
	if e.Below {
		l.below.Add(1)
	}
	if e.Covers {
		l.covering.Add(1)
	}
}

// harvest returns what the run has read and kept so far.
func (l *live) harvest() job.Harvest { return job.Harvest{Read: l.read.Load(), Kept: l.kept.Load()} }

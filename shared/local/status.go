package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sluice/shared/console"
	"sluice/shared/local/engine"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/job"
)

// statusHosts is how many hosts a status lists.
const statusHosts = 20

// reasonKilled is why a crawl is stopped whose process ended without a word.
const reasonKilled = "killed"

// Status reads the state of the crawl.
func (f *Folder) Status(ctx context.Context) (*console.Status, error) {
	sum, err := summarise(ctx, f.store, f.dir, &f.set.turn, f.set.Topic)
	if err != nil {
		return nil, err
	}
	s := &console.Status{Summary: *sum, Hosts: []console.Host{}}
	if err := f.readState(ctx, &s.Summary); err != nil {
		return nil, err
	}
	if s.Queued, err = f.store.Queue().Queued(ctx, f.set.Crawl, ""); err != nil {
		return nil, fmt.Errorf("count queued links: %w", err)
	}
	if s.Waiting, err = f.store.Backlog().Len(ctx, f.set.Crawl); err != nil {
		return nil, fmt.Errorf("count waiting links: %w", err)
	}
	active, all, closed, err := f.store.HostCounts(ctx, f.set.Crawl)
	if err != nil {
		return nil, err
	}
	s.HostCounts = console.HostCounts{Active: active, Idle: max(all-active-closed, 0), Closed: closed}
	hosts, err := f.store.Hosts(ctx, f.set.Crawl, statusHosts)
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	for _, h := range hosts {
		queued, err := f.store.Queue().Queued(ctx, f.set.Crawl, h.Host)
		if err != nil {
			return nil, fmt.Errorf("count queued links: %w", err)
		}
		s.Hosts = append(s.Hosts, console.Host{Host: h.Host, Fetched: new(h.Fetched), Queued: queued, Waiting: h.Waiting, Closed: h.Closed})
	}
	err = errors.Join(readJSON(ctx, f.store, adjustmentsKey, &s.Adjustments), readJSON(ctx, f.store, secondLookKey, &s.SecondLook))
	return s, err
}

// readState reads what the crawl is doing and its budgets.
func (f *Folder) readState(ctx context.Context, s *console.Summary) error {
	before, err := filecorpus.Busy(f.dir)
	if err != nil {
		return err
	}
	var paused, outage, why string
	for key, value := range map[string]*string{reasonKey: &s.StopReason, pausedKey: &paused, outageKey: &outage, stopWhyKey: &why} {
		if *value, _, err = f.store.Meta(ctx, key); err != nil {
			return err
		}
	}
	after, err := filecorpus.Busy(f.dir)
	if err != nil {
		return err
	}
	busy := before || after // a crawl that just ended or began was not killed
	setState(s, why)
	switch {
	case s.StopReason != "":
	case busy && paused != "":
		s.State, s.Reason = job.Paused, ""
	case !busy:
		s.State, s.Reason = job.Stopped, reasonKilled
	case outage != "":
		if s.OutageSince, err = time.Parse(time.RFC3339, outage); err != nil {
			return fmt.Errorf("read %s: %w", outageKey, err)
		}
	}
	s.MaxPages = f.set.Pages
	if s.MaxPages == 0 {
		if t, err := f.ReadTopic(); err == nil {
			s.MaxPages = t.File.Budgets.MaxPages
		}
	}
	if !f.set.Deadline.IsZero() {
		s.Deadline = &f.set.Deadline
	}
	return nil
}

// setState takes the state from the reason for which the crawl has ended. why is
// what a user who stopped it said, or what was the first cause.
func setState(s *console.Summary, why string) {
	switch s.StopReason {
	case "":
		s.State, s.Reason = job.Running, ""
	case string(engine.Interrupted), string(engine.Outage), string(engine.HostsDown), string(engine.Unreachable):
		s.State, s.Reason = job.Stopped, s.StopReason
		if why != "" {
			s.Reason = why
		}
	default:
		s.State, s.Reason = job.Done, s.StopReason
	}
}

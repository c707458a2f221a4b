package local

import (
	"context"
	"slices"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/seeding"
	"sluice/shared/crawl/step"
	"sluice/shared/local/engine"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// down chooses the links that died because their host could not be reached.
var down = console.RedriveOptions{Rules: step.DownRules}

// emptied is why no link is left that may be fetched.
func (c *Crawl) emptied(ctx context.Context) (engine.StopReason, error) {
	if c.outage.Unreached() != nil && c.totals.Fetched == 0 {
		return engine.Unreachable, nil
	}
	closed, err := c.store.ClosedHosts(ctx, c.id)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(closed, func(h sqlitestore.HostStatus) bool { return h.Closed == step.RuleHostDown && h.Waiting > 0 }) {
		return engine.HostsDown, nil
	}
	// The links of a host with few are dead letters before it is closed. If it answered
	// between the attempts of one, that page is to blame.
	failing, err := c.store.FailingHosts(ctx, c.id, step.DefaultAttempts)
	if err != nil {
		return "", err
	}
	letters, err := c.store.Queue().DeadLetters(ctx, c.id)
	if slices.ContainsFunc(letters, func(d sqlitestore.DeadLetter) bool {
		return slices.Contains(failing, urlnorm.HostOf(d.Link.URL)) && down.Chosen(d.ID, d.Crawl, d.Reason)
	}) {
		return engine.HostsDown, err
	}
	return engine.FrontierEmpty, err
}

// takeUp lets hosts that were down be asked again, and puts back the links that died of it,
// and seeds if none was reached.
func (c *Crawl) takeUp(ctx context.Context, seeds []urlnorm.URL) error {
	if err := c.store.Backlog().Reopen(ctx, c.id, c.spec.Delay, step.RuleHostDown); err != nil {
		return err
	}
	letters, err := c.store.Queue().DeadLetters(ctx, c.id)
	if err != nil {
		return err
	}
	links, ids := chooseLetters(console.NewRedriven(&down), &down, letters)
	if err := putBack(ctx, c.store, c.id, links, ids); err != nil {
		return err
	}
	reason, _, err := c.store.Meta(ctx, reasonKey)
	if err != nil || reason != string(engine.Unreachable) {
		return err
	}
	c.since = time.Now()
	links = seeding.Links(plan.Names(seeds))
	if err := c.store.Backlog().Add(ctx, c.id, links); err != nil {
		return err
	}
	return c.store.Ledger().ReviveRejected(ctx, c.id, frontier.URLs(links))
}

package local

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sluice/shared/crawl/step"
	"sluice/shared/local/filecorpus"
	"sluice/shared/local/sqlitestore"
	"sluice/shared/state/forget"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

// turn is which generation of its folder a crawl is. A refresh is a crawl of its
// own: in the ledger, in the frontier and in the files, where it shares the store
// and the folder with those before.
type turn struct {
	Generation int              `json:"generation,omitempty"` // 0: the first
	Began      time.Time        `json:"began,omitzero"`       // of a refresh: sites are asked again what they say about the use of their pages
	Start      filecorpus.Start `json:"start,omitzero"`       // where its files begin
	Inherited  bool             `json:"inherited,omitempty"`  // what it refreshes is in its frontier
	Skipped    int              `json:"skipped,omitempty"`    // generations before it that inherited no links, having been broken off, or as they looked at sources alone
	Watched    int              `json:"watched,omitempty"`    // generations right before it that looked at sources alone
	limits.Revisits
}

// generation counts from 1.
func (t *turn) generation() int { return max(t.Generation, 1) }

// crawl is the id of the generation: "finance", then "finance@2". No topic's
// name has an "@".
func (t *turn) crawl(topic string) string {
	if t.Generation < 2 {
		return topic
	}
	return topic + "@" + strconv.Itoa(t.Generation)
}

// crawls are the ids of this generation and of those before, newest first.
func (t *turn) crawls(topic string) []string {
	var ids []string
	for n := t.generation(); n > 0; n-- {
		ids = append(ids, (&turn{Generation: n}).crawl(topic))
	}
	return ids
}

// next is the generation that refreshes t.
func (t *turn) next(began time.Time, start filecorpus.Start) turn {
	next := turn{Generation: t.generation() + 1, Began: began, Start: start}
	if t.Revisit == limits.RevisitSources {
		next.Watched = t.Watched + 1
	}
	if t.generation() > 1 && (!t.Inherited || t.Revisit == limits.RevisitSources) {
		next.Skipped = t.Skipped + 1
	}
	return next
}

// begin finds out which generation the crawl is. A refresh begins the next one:
// the files of those before are sealed.
func (c *Crawl) begin() error {
	t := &c.spec.turn
	if c.spec.Refresh {
		start, err := c.corpus.Turn()
		if err != nil {
			return fmt.Errorf("begin refresh: %w", err)
		}
		revisits := limits.RevisitsFrom(c.spec.Revisit, c.spec.OlderThan, time.Now())
		*t = t.next(time.Now(), start)
		t.Revisits = revisits
	}
	c.id, c.since = t.crawl(c.spec.Topic.File.Name), t.Began
	return nil
}

// checkTurn returns ErrOther where the crawl is not any more as it was when the
// settings were read, before the folder was locked: another process has refreshed
// it meanwhile.
func (c *Crawl) checkTurn(ctx context.Context) error {
	raw, ok, err := c.store.Meta(ctx, settingsKey)
	if err != nil || !ok {
		return err
	}
	var held settings
	if err := json.Unmarshal([]byte(raw), &held); err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	want := c.spec.turn.generation()
	if c.spec.Refresh {
		want--
	}
	if held.generation() != want {
		return fmt.Errorf("%w: %s was refreshed by another process just now", ErrOther, c.spec.Dir)
	}
	return nil
}

// crawls are the ids of all generations, newest first.
func (c *Crawl) crawls() []string { return c.spec.turn.crawls(c.spec.Topic.File.Name) }

// prior is what the generations before know, nil for the first.
func (c *Crawl) prior() step.Prior {
	if c.spec.turn.generation() < 2 {
		return nil
	}
	return generations(c.store, c.crawls()[1:])
}

// inherit brings into the frontier of a refresh what the generations before have
// left to it: the pages to look at again, and the links that they did not get to.
// If it is broken off, the next run of the crawl does it again.
func (c *Crawl) inherit(ctx context.Context) error {
	t := &c.spec.turn
	if t.generation() < 2 || t.Inherited {
		return nil
	}
	if err := c.store.SetMeta(ctx, reasonKey, ""); err != nil {
		return fmt.Errorf("begin refresh: %w", err)
	}
	if err := c.revisit(ctx); err != nil {
		return fmt.Errorf("take over pages: %w", err)
	}
	for i, id := range c.crawls()[1:] {
		if i <= t.Skipped { // else they were taken over by the one after it
			take := c.takeOver
			if t.Revisit == limits.RevisitSources && i >= t.Watched {
				take = c.leaveWaiting
			}
			if err := take(ctx, id); err != nil {
				return fmt.Errorf("take over links: %w", err)
			}
		}
		// A task that is left would be worked on as part of its own crawl.
		if err := c.store.DropTasks(ctx, id); err != nil {
			return fmt.Errorf("take over links: %w", err)
		}
	}
	t.Inherited = true
	return c.keepSettings(ctx)
}

// atOnce is how many URLs are looked up at a time.
const atOnce = 500

// revisit plants the pages that are to be looked at again, by the links that led
// to them.
func (c *Crawl) revisit(ctx context.Context) error {
	known := generations(c.store, c.crawls()[1:])
	found := 0
	for traces, err := range c.store.EachTrace(ctx) {
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(traces, atOnce) {
			entries, err := known.Entries(ctx, tracedURLs(chunk))
			if err != nil {
				return err
			}
			links := revisits(entries, &c.spec.turn.Revisits)
			if err := c.plant(ctx, links); err != nil {
				return err
			}
			found += len(links)
		}
	}
	if found == 0 && c.spec.turn.Revisit == limits.RevisitSources {
		c.spec.Log.WarnContext(ctx, "the crawl has met no sitemap or feed, so nothing is fetched again")
	}
	return nil
}

// tracedURLs are the URLs that traces are about.
func tracedURLs(traces [][]byte) []string {
	urls := make([]string, 0, len(traces))
	for _, trace := range traces {
		if url := forget.TraceURL(trace); url != "" {
			urls = append(urls, url)
		}
	}
	return urls
}

// revisits are the links to the pages that are to be looked at again.
func revisits(entries []*ledger.Entry, revisit *limits.Revisits) []frontier.Link {
	var links []frontier.Link
	for _, e := range entries {
		if e == nil {
			continue
		}
		if l, ok := step.Revisit(e, revisit); ok {
			links = append(links, l)
		}
	}
	return links
}

// takeOver plants the links that wait in another crawl, and those of its tasks, but none to
// a page that the refresh leaves as it is.
func (c *Crawl) takeOver(ctx context.Context, from string) error {
	for links, err := range c.store.EachWaiting(ctx, from) {
		if err != nil {
			return err
		}
		if err := c.plantWanted(ctx, links); err != nil {
			return err
		}
	}
	for links, err := range c.store.EachQueued(ctx, from) {
		if err != nil {
			return err
		}
		for i := range links {
			links[i].Attempts = 0
		}
		if err := c.plantWanted(ctx, links); err != nil {
			return err
		}
	}
	return nil
}

// plantWanted plants links, but none to a known page that the refresh leaves as it is.
func (c *Crawl) plantWanted(ctx context.Context, links []frontier.Link) error {
	if revisits := &c.spec.turn.Revisits; revisits.Bounded() {
		entries, err := generations(c.store, c.crawls()[1:]).Entries(ctx, frontier.URLs(links))
		if err != nil {
			return err
		}
		var wanted []frontier.Link
		for i, e := range entries {
			if e == nil || !step.Leaves(revisits, e, links[i].IsSeed) {
				wanted = append(wanted, links[i])
			}
		}
		links = wanted
	}
	return c.plant(ctx, links)
}

// leaveWaiting puts the links of another crawl's tasks back to those that wait there:
// a refresh of sources alone takes over none of a crawl, the next other one does.
func (c *Crawl) leaveWaiting(ctx context.Context, from string) error {
	for links, err := range c.store.EachQueued(ctx, from) {
		if err == nil {
			err = c.store.Backlog().Add(ctx, from, links)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// generations are what the crawls of a store know, newest first.
func generations(st *sqlitestore.Store, crawls []string) *ledger.Generations {
	return &ledger.Generations{Reader: refusals{st}, Crawls: crawls}
}

// refusals reads entries as they are after what was refused later: a page that
// was kept and then found to be nothing but boilerplate is not in the corpus.
type refusals struct{ store *sqlitestore.Store }

// Entries implements ledger.Reader.
func (r refusals) Entries(ctx context.Context, crawl string, urls []string) ([]*ledger.Entry, error) {
	entries, err := r.store.Ledger().Entries(ctx, crawl, urls)
	if err != nil {
		return nil, err
	}
	later, err := r.store.Refused(ctx, crawl)
	if err != nil || len(later) == 0 {
		return entries, err
	}
	for i, e := range entries {
		if e == nil || e.Verdict != ledger.Kept {
			continue
		}
		rule, err := r.store.RefusedBy(ctx, crawl, urls[i])
		if err != nil {
			return nil, err
		}
		if rule != "" {
			refused := *e
			refused.Verdict, refused.Rule, refused.Change = ledger.Rejected, rule, ""
			entries[i] = &refused
		}
	}
	return entries, nil
}

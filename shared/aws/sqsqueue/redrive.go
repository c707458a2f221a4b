package sqsqueue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sluice/shared/state/frontier"
)

// Redrive sends the letters for which pick returns true back to their queue,
// and deletes them here. Pick may correct the letter's body, and must not return
// true for one that its queue cannot read. Redrive ignores letters that were
// buried since the call started: it may have sent them back itself.
//
// Letters are sent before they are deleted: after an error some may be in both
// places.
func (d *Dead) Redrive(ctx context.Context, pick func(*Letter) bool) error {
	start := d.now()
	err := d.walk(ctx, func(letters []Letter) ([]string, error) {
		var good []Letter
		for _, l := range letters {
			if !l.Sent.After(start) && pick(&l) {
				good = append(good, l)
			}
		}
		if err := d.back(ctx, good); err != nil {
			return nil, err
		}
		return d.delete(ctx, good)
	})
	if err != nil {
		return fmt.Errorf("redrive %s: %w", name(d.url), err)
	}
	return nil
}

// takeBack sends letters to their lanes. A new id distinguishes them,
// for the tracker, from deliveries of the old task that may remain.
func (q *Queue) takeBack(ctx context.Context, letters []Letter) error {
	now := q.opts.Now()
	var messages []message
	var sent []frontier.Mark
	for _, l := range letters {
		t, err := frontier.DecodeTask([]byte(l.Body))
		if err != nil {
			return err
		}
		if t.ID != "" {
			t.ID = uuid.NewString()
		}
		t.Bounces, t.Hops = 0, 0
		for i := range t.Links {
			t.Links[i].Attempts = 0
		}
		lane := slices.IndexFunc(q.lanes, func(url string) bool { return name(url) == l.Source })
		if lane < 0 {
			lane = q.lane(t)
		}
		m, err := q.message(t, lane, now)
		if err != nil {
			return err
		}
		messages = append(messages, m)
		for _, mark := range marks(t) {
			mark.Due = now
			sent = append(sent, mark)
		}
	}
	if err := q.sent(ctx, sent); err != nil {
		return err
	}
	return q.post(ctx, messages)
}

// DeadLink is a link that failed for good.
type DeadLink struct {
	Crawl                 string
	Link                  frontier.Link
	Reason, Class, Source string
	At                    time.Time
}

// DeadLinks returns all dead links by crawl and URL, each once with its last
// reason, and the letters that are not tasks.
func (q *Queue) DeadLinks(ctx context.Context) (links []DeadLink, strays []Letter, err error) {
	type key struct{ crawl, url string }
	last := map[key]DeadLink{}
	err = q.dead.Each(ctx, func(l Letter) error {
		t, err := frontier.DecodeTask([]byte(l.Body))
		if err != nil {
			strays = append(strays, l)
			return nil //nolint:nilerr // kept as what it is
		}
		for _, link := range t.Links {
			k := key{t.Crawl, link.URL}
			if before, ok := last[k]; ok && before.At.After(l.Sent) {
				continue
			}
			last[k] = DeadLink{t.Crawl, link, l.Reason, l.Class, l.Source, l.Sent}
		}
		return nil
	})
	for _, l := range last {
		links = append(links, l)
	}
	slices.SortFunc(links, func(a, b DeadLink) int {
		return cmp.Or(cmp.Compare(a.Crawl, b.Crawl), cmp.Compare(a.Link.URL, b.Link.URL))
	})
	return links, strays, err
}

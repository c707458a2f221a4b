package step

import (
	"context"
	"sync"

	"sluice/shared/state/frontier"
)

// offers are the links that tasks of this process are bringing into the
// frontier right now. The pages of a site have many links in common; two tasks
// that store the same one pay for it twice. So the second waits, and mostly
// finds it known.
type offers struct {
	mu  sync.Mutex
	now map[linkKey]chan struct{} // closed at the end
}

// waiting is a link that another task offers.
type waiting struct {
	link frontier.Link
	end  <-chan struct{}
}

func newOffers() *offers { return &offers{now: map[linkKey]chan struct{}{}} }

// begin takes the links that no other task is offering, and returns the others.
// The caller must end each link that it takes.
func (o *offers) begin(links []frontier.Link) (mine []frontier.Link, others []waiting) {
	o.mu.Lock()
	defer o.mu.Unlock()
	own := map[linkKey]bool{}
	for _, l := range links {
		k := keyOf(l.URL)
		end, busy := o.now[k]
		switch {
		case own[k]: // twice on one page: the store takes the best
			mine = append(mine, l)
		case busy:
			others = append(others, waiting{l, end})
		default:
			o.now[k], own[k] = make(chan struct{}), true
			mine = append(mine, l)
		}
	}
	return mine, others
}

// end says that links are offered, or were not.
func (o *offers) end(links []frontier.Link) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range links {
		if k := keyOf(l.URL); o.now[k] != nil {
			close(o.now[k])
			delete(o.now, k)
		}
	}
}

// wait waits for the end of others' offers and returns their links. A waiting
// task offers nothing, so tasks never wait for each other in a circle.
func (o *offers) wait(ctx context.Context, others []waiting) ([]frontier.Link, error) {
	links := make([]frontier.Link, len(others))
	for i, w := range others {
		select {
		case <-w.end:
			links[i] = w.link
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return links, nil
}

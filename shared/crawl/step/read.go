package step

import (
	"context"
	"fmt"

	"sluice/shared/crawl/reading"
	"sluice/shared/text/boilerplate"
)

// read reads a page and, if it is kept, removes the lines known to recur on its
// host. If no text would remain, the page is left unchanged: early on little is
// known, and what is known in the end decides.
func (r *run) read(ctx context.Context, a *reading.Arrival) (*reading.Result, error) {
	var d *reading.Draft
	var rd *reading.Result
	r.inTurn(func() {
		d = r.plan.Draft(a)
		rd = d.Judge(d.Text())
	})
	if rd.Document == nil || r.ports.Boilerplate == nil {
		return rd, nil
	}
	learned, err := r.ports.Boilerplate.Update(ctx, r.task.Crawl, r.task.Host, []boilerplate.Page{d.Page()})
	if err != nil {
		return nil, fmt.Errorf("learn from %s: %w", a.Link.URL, err)
	}
	r.inTurn(func() {
		if own := d.Without(learned, rd); own.Document != nil {
			rd = own
		}
	})
	return rd, nil
}

package step

import (
	"context"
	"fmt"

	"sluice/shared/rank/urlshape"
	"sluice/shared/web/urlnorm"
)

// vote is the structure vote for the links of one page: one sample of the
// history serves them all (METHOD A10).
type vote struct {
	run    *run
	visit  *visit
	drawn  bool
	sample []urlshape.Shape
}

func (r *run) newVote(v *visit) *vote { return &vote{run: r, visit: v} }

// same draws the sample when it is first called.
func (vt *vote) same(ctx context.Context, u urlnorm.URL) (bool, error) {
	r := vt.run
	if !vt.drawn {
		vt.drawn = true
		l := vt.visit.link
		urls, err := r.ports.History.Sample(ctx, r.task.Crawl, l.Round, r.plan.SampleSize, r.plan.rng(l.URL))
		if err != nil {
			return false, fmt.Errorf("sample history: %w", err)
		}
		for _, s := range urls {
			if shape, err := urlshape.Of(s); err == nil {
				vt.sample = append(vt.sample, shape)
			}
		}
		vt.visit.trace.HistorySize = len(vt.sample)
	}
	if len(vt.sample) == 0 {
		return false, nil
	}
	shape, err := urlshape.Of(u.String())
	if err != nil {
		return false, nil //nolint:nilerr // a URL without a shape is like no other
	}
	return urlshape.Vote(r.plan.Structure, shape, vt.sample), nil
}

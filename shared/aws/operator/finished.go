package operator

import (
	"context"
	"iter"

	"sluice/shared/state/ledger"
)

// Finished is what the stack knows of a crawl that Export has copied.
type Finished struct {
	store *ledger.Generations
	each  func(ctx context.Context, crawl string) iter.Seq2[[]ledger.End, error]
	topic string
	seeds []string
}

// Finished reads it.
func (o *Operator) Finished(ctx context.Context, id string) (*Finished, error) {
	j, err := o.parts.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	compiled, err := o.parts.Topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, err
	}
	l := o.parts.Store.Ledger()
	f := &Finished{&ledger.Generations{Reader: l, Crawls: append([]string{id}, j.RefreshOf...)}, l.EachEnd, compiled.File.Name, j.Seeds}
	if len(f.seeds) == 0 {
		f.seeds = compiled.File.Seeds
	}
	return f, nil
}

// Topic is the name of its topic.
func (f *Finished) Topic() string { return f.topic }

// Seeds are where it began.
func (f *Finished) Seeds() []string { return f.seeds }

// Ends returns the ends of its pages, and of those that it refreshes, some at a time, with
// their places in the copy. The end of a page that several of these crawls have met is the
// newest; it comes repeatedly.
func (f *Finished) Ends(ctx context.Context) iter.Seq2[[]ledger.End, error] {
	return func(yield func([]ledger.End, error) bool) {
		for _, crawl := range f.store.Crawls {
			for ends, err := range f.each(ctx, crawl) {
				if err == nil {
					ends, err = f.newest(ctx, ends)
				}
				if !yield(ends, err) || err != nil {
					return
				}
			}
		}
	}
}

// newest looks the ends up in all generations.
func (f *Finished) newest(ctx context.Context, ends []ledger.End) ([]ledger.End, error) {
	if len(f.store.Crawls) > 1 {
		urls := make([]string, len(ends))
		for i := range ends {
			urls[i] = ends[i].URL
		}
		entries, err := f.store.Entries(ctx, urls)
		if err != nil {
			return nil, err
		}
		for i, e := range entries {
			if e != nil {
				ends[i].Entry = e
			}
		}
	}
	for i := range ends {
		if e := *ends[i].Entry; e.Segment != "" {
			e.Segment = localWARC(e.Segment)
			ends[i].Entry = &e
		}
	}
	return ends, nil
}

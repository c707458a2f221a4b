package sift

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Memory is bounded by what is read ahead of the page that is written next: so
// many bytes for each worker, and so many tasks.
const (
	aheadBytes = 8 << 20
	aheadTasks = 64
)

// sieve reads tasks in parallel and writes them in order.
type sieve struct {
	workers int
	work    func(*task)       // concurrently
	write   func(*task) error // one after the other, in order
}

// run takes all tasks through the sieve, up to the first error.
func (sv *sieve) run(ctx context.Context, tasks iter.Seq2[*task, error]) error {
	g, ctx := errgroup.WithContext(ctx)
	work, order := make(chan *task), make(chan *task, aheadTasks*sv.workers)
	most := aheadBytes * int64(sv.workers)
	room := semaphore.NewWeighted(most)
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return feed(ctx, tasks, func(t *task) error {
			t.weight, t.done = min(t.weight, most), make(chan struct{})
			if err := room.Acquire(ctx, t.weight); err != nil {
				return err
			}
			return send(ctx, t, order, work)
		})
	})
	for range sv.workers {
		g.Go(func() error {
			for t := range work {
				sv.work(t)
				close(t.done)
			}
			return nil
		})
	}
	g.Go(func() error {
		for t := range order {
			select {
			case <-t.done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if err := sv.write(t); err != nil {
				return err
			}
			room.Release(t.weight)
		}
		return nil
	})
	return g.Wait()
}

// feed hands out tasks until there are no more.
func feed(ctx context.Context, tasks iter.Seq2[*task, error], give func(*task) error) error {
	for t, err := range tasks {
		if err == nil {
			err = give(t)
		}
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// send puts a task in order and then to work.
func send(ctx context.Context, t *task, to ...chan<- *task) error {
	for _, c := range to {
		select {
		case c <- t:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

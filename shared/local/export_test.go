package local

import (
	"context"

	"sluice/shared/state/forget"
	"sluice/shared/state/limits"
)

// OnEffect calls f before each effect of Forget; an error of it ends the call
// like a crash.
func OnEffect(f func(name string) error) forget.Options { return forget.Options{Effect: f} }

// Finish is the pass over the corpus at the end of a crawl.
func (c *Crawl) Finish(ctx, stop context.Context) (left bool, err error) {
	done, err := c.finish(ctx, stop)
	return !done, err
}

// Conclude obeys wishes during such a pass.
func (c *Crawl) Conclude(ctx, stop context.Context, finish func(ctx, stop context.Context) (left bool, err error)) (bool, error) {
	done, err := c.obey(ctx, stop, func(ctx, stop context.Context) (bool, error) {
		left, err := finish(ctx, stop)
		return !left, err
	})
	return !done, err
}

// Scope is the one that the crawl was given; nil is the topic's.
func (c *Crawl) Scope() *limits.Scope { return c.spec.Scope }

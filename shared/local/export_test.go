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
func (c *Crawl) Finish(ctx, stop context.Context) (left bool, err error) { return c.finish(ctx, stop) }

// Conclude watches for a wish to stop during such a pass.
func (c *Crawl) Conclude(ctx, stop context.Context, finish func(ctx, stop context.Context) (left bool, err error)) (bool, error) {
	return c.conclude(ctx, stop, finish)
}

// Scope is the one that the crawl was given; nil is the topic's.
func (c *Crawl) Scope() *limits.Scope { return c.spec.Scope }

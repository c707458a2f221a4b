package local

import (
	"context"
	"errors"
	"path/filepath"

	"sluice/shared/local/sqlitestore"
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

// BegunBefore makes the folder of a crawl one of a program that recorded no strategy,
// nor what the archive holds.
func BegunBefore(ctx context.Context, dir string) error {
	st, err := sqlitestore.Open(filepath.Join(dir, StateFile), sqlitestore.Options{})
	if err != nil {
		return err
	}
	var set settings
	err = readJSON(ctx, st, settingsKey, &set)
	if err == nil {
		set.Strategy, set.Archive = "", ""
		err = keepJSON(ctx, st, settingsKey, &set)
	}
	return errors.Join(err, st.Close())
}

// Scope is the one that the crawl was given; nil is the topic's.
func (c *Crawl) Scope() *limits.Scope { return c.spec.Scope }

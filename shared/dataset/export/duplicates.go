package export

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/text/neardup"
)

// nearDuplicates are those that neardup finds.
type nearDuplicates struct{ finder *neardup.Finder }

// NearDuplicates is Tools.Duplicates by package neardup: exact copies, near ones
// and texts that another contains.
func NearDuplicates(folder string) (Duplicates, error) {
	return &nearDuplicates{neardup.New(neardup.Options{TempDir: folder})}, nil
}

// Add implements Duplicates.
func (n *nearDuplicates) Add(d *corpus.Document) error {
	return n.finder.Add(&neardup.Doc{
		ID: d.ID, Text: d.Text, Site: d.Site, Source: d.Source,
		Published: published(d.DatePublished), Fetched: d.DateFetched.Time,
	})
}

// published reads a date as in records; the zero time if it is not one.
func published(s string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Find implements Duplicates.
func (n *nearDuplicates) Find(ctx context.Context, text func(int64) (string, error), repeated func(n, stays int64) error) error {
	res, err := n.finder.Find(ctx, func(ordinal int) (string, error) { return text(int64(ordinal)) })
	if err != nil {
		return err
	}
	for i := range res.Stats.Docs {
		if r, ok := res.Repeat(i); ok {
			if err := repeated(int64(i), int64(r.Of)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close implements Duplicates.
func (n *nearDuplicates) Close() error { return n.finder.Close() }

// markDuplicates notes in the index who repeats whom.
func (c *chooser) markDuplicates(ctx context.Context) error {
	if c.dups == nil {
		return nil
	}
	c.e.tools.Progress("look for duplicates", 0, c.index.rows)
	lines := &lineReader{e: c.e}
	defer lines.close()
	err := c.dups.Find(ctx, func(n int64) (string, error) {
		r, err := c.index.at(n)
		if err != nil {
			return "", err
		}
		text, err := lines.read(&r)
		if err != nil {
			return "", err
		}
		var d struct {
			Text string `json:"text"`
		}
		err = json.Unmarshal(text, &d)
		return d.Text, err
	}, func(n, stays int64) error {
		if c.e.plan.Options.Dedupe {
			c.out.Left.Duplicates++
		}
		return c.index.mark(n, stays)
	})
	if err != nil {
		return fmt.Errorf("look for duplicates: %w", err)
	}
	return nil
}

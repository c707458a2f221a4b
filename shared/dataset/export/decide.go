package export

import (
	"fmt"
	"strings"

	"sluice/shared/state/corpus"
)

// decide takes a record that counts, or says why it is left out.
func (c *chooser) decide(d *corpus.Document, r *row) error {
	opts := &c.e.plan.Options
	switch {
	case relevance(d) < opts.MinRelevance:
		c.out.Left.Relevance++
		return nil
	case opts.Format == Text && strings.TrimSpace(d.Text) == "":
		c.out.Left.NoText++
		return nil
	case c.dups == nil && opts.Dedupe && d.DuplicateOf != "":
		c.out.Left.Duplicates++
		return nil
	}
	if folder, stands := c.before(r.ID); stands {
		if folder == c.folder {
			c.out.Left.Again++
		} else {
			c.out.Left.Elsewhere++
		}
		return nil
	}
	if c.dups != nil {
		if err := c.dups.Add(d); err != nil {
			return fmt.Errorf("look for duplicates: %w", err)
		}
	}
	if err := c.index.add(r); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// before returns the earlier folder that has the document: two crawls have
// fetched the page, or two sifted archives have it. An ID is in a dataset once.
func (c *chooser) before(id [16]byte) (folder int, stands bool) {
	if c.stands == nil {
		return 0, false
	}
	if folder, stands = c.stands[id]; !stands {
		c.stands[id] = c.folder
	}
	return folder, stands
}

// relevance is what Options.MinRelevance is about.
func relevance(d *corpus.Document) float64 {
	if d.Relevance.Body > 0 {
		return float64(d.Relevance.Body)
	}
	return float64(d.Relevance.Description)
}

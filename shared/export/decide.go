package export

import (
	"fmt"
	"strings"

	"sluice/shared/corpus"
)

// decide takes a record that counts, or says why it is left out.
func (c *chooser) decide(b *candidate) error {
	opts := &c.e.plan.Options
	switch {
	case relevance(b.d) < opts.MinRelevance:
		c.out.Left.Relevance++
		return nil
	case opts.Format == Text && strings.TrimSpace(b.d.Text) == "":
		c.out.Left.NoText++
		return nil
	case c.dups == nil && opts.Dedupe && b.d.DuplicateOf != "":
		c.out.Left.Duplicates++
		return nil
	case c.elsewhere(b):
		c.out.Left.Elsewhere++
		return nil
	}
	if c.dups != nil {
		if err := c.dups.Add(b.d); err != nil {
			return fmt.Errorf("look for duplicates: %w", err)
		}
	}
	if err := c.index.add(&b.row); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// elsewhere reports whether a folder that was named before has the document: two
// crawls have fetched the page. An ID stands once in a dataset of crawls.
func (c *chooser) elsewhere(b *candidate) bool {
	if len(c.out.Folders) == 1 {
		return false
	}
	folder, ok := c.stands[b.id]
	if !ok {
		c.stands[b.id], folder = c.folder, c.folder
	}
	return folder != c.folder
}

// relevance is what Options.MinRelevance is about.
func relevance(d *corpus.Document) float64 {
	if d.Relevance.Body > 0 {
		return float64(d.Relevance.Body)
	}
	return float64(d.Relevance.Description)
}

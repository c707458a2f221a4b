package wholecrawl

import (
	"fmt"
	"slices"

	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/topic"
)

// Variant is a crawl that differs from the one that a topic describes.
type Variant struct {
	Name   string
	Change func(*topic.Compiled) // of a copy with a copied File; nil for the unchanged crawl
}

// Of returns the topic of the variant, without changing t.
func (v Variant) Of(t *topic.Compiled) *topic.Compiled {
	changed, file := *t, *t.File
	changed.File = &file
	if v.Change != nil {
		v.Change(&changed)
	}
	return &changed
}

// AsIs is the crawl that the topic describes.
func AsIs() Variant { return Variant{Name: "sluice"} }

// Strategy is the crawl with another strategy.
func Strategy(name string) Variant {
	return Variant{Name: name, Change: func(c *topic.Compiled) { c.File.SetStrategy(name) }}
}

// smallest is a threshold that any relevance above 0 reaches.
const smallest = 1e-12

// BreadthFirst follows every link and keeps every page with a text (METHOD B7's
// yardstick): it has no threshold, and all links have the same weight, so that
// they are followed in the order in which they were found if the crawl goes in
// rounds. A page without a single word in its head leads nowhere.
func BreadthFirst() Variant {
	return Variant{Name: "breadth-first", Change: func(c *topic.Compiled) {
		c.File.SetStrategy(rank.NameSemantic)
		c.File.Thresholds = topic.Thresholds{Description: 0, Priority: -1}
		c.File.Weights = rank.Weights{}
	}}
}

// Keyword follows a link if its anchor contains a topic word, and keeps a page
// if title, description or keywords have one: the naive method. Its words are
// those that the author wrote, without related or similar ones. Links of
// relevant pages are matched by the words of the anchor, those of other pages
// by substring, as in METHOD A1; these matches include those except for
// matches across word borders.
func Keyword() Variant {
	return Variant{Name: "keywords", Change: func(c *topic.Compiled) {
		f := c.File
		f.Words = slices.DeleteFunc(slices.Clone(f.Words), func(w topic.Word) bool { return w.Related })
		f.SetStrategy(rank.NameSemantic)
		f.Thresholds = topic.Thresholds{Description: smallest, Priority: smallest}
		f.Weights = rank.Weights{Beta: 1}
		*c = *f.Compiled()
	}}
}

// Priority sets the priority threshold (METHOD A14, Fig. 2). λ must be below
// it, or the vote alone would pass any link (A11).
func Priority(threshold float64) Variant {
	return Variant{Name: fmt.Sprintf("priority > %.4g", threshold), Change: func(c *topic.Compiled) {
		c.File.Thresholds.Priority = threshold
		if c.File.Weights.Lambda >= threshold {
			c.File.Weights.Lambda = threshold * belowThreshold
		}
	}}
}

// belowThreshold is the greatest λ, as a share of the priority threshold.
const belowThreshold = 0.99

// Ablations leave out the parts of equation 5, one after the other, and change
// the form of the structure vote (METHOD A14).
func Ablations() []Variant {
	without := func(name string, part func(*rank.Weights) *float64) Variant {
		return Variant{Name: name, Change: func(c *topic.Compiled) { *part(&c.File.Weights) = 0 }}
	}
	structure := func(form urlshape.Form) Variant {
		return Variant{Name: "structure " + string(form), Change: func(c *topic.Compiled) {
			c.File.Structure.Params = urlshape.DefaultParams(form)
		}}
	}
	return []Variant{
		AsIs(),
		without("without description (α = 0)", func(w *rank.Weights) *float64 { return &w.Alpha }),
		without("without anchor (β = 0)", func(w *rank.Weights) *float64 { return &w.Beta }),
		without("without structure (λ = 0)", func(w *rank.Weights) *float64 { return &w.Lambda }),
		structure(urlshape.FormPaper),
		structure(urlshape.FormPath),
	}
}

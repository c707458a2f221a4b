package topic

import (
	"cmp"

	"sluice/shared/rank"
)

// bodyThreshold is that of a topic which judges pages by their text and has no
// threshold of its own: a text of 300 distinct words has six topic words.
const bodyThreshold = 0.02

// SetStrategy sets the strategy, and the threshold for main text that goes with
// it unless the author or the compiler has set one.
func (f *File) SetStrategy(name string) {
	f.Strategy = name
	body := &f.Thresholds.Body
	switch weak := rank.DropsWeak(name); {
	case f.Given.Body:
	case *body == 0 && !weak:
		*body = bodyThreshold
	case *body == bodyThreshold && weak:
		*body = 0
	}
}

// As returns the topic as it is in a crawl that was begun with a strategy: with that,
// unless the topic names its own. "" was recorded by programs whose default was
// rank.NameSemantic.
func (c *Compiled) As(strategy string) *Compiled {
	begun := cmp.Or(strategy, rank.NameSemantic)
	if !c.File.Implied || c.File.Strategy == begun {
		return c
	}
	as, file := *c, *c.File
	file.SetStrategy(begun)
	as.File = &file
	return &as
}

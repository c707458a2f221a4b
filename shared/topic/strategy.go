package topic

import "sluice/shared/rank"

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

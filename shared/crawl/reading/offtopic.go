package reading

import (
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/corpus"
	"sluice/shared/text/body"
)

// sampleOneIn is how many pages off topic there are for each that is recorded
// with its text. A topic is refined against them, which takes some hundred.
const sampleOneIn = 4

// Held reports whether a reject is of a page that may have been held, or kept once:
// the end of the crawl may judge it again, if its response is archived.
func Held(r *corpus.Reject) bool {
	switch r.Rule {
	case RuleDescription, RuleBody, RuleSecondLook:
		return r.OffTopic != nil && r.Text != ""
	}
	return false
}

// offTopic is the text of an off-topic page that represents so many: 1 if it is held
// with words of the topic, else 0, which becomes 4 for a sample of the pages, the same in
// every crawl. It is nil for the others unless HoldAll, and if the page or its site opts
// out. b is its main text if that was already read.
func (r *Reader) offTopic(a *Arrival, b *body.Body, represents int) *corpus.OffTopic {
	switch {
	case represents > 0:
	case xxh3.HashString(a.Link.URL)%sampleOneIn == 0:
		represents = sampleOneIn
	case !r.HoldAll || b == nil || b.Text == "":
		return nil
	}
	if rule, _ := a.optedOut(); rule != "" {
		return nil
	}
	about := &corpus.OffTopic{SampledOneIn: represents}
	about.Description, _ = r.mask(description(a.Page))
	if b == nil {
		var err error
		if b, err = a.body(); err != nil {
			return about // no text: only the description
		}
	}
	about.Text, _ = r.mask(b.Text)
	return about
}

// SecondLook is what judging a document again came to.
type SecondLook struct {
	Value     float64 `json:"value"`     // its relevance by learned words
	Threshold float64 `json:"threshold"` // at least, to stay
}

// Detail says so.
func (l SecondLook) Detail() string {
	return fmt.Sprintf("learned words: relevance %.4g, threshold %.4g", l.Value, l.Threshold)
}

// Refuse returns the reject of a document that is refused.
func (l SecondLook) Refuse(d *corpus.Document, at time.Time) *corpus.Reject {
	return &corpus.Reject{
		URL: d.URL, FinalURL: d.FinalURL, Rule: RuleSecondLook, Status: 200, Title: d.Title, Detail: l.Detail(),
		Date: corpus.Date{Time: at.UTC()}, Depth: d.Path.Depth, Parent: d.Path.Parent, Anchor: d.Path.Anchor, Topic: d.Topic,
		OffTopic: &corpus.OffTopic{Text: d.Text, SampledOneIn: 1}, WARC: d.WARC,
	}
}

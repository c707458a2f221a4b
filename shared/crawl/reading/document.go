package reading

import (
	"cmp"
	"time"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/topic"
	"sluice/shared/web/urlnorm"
)

// document is the corpus record of a relevant page.
func (r *Reader) document(a *Arrival, b *body.Body, rel topic.Relevance) *corpus.Document {
	l := &a.Link
	d := &corpus.Document{
		URL: l.First(), FinalURL: l.URL, Version: a.Version, Title: b.Title, Text: b.Text, Author: b.Author, Source: b.Source,
		DatePublished: isoDate(b.Published), DateFetched: corpus.Date{Time: a.At},
		Site: urlnorm.RegistrableDomain(a.URL.Host()), Language: r.Language,
		Relevance: corpus.Relevance{Description: corpus.Real(rel.Value)},
		Topic:     r.Topic, TopicVersion: r.TopicVersion,
		Robots: a.robotsNote(), TDM: a.Signals().TDM.String(), Verdicts: []string{string(ledger.Kept)},
		Charset: a.Page.Charset, Method: b.Method,
		Path: corpus.Path{
			Seed: l.Seed, Parent: l.Parent, Anchor: l.Anchor, Listed: l.Listed, Depth: l.Depth,
			Priority: corpus.Priority{
				Description: corpus.Real(l.Parts.Description), Anchor: corpus.Real(l.Parts.Anchor),
				Structure: corpus.Real(l.Parts.Structure), Value: corpus.Real(l.Priority),
			},
		},
	}
	d.Title = cmp.Or(d.Title, a.Page.Title, l.Anchor)
	if b.Published.IsZero() {
		d.DatePublished = isoDate(body.Listed(l.Listed))
	}
	return d
}

// topWords are the words that contributed most to a relevance, best first.
func topWords(rel topic.Relevance) []string {
	var words []string
	for _, c := range rel.Top {
		words = append(words, c.Word)
	}
	return words
}

// isoDate writes a date; a page that names no time of day has midnight. The
// milliseconds are there for readers that infer types: without them they take
// the column for timestamps, and then refuse the empty string.
func isoDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000-07:00")
}

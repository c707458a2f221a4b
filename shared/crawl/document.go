package crawl

import (
	"strings"
	"time"

	"sluice/shared/corpus"
	"sluice/shared/page"
	"sluice/shared/page/body"
	"sluice/shared/topic"
	"sluice/shared/urlnorm"
)

// document is the corpus record of a relevant page.
func (p *Plan) document(a *Arrival, b *body.Body, rel topic.Relevance) *corpus.Document {
	l := &a.Link
	d := &corpus.Document{
		URL: l.First(), FinalURL: l.URL, Title: b.Title, Text: b.Text, Author: b.Author, Source: b.Source,
		DatePublished: isoDate(b.Published), DateFetched: a.At,
		Site: urlnorm.RegistrableDomain(a.URL.Host()), Language: p.Language,
		Relevance: corpus.Relevance{Description: corpus.Real(rel.Value)},
		Topic:     p.Topic, TopicVersion: p.TopicVersion,
		Robots: robotsNote(a.Page), Charset: a.Page.Charset, Method: b.Method,
		Path: corpus.Path{
			Seed: l.Seed, Parent: l.Parent, Anchor: l.Anchor, Depth: l.Depth,
			Priority: corpus.Priority{
				Description: corpus.Real(l.Parts.Description), Anchor: corpus.Real(l.Parts.Anchor),
				Structure: corpus.Real(l.Parts.Structure), Value: corpus.Real(l.Priority),
			},
		},
	}
	if d.Title == "" {
		d.Title = a.Page.Title
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

// robotsNote says what allowed the fetch: robots.txt always, and the page's
// own directives where it has any.
func robotsNote(p *page.Page) string {
	return strings.Join(append([]string{"allowed"}, p.MetaRobots...), ",")
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

package pagescore

import (
	"math"

	"sluice/shared/eval/metric"
)

// Topic scores documents.
type Topic struct {
	Words     map[string]float64              // the topic words and their weights, for the cosine
	Segment   func(text string) []string      // distinct words of a text
	Relevance func(words []string) float64    // of the words
	Threshold func(text Text) (float64, bool) // the topic's own for such texts, if any
}

// Text is a part of a document that is scored separately.
type Text string

// The texts, from cheap to dear: a body takes fetching the page.
const (
	Title            Text = "title"
	Description      Text = "description"
	TitleDescription Text = "title + description"
	Body             Text = "body"
	TitleBody        Text = "title + body"
)

// texts returns all of them, in the order of the table.
func texts() []Text { return []Text{Title, Description, TitleDescription, Body, TitleBody} }

// of returns the text of a document.
func (t Text) of(d *Document) string {
	switch t {
	case Title:
		return d.Title
	case Description:
		return d.Description
	case TitleDescription:
		return d.Title + "\n" + d.Description
	case Body:
		return d.Body
	}
	return d.Headline + "\n" + d.Body
}

// Methods of scoring.
const (
	rel    = "Rel"
	cosine = "TF-IDF cosine"
	vector = "topic vector" // the cosine of METHOD B2, with the vector of B1
)

// Row is how well one method separates the pages of the topic by one text.
type Row struct {
	Text        Text          `json:"text"`
	Method      string        `json:"method"`
	AUC         metric.Number `json:"auc"`
	BestF1      metric.Number `json:"best_f1"`
	At          metric.Number `json:"best_threshold"`      // where F1 is best, chosen with the labels
	Classifier  metric.Number `json:"classifier_f1"`       // of a classifier that learns from the labels, for comparison; null for fewer than 5 documents of a kind
	Precision80 metric.Number `json:"precision_at_r80"`    // the best at recall 0.8 or more
	Own         metric.Number `json:"own_threshold"`       // the topic's, chosen without labels; null if it has none
	OwnF1       metric.Number `json:"f1_at_own_threshold"` // there
}

// Table scores the documents, text by text, by all methods, and compares them
// with a classifier.
func Table(documents []Document, topic Topic) []Row {
	var rows []Row
	positive := make([]bool, len(documents))
	for i := range documents {
		positive[i] = documents[i].Positive
	}
	for _, text := range texts() {
		texts := make([]string, len(documents))
		relevance := make([]metric.Scored, len(documents))
		for i := range documents {
			texts[i] = text.of(&documents[i])
			relevance[i] = metric.Scored{Score: topic.Relevance(topic.Segment(texts[i])), Positive: positive[i]}
		}
		row := measure(text, rel, relevance)
		if own, ok := topic.Threshold(text); ok {
			row.Own, row.OwnF1 = metric.Number(own), metric.Number(metric.Above(relevance, own).F1())
		}
		s := newSpace(texts, topic.Segment)
		row.Classifier = metric.Number(classifierF1(s, positive))
		rows = append(rows, row)
		for _, method := range []struct {
			name   string
			scores []float64
		}{
			{cosine, s.cosines(topic.Words)},
			{vector, s.nearTo(s.topicVector(topic.Words))},
		} {
			items := make([]metric.Scored, len(documents))
			for i := range items {
				items[i] = metric.Scored{Score: method.scores[i], Positive: positive[i]}
			}
			other := measure(text, method.name, items)
			other.Classifier = row.Classifier
			rows = append(rows, other)
		}
	}
	return rows
}

func measure(text Text, method string, items []metric.Scored) Row {
	at, best := metric.Best(items)
	none := metric.Number(math.NaN())
	return Row{
		Text: text, Method: method,
		AUC: metric.Number(metric.AUC(items)), BestF1: metric.Number(best.F1()), At: metric.Number(at),
		Precision80: metric.Number(metric.PrecisionAt(items, 0.8)),
		Own:         none, OwnF1: none,
	}
}

package step

import (
	"encoding/json"

	"sluice/shared/state/frontier"
	"sluice/shared/topic"
	"sluice/shared/web/optout"
)

// Trace is every part of why a URL ended as it did. It is kept with the
// ledger's entry and printed by explain.
type Trace struct {
	Link          frontier.Link    `json:"link"` // how it was found, with the parts of its priority
	Status        int              `json:"status,omitempty"`
	Charset       string           `json:"charset,omitempty"`
	Title         string           `json:"title,omitempty"`
	Layer         string           `json:"layer,omitempty"`     // that it looks like, in a structured crawl
	Relevance     *topic.Relevance `json:"relevance,omitempty"` // of the description, METHOD A8
	Threshold     float64          `json:"description_threshold,omitempty"`
	Body          *topic.Relevance `json:"body_relevance,omitempty"` // of the main text, if it was read
	BodyThreshold float64          `json:"body_threshold,omitempty"`
	Rendering     *Rendering       `json:"rendering,omitempty"`     // nil: the plan has no page rendered
	Site          optout.Site      `json:"site,omitzero"`           // statements of its files about the use of the page
	Version       int              `json:"version,omitempty"`       // of the document
	ETag          string           `json:"etag,omitempty"`          // for the conditional requests of a refresh
	LastModified  string           `json:"last_modified,omitempty"` // likewise
	TextDigest    string           `json:"text_digest,omitempty"`   // of the title and main text of a document, in hex
	Target        string           `json:"target,omitempty"`        // of a redirect
	Detail        string           `json:"detail,omitempty"`
	HistorySize   int              `json:"history_size,omitempty"` // URLs drawn for the structure vote
}

// encode returns the trace as JSON; it holds only strings and finite numbers,
// which always encode.
func (t *Trace) encode() json.RawMessage {
	b, err := json.Marshal(t)
	if err != nil {
		return nil
	}
	return b
}

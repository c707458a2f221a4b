// Package topic reads topic files and scores texts by a compiled topic. A topic
// file is written by a user: words, seeds, limits. A lexicon is what a crawl
// runs on: the relevance of every word, compiled from the file (METHOD A1, A6,
// A8).
package topic

import (
	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/schema"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// maxBytes bounds a topic file: 5,000 words and as many seeds of common length
// fit.
const maxBytes = 512 << 10

var format = schema.Format{
	Name: "a topic file", Holds: "words, not texts", Needs: "name and words",
	MaxBytes: maxBytes, MaxFields: 2*maxWords + 1000, MaxTokens: 100_000,
}

// File is a checked topic file; docs/topic-file.md lists its fields, their
// units, ranges and defaults.
type File struct {
	Name       string             // letters, digits and hyphens
	Language   string             // BCP 47: zh, en, zh-TW
	Words      []Word             // in the order of the file, distinct
	Adjust     map[string]float64 // weights set by hand, by folded word; they override those in Words
	Seeds      []string           // absolute http and https URLs, as written
	Scope      Scope
	Thresholds Thresholds
	Weights    rank.Weights
	MeanWeight float64 // of words without a weight
	Structure  Structure
	Strategy   string `json:",omitempty"` // one of rank.Names; "" in old artifacts: rank.NameSemantic
	Implied    bool   `json:"-"`          // the file names no strategy: it is the default
	Tunnel     int    `json:",omitempty"` // weak links in a row that the crawl follows; 0: rank.DefaultTunnel
	Render     string `json:",omitempty"` // RenderAuto or RenderAlways; "": pages are never rendered
	Archive    string `json:",omitempty"` // what the archive holds: corpus.ArchiveKept and its kin; "": the file does not say
	Budgets    Budgets
	Quality    map[string]any `json:",omitempty"` // rules of quality as the author set them, for quality.ParseRules
	KeepPII    bool           `json:",omitempty"` // personal data stays in the text
	Template   string         `json:",omitempty"` // a structured crawl by a site template: its name if it comes with sluice, else its text
	Given      Given
}

// Values of render: which pages a browser shows before they are read (METHOD C2).
const (
	RenderNever  = "never"
	RenderAuto   = "auto" // those of layers that scripts build
	RenderAlways = "always"
)

// Word is a topic word.
type Word struct {
	Text   string  // as segment.UserWord returns it
	Weight float64 // MeanWeight if the file has none
	Given  bool    // the author wrote the weight

	// Related says that the word was found in texts of the topic: it counts in
	// Rel, but an anchor that contains it does not pass for that (METHOD A1).
	Related bool
}

// Thresholds are on the scale of the topic's own Rel (METHOD A8).
type Thresholds struct {
	Description float64 // a page is relevant if Rel of its description reaches it
	Priority    float64 // a link is followed if its priority exceeds it
	Body        float64 // a page enters the corpus if Rel of its main text reaches it; 0: off
	Anchor      float64 // a link on an off-topic page is followed if Rel of its anchor reaches it; 0: off
}

// Given records which thresholds and weights the author set. Calibration sets
// the others.
type Given struct {
	Description, Priority, Body, Anchor bool // of Thresholds
	Alpha, Beta, Lambda                 bool // of Weights
	MeanWeight                          bool
}

// Structure is the structure vote: the constants of the comparison (METHOD A9)
// and how many URLs of the history vote (A10).
type Structure struct {
	urlshape.Params
	Sample int
}

// defaults returns the file of an author who writes only a name and words. The
// thresholds and weights suit words of weight 1 and similarity 0 or 1, where
// Rel is the share of topic words among the words of a text.
func defaults() *File {
	return &File{
		Language:   "zh",
		Scope:      Scope{Scope: limits.Scope{Mode: urlnorm.ModeDomain}},
		Thresholds: Thresholds{Description: 0.06, Priority: 0.08},
		Weights:    rank.Weights{Alpha: 0.3, Beta: 0.8, Lambda: 0.06},
		MeanWeight: 1,
		Structure:  Structure{Params: urlshape.DefaultParams(urlshape.FormPath), Sample: 25},
		Budgets:    Budgets{Limits: limits.Default()},
	}
}

// Parse checks a topic file; errors call it name. The error is of type Problems
// and has every problem, each with its line and column and what to do. Bad
// input is refused quickly: files above 512 KiB, deep nesting, anchors and
// aliases are refused before they are parsed.
func Parse(name string, data []byte) (*File, error) {
	r := &reader{schema.Reader{File: name}}
	root, ok := r.YAML(data, format)
	if !ok {
		return nil, r.Problems()
	}
	file := defaults()
	r.topicFile(file).From(root)
	r.check(file)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return file, nil
}

// Problems are all that is wrong with a topic file.
type Problems = schema.Problems

// reader reads one topic file.
type reader struct{ schema.Reader }

// text reads a text; check returns what to do where it is wrong.
func (r *reader) text(target *string, what string, check func(string) string) schema.Read {
	return r.Text(target, what, func(text string) error { return accept(what, text, check) })
}

// texts reads a list of texts; check returns what to do where one is wrong.
func (r *reader) texts(target *[]string, what string, most int, check func(string) string) schema.Read {
	return r.Texts(target, what, most, func(name, text string) error { return accept(name, text, check) })
}

// clip shortens what a message quotes.
func clip(text string) string { return schema.Clip(text) }

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"sluice/shared/fault"
	"sluice/shared/text/pii"
	"sluice/shared/text/quality"
)

// Version is the value of "v" in the records this package writes. It changes
// when a field changes its meaning, not when one is added.
const Version = 1

// Document is one page of the corpus: a line of corpus/*.jsonl. Empty fields
// are unknown.
type Document struct {
	V             int       `json:"v"`              // set by AppendJSON
	ID            string    `json:"id"`             // set by AppendJSON: stable for a final URL and version
	URL           string    `json:"url"`            // as requested
	FinalURL      string    `json:"final_url"`      // after redirects
	Version       int       `json:"version"`        // of the document: 1, and one more for each change that a refresh found
	Previous      string    `json:"previous"`       // set by AppendJSON: ID of the version before, "" for the first
	Title         string    `json:"title"`          //
	Text          string    `json:"text"`           // main text, paragraphs end with "\n"
	Author        string    `json:"author"`         //
	Source        string    `json:"source"`         // the origin that the page names
	DatePublished string    `json:"date_published"` // ISO 8601 with milliseconds, midnight if the page has no time; Path.Listed if it has no date
	DateFetched   Date      `json:"date_fetched"`   // when it was requested
	Site          string    `json:"site"`           // registrable domain, or host
	Language      string    `json:"language"`       // BCP 47: of the main text, else of the topic
	LanguageScore Real      `json:"language_score"` // share of the main text in that language, 0 to 1; 0: too little text
	Script        string    `json:"script"`         // of Chinese: simp, trad; "" if mixed or other
	CharCount     int       `json:"char_count"`     // set by AppendJSON: Unicode characters of Text
	Relevance     Relevance `json:"relevance"`      //
	Layer         string    `json:"layer"`          // of a page with records: list or detail (METHOD C1); "" in topical crawls
	Topic         string    `json:"topic"`          //
	TopicVersion  string    `json:"topic_version"`  //
	Robots        string    `json:"robots"`         // what allowed the fetch, and directives
	TDM           string    `json:"tdm"`            // statements of page and site about text and data mining

	Boilerplate Boilerplate     `json:"boilerplate"`  // that was removed from the main text
	Quality     quality.Signals `json:"quality"`      // of the main text, before anything was masked
	Verdicts    []string        `json:"verdicts"`     // "kept", and rules of quality that it breaks and that the topic has switched off
	PII         pii.Counts      `json:"pii"`          // personal data that was found, and masked unless the topic keeps it
	SimHash     string          `json:"simhash"`      // 16 hex digits: near for texts that are nearly the same
	DuplicateOf string          `json:"duplicate_of"` // ID of the document that it repeats; "" if none is known

	Path    Path     `json:"path"`    //
	WARC    Location `json:"warc"`    // set by Store.Put
	Charset string   `json:"charset"` // that the bytes were decoded from
	Method  string   `json:"method"`  // that found the main text
}

// Boilerplate is how much of a main text was the site's own, and removed.
type Boilerplate struct {
	Lines      int    `json:"lines"`
	Characters int    `json:"characters"` // of these lines
	Learned    string `json:"learned"`    // version of the host's boilerplate then: 16 hex digits, "" for none
}

// Relevance is how a page was judged (METHOD A8).
type Relevance struct {
	Description Real     `json:"description"` // Rel of title, description and keywords
	Body        Real     `json:"body"`        // Rel of the main text, the source of the other fields, too
	TopWords    []string `json:"top_words"`   // that contributed most, best first
	OOVRatio    Real     `json:"oov_ratio"`   // 0 to 1: words the lexicon does not know
	Words       int      `json:"words"`       // distinct words that were judged: M of eq. 3
}

// Path says how the crawl found a page.
type Path struct {
	Seed     string   `json:"seed"`
	Parent   string   `json:"parent"` // empty for a seed
	Anchor   string   `json:"anchor"` // text of the link on the parent
	Listed   string   `json:"listed"` // date beside a link to it in a list or feed, 2024-05-01; "" without one
	Depth    int      `json:"depth"`  // links between seed and page
	Priority Priority `json:"priority"`
}

// Priority holds the parts and the value of eq. 5 (METHOD A11).
type Priority struct {
	Description Real `json:"description"`
	Anchor      Real `json:"anchor"`
	Structure   Real `json:"structure"`
	Value       Real `json:"value"`
}

// Real is a number that its JSON shows to be real: 0 is 0.0. A reader that
// infers a column of integers from the first lines refuses a later 0.5.
type Real float64

// MarshalJSON implements json.Marshaler; NaN and infinities are errors.
func (r Real) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(float64(r))
	if err == nil && !bytes.ContainsAny(b, ".e") {
		b = append(b, ".0"...)
	}
	return b, err
}

// Key identifies the document in a store: its final URL and version.
func (d *Document) Key() string { return documentKey(d.FinalURL, d.Version) }

// DocumentID returns the ID of a version of the document at a URL. A version
// below 2 is the first.
func DocumentID(finalURL string, version int) string { return stableID(documentKey(finalURL, version)) }

// documentKey sets the version behind a space, which no URL holds.
func documentKey(finalURL string, version int) string {
	if version < 2 {
		return escapeURI(finalURL)
	}
	return escapeURI(finalURL) + " " + strconv.Itoa(version)
}

// AppendJSON appends the record to dst as one line of JSON, with the line feed
// at its end, and returns the extended slice. Strings are valid UTF-8 without
// control characters (Text keeps its line feeds); nothing is escaped for HTML.
// d itself is not changed.
//
// Readers such as Hugging Face datasets infer the schema from the first lines
// and then refuse a field they have not seen. So every field is in every line.
//
// A number that JSON cannot hold (NaN, an infinity) is a Poison fault; dst is
// returned unchanged.
func (d *Document) AppendJSON(dst []byte) ([]byte, error) {
	rec := *d
	rec.V = Version
	rec.ID = stableID(d.Key())
	rec.Version = max(d.Version, 1)
	rec.Previous = ""
	if rec.Version > 1 {
		rec.Previous = DocumentID(d.FinalURL, d.Version-1)
	}
	rec.Text = CleanText(d.Text)
	rec.CharCount = utf8.RuneCountInString(rec.Text)
	for _, s := range []*string{&rec.URL, &rec.FinalURL, &rec.Path.Seed, &rec.Path.Parent} {
		*s = escapeURI(*s)
	}
	for _, s := range []*string{
		&rec.Title, &rec.Author, &rec.Source, &rec.DatePublished, &rec.Site, &rec.Language,
		&rec.Layer, &rec.Topic, &rec.TopicVersion, &rec.Robots, &rec.TDM, &rec.Boilerplate.Learned, &rec.SimHash, &rec.DuplicateOf,
		&rec.Path.Anchor, &rec.Charset, &rec.Method,
	} {
		*s = cleanLine(*s)
	}
	rec.Relevance.TopWords = cleanLines(d.Relevance.TopWords)
	rec.Verdicts = cleanLines(d.Verdicts)
	return appendLine(dst, &rec)
}

// cleanLines is cleanLine for each element; no elements are an empty list.
func cleanLines(list []string) []string {
	cleaned := make([]string, len(list))
	for i, s := range list {
		cleaned[i] = cleanLine(s)
	}
	return cleaned
}

func appendLine(dst []byte, rec any) ([]byte, error) {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rec); err != nil {
		return dst, fault.New(fault.Poison, "corpus_record", fmt.Errorf("encode record: %w", err))
	}
	return buf.Bytes(), nil
}

// blankWARC is how a document without location is encoded. No string of the
// record can hold these bytes: inside one, JSON escapes the quotes.
var blankWARC = []byte(`"warc":{"file":"","offset":0,"length":0}`)

// AppendLocated appends a line from AppendJSON of a document without location,
// with loc added. Stores encode before they know the place, outside their
// locks.
func AppendLocated(dst, line []byte, loc Location) []byte {
	before, after, _ := bytes.Cut(line, blankWARC)
	dst = append(dst, before...)
	dst = append(dst, `"warc":`...)
	place, _ := json.Marshal(loc) // a string and two integers
	dst = append(dst, place...)
	return append(dst, after...)
}

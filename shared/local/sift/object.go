package sift

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// object is a line of JSON lines.
type object struct {
	place string // file#line
	line  []byte
}

// read reads the text or the page that the object holds.
func (o *object) read(r *reading.Reader) (*corpus.Document, *corpus.Reject) {
	refuse := func(rule, detail string) (*corpus.Document, *corpus.Reject) {
		return nil, &corpus.Reject{URL: o.place, Rule: rule, Detail: detail, Topic: r.Topic}
	}
	if !utf8.Valid(o.line) {
		return refuse(RuleNotUTF8, "the line is not all UTF-8")
	}
	f, err := parseFields(o.line)
	if err != nil {
		return refuse(RuleNotJSON, err.Error())
	}
	t := f.text()
	html := ""
	if t.Text == "" {
		html = f.find("html")
	}
	if t.Text == "" && html == "" {
		t.Text = f.find("raw_content")
	}
	// Under any name there are pages, too.
	if page.Sniff([]byte(t.Text[:min(len(t.Text), kindSize)]), "", "") == page.HTML {
		t.Text, html = "", t.Text
	}
	if t.URL.IsZero() {
		t.Link.URL, t.Link.Origin = digestOf(t.Text+html), o.place
	}
	switch {
	case t.Text != "":
		return judge(r, t, func() (*reading.Result, error) { return r.ReadPlain(t), nil })
	case html != "":
		return judge(r, t, func() (*reading.Result, error) { return readHTML(r, t, html) })
	}
	return refuse(reading.RuleNoText, "none of the fields text, content, body, html and raw_content has any")
}

// readHTML reads a page that came without its response.
func readHTML(r *reading.Reader, t *reading.PlainText, html string) (*reading.Result, error) {
	text := []byte(html)
	parsed, err := page.Parse(text, "utf-8", t.URL)
	if err != nil {
		return nil, err
	}
	t.Title = parsed.Title
	return r.Read(&reading.Arrival{Link: t.Link, URL: t.URL, At: t.At, Text: text, Page: parsed}), nil
}

// digestOf replaces the URL of a text without one: the same text is one
// document in every place.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:16])
}

// fields are those of an object. Its own fields take precedence over those one
// level below.
type fields struct{ top, below map[string]json.RawMessage }

func parseFields(line []byte) (fields, error) {
	f := fields{below: map[string]json.RawMessage{}}
	if err := json.Unmarshal(line, &f.top); err != nil {
		return f, whatIsWrong(err)
	}
	if f.top == nil {
		return f, errors.New("a line must be an object, not null")
	}
	for _, name := range []string{"metadata", "meta", "warc_headers"} {
		if raw := f.top[name]; len(raw) > 0 && raw[0] == '{' {
			_ = json.Unmarshal(raw, &f.below) // it is part of what could be parsed
		}
	}
	return f, nil
}

// whatIsWrong puts what is wrong with a line into words.
func whatIsWrong(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errors.New("a line must be an object, not of type " + wrong.Value)
	}
	return err
}

// find returns the first of these fields that is a text, or a list of texts as
// paragraphs, and not empty.
func (f fields) find(names ...string) string {
	for _, level := range []map[string]json.RawMessage{f.top, f.below} {
		for _, name := range names {
			if s := stringOf(level[name]); s != "" {
				return s
			}
		}
	}
	return ""
}

func stringOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	if raw[0] == '[' {
		var list []string
		if json.Unmarshal(raw, &list) != nil {
			return ""
		}
		return strings.TrimSpace(strings.Join(list, "\n"))
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

// text reads the fields about the object's text; the names are those of our own
// records, datatrove, Dolma, OSCAR, CC-Net and mC4. It ignores values that
// should be URLs but are not.
func (f fields) text() *reading.PlainText {
	t := &reading.PlainText{
		Title: f.find("title"), Text: f.find("text", "content", "body"), Author: f.find("author"), Source: f.find("source"),
	}
	asked := f.find("url", "warc-target-uri")
	for _, raw := range []string{f.find("final_url"), asked} {
		if u, err := urlnorm.Parse(raw); err == nil && t.URL.IsZero() {
			t.URL, t.Link.URL = u, u.String()
		}
	}
	if _, err := urlnorm.Parse(asked); err == nil && asked != t.Link.URL {
		t.Link.Origin = asked
	}
	// The object's own date is that of the text, one in its metadata that of a
	// fetch; so is one beside the name of a Common Crawl crawl, as in FineWeb.
	own, fetched := stringOf(f.top["date"]), stringOf(f.below["date"])
	if fetched == "" && strings.HasPrefix(f.find("dump"), "CC-MAIN-") {
		own, fetched = "", own
	}
	t.Published = firstDate(f.find("date_published"), f.find("published"), f.find("created"), own)
	t.At = firstDate(f.find("date_fetched"), f.find("date_download"), f.find("timestamp"), f.find("warc-date"), fetched)
	return t
}

// firstDate returns the first text that is a date, the zero time if none is.
// Those without a zone are +08:00, as everywhere in a corpus.
func firstDate(texts ...string) time.Time {
	china := time.FixedZone("", 8*60*60)
	for _, text := range texts {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
			if t, err := time.ParseInLocation(layout, text, china); err == nil {
				return t
			}
		}
	}
	return time.Time{}
}

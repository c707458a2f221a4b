package reading

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/text/language"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// MethodPlain is the method of documents whose text came without a page.
const MethodPlain = "plain"

// PlainText is a text that an archive has instead of its page. Unknown fields
// are empty.
type PlainText struct {
	Link           frontier.Link
	URL            urlnorm.URL // of the link, parsed; zero for a text without an address
	At             time.Time   // when its page was requested
	Title, Text    string      // UTF-8
	Author, Source string
	Published      time.Time
}

// leadRunes is how much of a text replaces the description of its page.
const leadRunes = 200

// ReadPlain is Read for a text without its page. Without a description to score
// (METHOD A1) it uses the title, or title and lead if these are more relevant.
// They decide only if the topic has no threshold for main texts: a lead is not
// necessarily a summary.
func (r *Reader) ReadPlain(t *PlainText) *Result {
	text := strings.TrimSpace(t.Text)
	lead := firstRunes(text, leadRunes)
	d := &Draft{
		reader:  r,
		arrival: &Arrival{Link: t.Link, URL: t.URL, At: t.At, Page: &page.Page{Title: t.Title, Description: lead, Charset: "utf-8"}},
		body: &body.Body{
			Title: t.Title, Text: text, Author: t.Author, Source: t.Source, Published: t.Published, Method: MethodPlain,
		},
	}
	rd := &d.result
	rd.Description = r.Lexicon.Rel(r.Segmenter.Words(t.Title))
	if rel := r.Lexicon.Rel(r.Segmenter.Words(t.Title + "\n" + lead)); rel.Value > rd.Description.Value {
		rd.Description = rel
	}
	written := language.Detect(t.Title + "\n" + firstRunes(text, page.MaxSample))
	switch {
	case text == "":
		rd.refuse(ledger.Rejected, RuleNoText, "the text is empty")
		d.body = nil
	case !written.Fits(r.Language):
		rd.refuse(ledger.Passed, RuleLanguage, fmt.Sprintf("text in %s, wanted %s", written.Language, r.Language))
		d.body = nil
	case r.BodyThreshold == 0 && rd.Description.Value < r.DescriptionThreshold:
		rd.refuse(ledger.Passed, RuleDescription, "title and lead: "+below(rd.Description, r.DescriptionThreshold))
		rd.About = r.offTopic(d.arrival, d.body, 0)
		d.body = nil
	default:
		rd.Relevant = true
	}
	return d.Judge(text)
}

// firstRunes returns the first n characters of a text.
func firstRunes(text string, n int) string {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at]
}

package reading

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/text/body"
	"sluice/shared/text/boilerplate"
	"sluice/shared/text/language"
	"sluice/shared/text/neardup"
	"sluice/shared/text/pii"
	"sluice/shared/text/quality"
	"sluice/shared/text/segment"
)

// Draft is a page, read as far as possible without the boilerplate of its host.
type Draft struct {
	reader  *Reader
	arrival *Arrival
	body    *body.Body // nil for a page that is not kept
	result  Result
}

// Draft scores the description of a page, and extracts the main text of one that
// is relevant or, with JudgeText, may be.
func (r *Reader) Draft(a *Arrival) *Draft {
	d := &Draft{reader: r, arrival: a}
	defer func() { a.Page.Tree = nil }() // it is no longer needed
	if r.Structured {
		d.structured()
		return d
	}
	rd := &d.result
	rd.Description = r.Lexicon.Rel(r.Segmenter.Words(description(a.Page)))
	written := language.Detect(description(a.Page) + "\n" + a.Page.Sample)
	switch {
	case !a.Kept && !written.Fits(r.Language):
		rd.refuse(ledger.Passed, RuleLanguage, fmt.Sprintf("page in %s, wanted %s", written.Language, r.Language))
	case a.Kept || r.isRelevant(rd.Description):
		rd.Relevant = true
		d.extract()
	default:
		var found *body.Body
		if r.JudgeText && r.BodyThreshold > 0 {
			found = d.extract()
		}
		if d.body == nil {
			rd.refuse(ledger.Passed, RuleDescription, below(rd.Description, r.DescriptionThreshold))
			rd.About = r.offTopic(a, found, 0)
		}
	}
	return d
}

// extract finds the main text, unless there is none or the page or its site opts
// out. It returns what it found, an empty body where that is nothing, and nil if it
// did not look.
func (d *Draft) extract() *body.Body {
	rd, a := &d.result, d.arrival
	if rule, detail := a.optedOut(); rule != "" {
		rd.refuse(ledger.Rejected, rule, detail)
		return nil
	}
	b, err := a.body()
	switch {
	case errors.Is(err, body.ErrList):
		rd.List = true
		rd.refuse(ledger.Rejected, RuleList, err.Error())
	case errors.Is(err, body.ErrFurniture):
		rd.refuse(ledger.Rejected, boilerplate.Rule, err.Error())
	case err != nil:
		rd.refuse(ledger.Rejected, RuleNoText, err.Error())
	case b.MediaOnly:
		rd.refuse(ledger.Rejected, RuleMediaOnly, "")
	default:
		d.body = b
		rd.Digest = digestOf(d.title(), b.Text)
	}
	if err != nil {
		return new(body.Body)
	}
	return b
}

// body extracts the main text.
func (a *Arrival) body() (*body.Body, error) {
	return body.Extract(a.Text, a.Link.URL, a.Page, body.Options{Fetched: a.At})
}

// Text is the main text, "" of a page that is not kept.
func (d *Draft) Text() string {
	if d.body == nil {
		return ""
	}
	return d.body.Text
}

// Result is the result before the main text is judged.
func (d *Draft) Result() *Result { rd := d.result; return &rd }

// Digest is Result.Digest, which Judge does not change.
func (d *Draft) Digest() string { return d.result.Digest }

// Judge decides by its main text whether the page is kept. text is that without
// the lines of the site. Judge may be called again with another text.
func (d *Draft) Judge(text string) *Result {
	rd := d.result
	if d.body == nil {
		return &rd
	}
	b := *d.body
	b.Text = text
	rd.Document = d.reader.document(d.arrival, &b, rd.Description)
	if d.reader.Structured {
		rd.Document.Layer = rd.Layer
		return &rd
	}
	d.reader.judgeText(d.arrival, &b, &rd)
	return &rd
}

// judgeText judges the main text of a document and fills in the result: first its
// relevance, then its quality.
func (r *Reader) judgeText(a *Arrival, b *body.Body, rd *Result) {
	d := rd.Document
	written, guess := language.DetectTitled(d.Title, d.Text)
	fits := written.Fits(r.Language)
	if !a.Kept && !fits {
		rd.refuse(ledger.Passed, RuleLanguage, fmt.Sprintf("main text in %s, wanted %s", written.Language, r.Language))
		return
	}
	if written.Language != "" {
		d.Language, d.LanguageScore, d.Script = written.Language, corpus.Real(written.Score), written.Script
	}
	found, folded := d.Text, segment.Fold(d.Text)
	words := r.Segmenter.FoldedWords(folded)
	rel := r.Lexicon.Rel(words) // a title can promise anything
	rd.Body = &rel
	if !a.Kept && rel.Value < r.BodyThreshold {
		rule, detail := RuleBody, "main text: "+below(rel, r.BodyThreshold)
		if !rd.Relevant {
			rule, detail = RuleDescription, below(rd.Description, r.DescriptionThreshold)+"; "+detail
		}
		rd.refuse(ledger.Passed, rule, detail)
		represents := 0
		if r.Hold && rel.Value > 0 {
			represents = 1
		}
		rd.Held = r.HoldAll || represents == 1
		rd.About = r.offTopic(a, b, represents)
		return
	}
	rd.Relevant = true
	if a.Accepted {
		d.Verdicts = append(d.Verdicts, RuleSecondLook)
	}
	d.Relevance.Body, d.Relevance.TopWords = corpus.Real(rel.Value), topWords(rel)
	d.Relevance.OOVRatio, d.Relevance.Words = corpus.Real(rel.OOV), rel.Words
	r.maskDocument(d)
	if d.Text != found {
		guess = language.Detect(d.Text)
	}
	d.Quality = quality.Measure(d.Text, guess)
	if fits && !r.judgeQuality(rd) {
		return
	}
	if clean := corpus.CleanText(d.Text); clean != found {
		folded = segment.Fold(clean)
	}
	normal := neardup.NormaliseFolded(folded)
	d.SimHash = fmt.Sprintf("%016x", neardup.SimHash(normal))
	if r.Cover {
		rd.Coverage = job.CoverageOf(neardup.Mark(normal), words)
	}
}

// judgeQuality refuses a text that is unfit for training, and reports whether
// it is kept. The rules are made for texts in the language of the plan.
func (r *Reader) judgeQuality(rd *Result) bool {
	d := rd.Document
	for _, broken := range r.Quality.Failures(d.Quality) {
		if !broken.Off {
			rd.refuse(ledger.Rejected, broken.Rule, broken.Detail)
			return false
		}
		d.Verdicts = append(d.Verdicts, broken.Rule)
	}
	return true
}

// mask counts the personal data in a text, and takes it out unless the topic
// keeps it.
func (r *Reader) mask(text string) (string, pii.Counts) {
	masked, found := pii.Mask(text)
	if r.KeepPII {
		return text, found
	}
	return masked, found
}

// maskDocument masks personal data in a document, unless the topic keeps it,
// and counts that of its title and text.
func (r *Reader) maskDocument(d *corpus.Document) {
	for _, s := range []*string{&d.Title, &d.Text} {
		masked, found := r.mask(*s)
		*s = masked
		d.PII.Add(found)
	}
	for _, s := range []*string{&d.Author, &d.Source, &d.Path.Anchor} {
		*s, _ = r.mask(*s)
	}
}

// MaskReject masks personal data in the quotations of a reject, unless the
// topic keeps it.
func (r *Reader) MaskReject(reject *corpus.Reject) {
	reject.Title, _ = r.mask(reject.Title)
	reject.Anchor, _ = r.mask(reject.Anchor)
}

// digestOf identifies a main text.
func digestOf(title, text string) string {
	sum := sha256.Sum256([]byte(title + "\x00" + text))
	return hex.EncodeToString(sum[:16])
}

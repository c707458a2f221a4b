package compile

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// Prose cuts the texts that words are learned from. It leaves out what says
// where a text is from (datelines, bylines, URLs, names of hosts) and remembers
// how English words were written. It is safe for concurrent use.
type Prose struct {
	language  string
	segmenter *segment.Segmenter
	written   *segment.Segmenter // does not stem; nil: nothing is stemmed

	mu     sync.Mutex
	forms  map[string]map[string]int // how often a form was written in which way, by texts
	proper map[string]int            // texts in which a form is only written as names are, by form
}

// properShare is in how many of the texts with a name it is written as names are. The
// others hold it in an address.
const properShare = 0.9

// NewProse returns a Prose for topics in a language with user words (see
// segment.NewFor).
func NewProse(language string, userWords []string) (*Prose, error) {
	p := &Prose{language: language, forms: make(map[string]map[string]int), proper: make(map[string]int)}
	var err error
	if p.segmenter, err = segment.NewFor(language, userWords); err != nil || primary(language) != "en" {
		return p, err
	}
	p.written, err = segment.New(nil)
	return p, err
}

// Words returns the distinct content words of a text, in the form in which
// topics compare them.
func (p *Prose) Words(text string) []string {
	text = withoutCredits(text)
	p.remember(text)
	return p.segmenter.Words(text)
}

// All returns the distinct content words of a text, of what says where it is from, too.
func (p *Prose) All(text string) []string { return p.segmenter.Words(text) }

// Tokens returns all words of a text (see segment.Segmenter.Tokens).
func (p *Prose) Tokens(text string) iter.Seq[segment.Token] {
	text = withoutCredits(text)
	p.remember(text)
	return p.segmenter.Tokens(text)
}

// remember counts how the words of a text are written.
func (p *Prose) remember(text string) {
	if p.written == nil {
		return
	}
	words, common := p.written.Words(text), commonParts(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, word := range words {
		form, err := segment.Form(p.language, word)
		if err != nil {
			continue
		}
		if p.forms[form] == nil {
			p.forms[strings.Clone(form)] = make(map[string]int, 1)
		}
		p.forms[form][strings.Clone(word)]++
		if !slices.ContainsFunc(parts(word), func(part string) bool { return common[part] }) {
			p.proper[strings.Clone(form)]++
		}
	}
}

// commonParts returns the parts of words that a text writes small somewhere, or in
// capitals as acronyms of three letters and more, in small letters.
func commonParts(text string) map[string]bool {
	common := map[string]bool{}
	for _, part := range parts(text) {
		first, size := utf8.DecodeRuneInString(part)
		if !unicode.IsUpper(first) || len(part) > 2 && strings.ToUpper(part[size:]) == part[size:] {
			common[strings.ToLower(part)] = true
		}
	}
	return common
}

// parts returns the runs of letters of a text.
func parts(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}

// Proper reports whether texts write the word of a form as a name, with one capital,
// as persons, places, months and days are in English.
func (p *Prose) Proper(form string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	texts := 0
	for _, n := range p.forms[form] {
		texts += n
	}
	return texts > 0 && float64(p.proper[form]) >= properShare*float64(texts)
}

// Written returns how most texts write the word of a form; of several ways the
// first in the order of the alphabet.
func (p *Prose) Written(form string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	best, most := form, 0
	for word, n := range p.forms[form] {
		if n > most || n == most && word < best {
			best, most = word, n
		}
	}
	return best
}

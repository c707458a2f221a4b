package compile

import (
	"iter"
	"strings"
	"sync"

	"sluice/shared/text/segment"
)

// Prose cuts the texts that words are learned from. It leaves out what says
// where a text is from (datelines, bylines, URLs, names of hosts) and remembers
// how the words were written. It is safe for concurrent use.
type Prose struct {
	language  string
	segmenter *segment.Segmenter
	written   *segment.Segmenter // does not stem; nil: nothing is stemmed

	mu    sync.Mutex
	forms map[string]map[string]int // how often a form was written in which way, by texts
}

// NewProse returns a Prose for topics in a language with user words (see
// segment.NewFor).
func NewProse(language string, userWords []string) (*Prose, error) {
	p := &Prose{language: language, forms: make(map[string]map[string]int)}
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
	words := p.written.Words(text)
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
	}
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

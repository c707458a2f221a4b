package topic

import (
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/schema"
	"sluice/shared/text/segment"
)

// glued is a word that its weight sticks to, for want of a space.
var glued = regexp.MustCompile(`: ?[0-9.]+$`)

// adjusted is the key of r.places for a word of adjust.
type adjusted string

// wordLists reads the topic words and the related ones: "- 央行", or "- 央行: 1.5"
// with a weight. No word may be in both.
func (r *reader) wordLists(f *File) (words, related schema.Read) {
	seen := make(map[string]bool)
	list := func(name string, isRelated bool) schema.Read {
		return r.List(name, maxWords, wordShape(), func(_ int, v schema.Value) {
			text, weight, ok := r.weighted(v)
			if !ok {
				return
			}
			if word, ok := r.word(text, v.Place(), seen); ok {
				f.Words = append(f.Words, Word{Text: word, Weight: weight, Related: isRelated})
			}
		})
	}
	words, related = list("words", false), list("related", true)
	read := words.From
	words.From = func(v schema.Value) {
		r.Mark(&f.Words, v.Place())
		read(v)
	}
	return words, related
}

// wordShape is a word, which may be a number, or a word with its weight.
func wordShape() *jsonschema.Schema {
	one := 1
	weight := new(schema.Reader).Number(new(float64), "", positive).Shape
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Types: []string{"string", "number"}},
		{Type: "object", AdditionalProperties: weight, MinProperties: &one, MaxProperties: &one},
	}}
}

// weighted reads one element of words; the weight is 0 if it has none.
func (r *reader) weighted(v schema.Value) (text string, weight float64, ok bool) {
	pairs, ok := v.Object()
	switch {
	case !ok:
		if text, ok = v.Text(); !ok {
			r.Wrong(v, "a word", schema.Text)
		}
		return text, 0, ok
	case len(pairs) != 1:
		r.Fail(v.Place(), "a word with a weight is one line: \"- 央行: 1.5\"")
		return "", 0, false
	}
	r.Number(&weight, "the weight of a word", positive).From(pairs[0].Value)
	return pairs[0].Key, weight, true
}

// adjust reads the words whose weight is set by hand: "公司: 0.2".
func (r *reader) adjust(f *File) schema.Read {
	weight := r.Number(new(float64), "", measure).Shape
	return schema.Read{Shape: &jsonschema.Schema{Type: "object", AdditionalProperties: weight}, From: func(v schema.Value) {
		pairs, ok := v.Object()
		switch {
		case !ok:
			r.Wrong(v, "adjust", schema.Object)
			return
		case len(pairs) > maxWords:
			r.Fail(v.Place(), "adjust has %d words: keep at most %d", len(pairs), maxWords)
			return
		}
		f.Adjust = make(map[string]float64, len(pairs))
		seen := make(map[string]bool)
		for _, pair := range pairs {
			var weight float64
			r.Number(&weight, "the weight of a word", measure).From(pair.Value)
			if word, ok := r.word(pair.Key, pair.Place, seen); ok {
				f.Adjust[word] = weight
				r.Mark(adjusted(word), pair.Place)
			}
		}
	}}
}

// word returns the form in which a word is compared, unless it is invalid or a
// repetition.
func (r *reader) word(given string, at schema.Place, seen map[string]bool) (string, bool) {
	word, err := segment.UserWord(given)
	switch {
	case err != nil:
		r.Fail(at, "%v", err)
	case glued.MatchString(word):
		r.Fail(at, "%q: put a plain colon and a space between word and weight, as in \"央行: 1.5\"", clip(given))
	case strings.ContainsAny(given, "、，；"):
		r.Fail(at, "%q holds several words: write each on a line of its own", clip(given))
	case seen[word]:
		r.Fail(at, "the word %q is repeated: keep one", clip(word))
	default:
		seen[word] = true
		return word, true
	}
	return "", false
}

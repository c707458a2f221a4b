package topic

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"sluice/shared/text/segment"
)

// glued is a word that its weight sticks to, for want of a space.
var glued = regexp.MustCompile(`: ?[0-9.]+$`)

// adjusted is the key of r.places for a word of adjust.
type adjusted string

// wordLists reads the topic words and the related ones: "- 央行", or "- 央行: 1.5"
// with a weight. No word may be in both.
func (r *reader) wordLists(f *File) (words, related read) {
	seen := make(map[string]bool)
	list := func(name string, isRelated bool) read {
		return r.list(name, maxWords, func(node ast.Node) {
			text, weight, ok := r.weighted(node)
			if !ok {
				return
			}
			if word, ok := r.word(text, placeOf(node), seen); ok {
				f.Words = append(f.Words, Word{Text: word, Weight: weight, Related: isRelated})
			}
		})
	}
	words = func(node ast.Node) {
		r.places[&f.Words] = placeOf(node)
		list("words", false)(node)
	}
	return words, list("related", true)
}

// weighted reads one element of words; the weight is 0 if it has none.
func (r *reader) weighted(node ast.Node) (text string, weight float64, ok bool) {
	switch node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		text, ok = r.scalar(node, "a word")
		return text, 0, ok
	}
	pairs := r.pairs(node, "a word")
	if len(pairs) != 1 {
		r.fail(placeOf(node), "a word with a weight is one line: \"- 央行: 1.5\"")
		return "", 0, false
	}
	r.number(&weight, "the weight of a word", positive)(pairs[0].Value)
	return pairs[0].Key.GetToken().Value, weight, true
}

// adjust reads weights set by hand: "公司: 0.2".
func (r *reader) adjust(f *File) read {
	return func(node ast.Node) {
		pairs := r.pairs(node, "adjust")
		if len(pairs) > maxWords {
			r.fail(placeOf(node), "adjust has %d words: keep at most %d", len(pairs), maxWords)
			return
		}
		f.Adjust = make(map[string]float64, len(pairs))
		seen := make(map[string]bool)
		for _, pair := range pairs {
			var weight float64
			r.number(&weight, "the weight of a word", measure)(pair.Value)
			if word, ok := r.word(pair.Key.GetToken().Value, placeOf(pair), seen); ok {
				f.Adjust[word] = weight
				r.places[adjusted(word)] = placeOf(pair)
			}
		}
	}
}

// word returns the form in which a word is compared, unless it is invalid or a
// repetition.
func (r *reader) word(given string, at place, seen map[string]bool) (string, bool) {
	word, err := segment.UserWord(given)
	switch {
	case err != nil:
		r.fail(at, "%v", err)
	case glued.MatchString(word):
		r.fail(at, "%q: put a plain colon and a space between word and weight, as in \"央行: 1.5\"", clip(given))
	case strings.ContainsAny(given, "、，；"):
		r.fail(at, "%q holds several words: write each on a line of its own", clip(given))
	case seen[word]:
		r.fail(at, "the word %q is repeated: keep one", clip(word))
	default:
		seen[word] = true
		return word, true
	}
	return "", false
}

package segment

import (
	"strings"
	"unicode/utf8"
)

// kind is what matters of a dictionary word's part of speech.
type kind uint8

const (
	content  kind = 1 << iota // may carry a topic
	function                  // grammar: never part of a new word
	nameHalf                  // a name of two characters, often a part of a longer one
	stopped                   // a stop word
	userWord
	single // one character
	latin  // a whole Latin word, for scan to judge
)

// The parts of speech are those of ICTCLAS, by their first letter, as the
// dictionary has them.
const (
	// contentTags: nouns and names (n…), verbs (v…), adjectives (a…, b, z),
	// idioms (i, l) and abbreviations (j).
	contentTags = "nvabzilj"

	// functionTags: prepositions, conjunctions, auxiliaries, pronouns, numerals,
	// particles, interjections, onomatopoeia and suffixes. Adverbs, measure
	// words and times are missing since their characters abound in names.
	functionTags = "pcurmyeok"
)

// classify returns the kind of a dictionary word.
//
// A single character is content only where our list says so. One in six content
// words of news would be one by its part of speech, but most are fragments
// (近, 达) or say little (强, 副), and neither part of speech nor frequency tells
// 股 and 党 from them.
func classify(word, tag string, stop, singles map[string]bool) kind {
	var k kind
	if strings.IndexByte(functionTags, tag[0]) >= 0 {
		k |= function
	}
	if stop[word] {
		k |= stopped
	}
	switch n := utf8.RuneCountInString(word); {
	case n == 1:
		k |= single
		if singles[word] {
			k |= content
		}
	case strings.IndexByte(contentTags, tag[0]) >= 0:
		k |= content
		if n == 2 && (tag == "nr" || tag == "nrt") {
			k |= nameHalf
		}
	}
	return k
}

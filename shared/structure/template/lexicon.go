package template

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sluice/shared/text/segment"
)

// Score is the sum of the weights of the field's words in an attribute
// (METHOD C4). A word is there if a part of the value contains it, or begins it
// and has at least half of its letters: prodName has "product" and "name".
func (f *Field) Score(attribute string) float64 {
	parts := split(attribute)
	if len(parts) == 0 {
		return 0
	}
	score := 0.0
	for _, word := range f.Words {
		for _, part := range parts {
			if matches(part, word.Text) {
				score += word.Weight
				break
			}
		}
	}
	return score
}

// whole is the length up to which a word must be a whole part: "jg" in "jgsj"
// means nothing.
const whole = 3

// matches reports whether a part of an attribute has a word. A subtitle is no
// title.
func matches(part, word string) bool {
	switch {
	case part == word:
		return true
	case len(word) > whole && strings.Contains(part, word):
		return !strings.HasPrefix(part, "sub"+word)
	}
	return len(word) > whole && strings.HasPrefix(word, part) && 2*utf8.RuneCountInString(part) >= utf8.RuneCountInString(word)
}

// split returns the parts of an attribute, in lower case: runs of letters,
// apart where the case rises (prodName).
func split(attribute string) []string {
	var parts []string
	var part strings.Builder
	end := func() {
		if part.Len() > 0 {
			parts = append(parts, part.String())
			part.Reset()
		}
	}
	lower := false
	for _, r := range attribute {
		if !unicode.IsLetter(r) {
			end()
			lower = false
			continue
		}
		if lower && unicode.IsUpper(r) {
			end()
		}
		lower = unicode.IsLower(r)
		part.WriteRune(unicode.ToLower(r))
	}
	end()
	return parts
}

// Label returns how far a text is the label of the field, 0 to 1: 1 if it is one
// of its labels, else the share that a label has of it if that is half or more.
// Marks, white space and case don't matter.
func (f *Field) Label(text string) float64 {
	if len(text) > maxLabel {
		return 0
	}
	folded := Fold(text)
	if folded == "" || strings.HasPrefix(folded, "各") { // 各单位：is who a notice is for
		return 0
	}
	best := 0.0
	for _, label := range f.folded {
		switch {
		case folded == label:
			return 1
		case strings.Contains(folded, label):
			if share := float64(len(label)) / float64(len(folded)); share >= 0.5 {
				best = max(best, share)
			}
		}
	}
	return best
}

// Precedence is the place of a list among the forms of lists, 0 for the best;
// path are the elements around it, the list and its record: "div/ul/li". One of
// another form comes last.
func (t *Template) Precedence(path string) int {
	at := slices.IndexFunc(t.Lists, func(form string) bool { return path == form || strings.HasSuffix(path, "/"+form) })
	if at < 0 {
		return len(t.Lists)
	}
	return at
}

// Avoids returns how far a label or an attribute is that of another value: the share of it
// that is a word which the field avoids, 0 for none.
func (f *Field) Avoids(text string) float64 {
	if len(f.avoid) == 0 || len(text) > maxLabel {
		return 0
	}
	folded, most := Fold(text), 0.0
	for _, word := range f.avoid {
		if strings.Contains(folded, word) {
			most = max(most, float64(len(word))/float64(len(folded)))
		}
	}
	return most
}

// Usual returns the share of a text that is among the field's usual values, 0 to
// 1: one of them, several between marks, or a text of the field's form.
func (f *Field) Usual(text string) float64 {
	if f.Form != nil && len(text) <= maxLabel && f.Form.MatchString(text) {
		return 1
	}
	if len(f.usual) == 0 {
		return 0
	}
	if f.usual[Fold(text)] {
		return 1
	}
	found, all := 0, 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",/|;、，；·&()（）:", r) }) {
		all += len(part)
		if f.usual[Fold(part)] {
			found += len(part)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}

// maxLabel is the length of a label, in bytes; a longer text is none.
const maxLabel = 60

// Fold returns the letters and digits of a text in lower case, in simplified characters.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, segment.Simplify(text))
}

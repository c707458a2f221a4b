package duplicates

import (
	"slices"

	"sluice/shared/text/neardup"
)

// passage is how many characters in sequence make a natural copy: more than
// articles about two events have in common.
const passage = 100

// natural reports whether the articles that two documents were made from have a
// passage in common. The articles are the first of the documents.
func natural(docs []doc, a, b *doc) bool {
	return slices.ContainsFunc(a.groups, func(i int) bool {
		return slices.ContainsFunc(b.groups, func(j int) bool { return common(docs[i].Text, docs[j].Text) })
	})
}

// common reports whether two texts have a passage in common.
func common(a, b string) bool {
	x, y := []rune(neardup.Normalise(a)), []rune(neardup.Normalise(b))
	passages := make(map[string]bool, len(x))
	for i := 0; i+passage <= len(x); i++ {
		passages[string(x[i:i+passage])] = true
	}
	for i := 0; i+passage <= len(y); i++ {
		if passages[string(y[i:i+passage])] {
			return true
		}
	}
	return false
}

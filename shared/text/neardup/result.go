package neardup

import (
	"cmp"
	"slices"
)

// Kind says how a document repeats another.
type Kind string

// The kinds.
const (
	Exact     Kind = "exact"     // the normalised texts are the same
	Near      Kind = "near"      // the texts are copies of one another, with changes
	Contained Kind = "contained" // the other text has this one in it
)

// Repeat says which document a document repeats.
type Repeat struct {
	Of         int     // ordinal of the document that is kept; it repeats none
	Kind       Kind    //
	Similarity float64 // 0..1: share of characters that are the same, of the longer text, of the contained one's if it is; of several steps the least
}

// Result says what repeats what.
type Result struct {
	Stats Stats

	texts  *texts
	stands []stand
}

// Repeat returns which document this one repeats, and false if it is kept.
func (r *Result) Repeat(ordinal int) (Repeat, bool) {
	text := r.texts.of[ordinal]
	s := r.stands[text]
	of := r.texts.best[s.of]
	switch {
	case s.of != text:
		return Repeat{int(of), s.kind(), float64(s.similarity)}, true
	case int(of) != ordinal:
		return Repeat{int(of), Exact, 1}, true
	}
	return Repeat{}, false
}

// stand is the text that represents another, or itself.
type stand struct {
	of         uint32
	similarity float32
	contained  bool
}

func (s stand) kind() Kind {
	if s.contained {
		return Contained
	}
	return Near
}

// resolve decides which texts are kept.
//
// Copies are grouped in stars: a text with all its copies that are in no star
// yet, beginning with the text that has the most copies, which is close to the
// original of all. Any two are at most two steps apart: no chain of small
// changes leads from one text to a quite different one. The best of a star
// represents it.
//
// Then a star whose best text is contained in another's is attached to that
// one, and so on to the text that is contained in none.
func resolve(t *texts, edges []edge) []stand {
	stands := make([]stand, len(t.best))
	for i := range stands {
		stands[i] = stand{of: uint32(i), similarity: 1}
	}
	gatherStars(t, edges, stands)
	standBehind(t, edges, stands)
	for i := range stands {
		s := stands[i]
		for next := stands[s.of]; next.of != s.of; next = stands[s.of] {
			s = stand{next.of, min(s.similarity, next.similarity), s.contained || next.contained}
		}
		stands[i] = s
	}
	return stands
}

// neighbour is a copy of a text.
type neighbour struct {
	text, copy uint32
	similarity float32
}

func gatherStars(t *texts, edges []edge, stands []stand) {
	var all []neighbour
	for _, e := range edges {
		if e.relation == near {
			all = append(all, neighbour{e.a, e.b, e.similarity}, neighbour{e.b, e.a, e.similarity})
		}
	}
	slices.SortFunc(all, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.copy, b.copy))
	})
	var rows [][]neighbour
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && all[to].text == all[from].text {
			to++
		}
		rows = append(rows, all[from:to])
	}
	slices.SortFunc(rows, func(a, b []neighbour) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), compareTexts(t, a[0].text, b[0].text))
	})
	taken := make([]bool, len(stands))
	for _, row := range rows {
		centre := row[0].text
		if taken[centre] {
			continue
		}
		taken[centre] = true
		star := []neighbour{{centre, centre, 1}}
		for _, n := range row {
			if !taken[n.copy] {
				taken[n.copy] = true
				star = append(star, n)
			}
		}
		best := bestOf(t, star)
		for _, n := range star {
			stands[n.copy] = stand{of: best.copy, similarity: min(n.similarity, best.similarity)}
		}
		stands[best.copy].similarity = 1
	}
}

// bestOf returns the text of a star to keep: the best, by compareDocs, of those
// that are hardly shorter than the longest.
func bestOf(t *texts, star []neighbour) neighbour {
	longest := uint32(0)
	for _, n := range star {
		longest = max(longest, t.entry(n.copy).length)
	}
	star = slices.DeleteFunc(slices.Clone(star), func(n neighbour) bool {
		return !hardlyShorter(t.entry(n.copy).length, longest)
	})
	return slices.MinFunc(star, func(a, b neighbour) int { return compareTexts(t, a.copy, b.copy) })
}

func compareTexts(t *texts, a, b uint32) int { return compareDocs(t.entry(a), t.entry(b)) }

// standBehind attaches the texts that represent their stars to those that
// contain them, or contain one that is hardly shorter; to the longest of
// several.
func standBehind(t *texts, edges []edge, stands []stand) {
	type step struct{ inner, outer stand }
	var steps []step
	for _, e := range edges {
		inner, outer := e.a, e.b
		switch e.relation {
		case contains:
			inner, outer = outer, inner
		case within:
		default:
			continue
		}
		from, to := stands[inner], stands[outer]
		a, b := t.entry(from.of).length, t.entry(to.of).length
		if a < b && hardlyShorter(t.entry(inner).length, a) {
			to.similarity = min(e.similarity, from.similarity, to.similarity)
			steps = append(steps, step{from, to})
		}
	}
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(
			cmp.Compare(a.inner.of, b.inner.of),
			cmp.Compare(t.entry(b.outer.of).length, t.entry(a.outer.of).length),
			compareTexts(t, a.outer.of, b.outer.of),
			cmp.Compare(b.outer.similarity, a.outer.similarity),
		)
	})
	for _, s := range slices.CompactFunc(steps, func(a, b step) bool { return a.inner.of == b.inner.of }) {
		stands[s.inner.of] = stand{of: s.outer.of, similarity: s.outer.similarity, contained: true}
	}
}

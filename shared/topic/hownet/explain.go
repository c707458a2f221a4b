package hownet

import "fmt"

// Explanation says why two words are as similar as they are.
type Explanation struct {
	Similarity float64
	A, B       string // the definitions of the two concepts that decided
	First      float64
	Others     float64 // of the other independent sememes
	Relations  float64
	Symbols    float64
}

// Explain returns the first pair of the most similar concepts of two words and
// its similarity part by part. A word with itself is explained by its first
// concept. It returns false if either word is not covered.
func (l *Lexicon) Explain(a, b string) (e Explanation, ok bool) {
	x, y := l.words[a], l.words[b]
	if len(x) == 0 || len(y) == 0 {
		return Explanation{}, false
	}
	most := -1.0
	for _, i := range x {
		for _, j := range y {
			p := l.compare(l.ordered(i, j))
			if sim := p.total(); sim > most {
				most = sim
				e = Explanation{sim, l.concepts[i].text, l.concepts[j].text, p[0], p[1], p[2], p[3]}
			}
		}
	}
	return e, true
}

// String returns the explanation on one line.
func (e Explanation) String() string {
	return fmt.Sprintf("%.3f: %s ~ %s (first sememe %.3f, others %.3f, relations %.3f, symbols %.3f)",
		e.Similarity, e.A, e.B, e.First, e.Others, e.Relations, e.Symbols)
}

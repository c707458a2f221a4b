// Package field finds the fields of a template on pages, and the paths to them
// (METHOD C4). Evidence for a value is the names of its elements, the label beside
// it, what the page tells programs, and its form. Pages of one site and layer are
// analysed together: what leads to a value on all of them is its path.
package field

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"sluice/shared/structure/template"
)

// Found is a field that was found, and the path to it.
type Found struct {
	Name  string  `json:"-"`
	XPath string  `json:"xpath"`
	Data  string  `json:"data,omitempty"` // the path within JSON-LD, where XPath leads to that
	Value         // on the first page that has it
	Score float64 `json:"score"`
}

// dataPath begins the paths of values in JSON-LD.
const dataPath = "ld+json:"

// group are the values that one path leads to.
type group struct {
	path
	sum    float64
	values []*Value // by page
	pages  int
	firm   int // pages on which a name says what it is
	order  int
}

// Analyze finds the fields of a template on pages of one site and layer, or in
// the records of a list. Fields that nothing speaks for are left out; the others
// are in the order of the template.
func Analyze(t *template.Template, pages []Page) []Found {
	l := newLexicon(t)
	sheets := make([]*sheet, len(pages))
	for i, p := range pages {
		sheets[i] = read(p)
	}
	best := make([]*group, len(t.Fields))
	xpaths := make([]string, len(t.Fields))
	var now, before *group // the current price, and what it was before a sale
	for _, old := range []bool{false, true} {
		for i := range t.Fields {
			f := &t.Fields[i]
			if isOld(f) != old {
				continue
			}
			groups, lowest := collect(l, i, sheets, now)
			n := len(pages)
			if old {
				n = having(groups, n)
			}
			if best[i] = choose(groups, n, f.Heading); best[i] == nil && old {
				best[i] = before
			}
			if best[i] == nil {
				continue
			}
			best[i] = best[i].wider(f, groups, len(pages)).plainer(f, groups, len(pages))
			xpaths[i] = best[i].xpath
			if !current(f) {
				continue
			}
			now = best[i]
			if lower := best[i].sale(groups, lowest); lower != nil {
				xpaths[i] = either(lower.xpath, best[i].xpath)
				now, before = lower.over(best[i])
			}
		}
	}
	var found []Found
	for i, g := range best {
		if g != nil && !shared(t, best, i, len(pages)) {
			found = append(found, g.found(&t.Fields[i], xpaths[i]))
		}
	}
	return found
}

// shared reports whether the values of a field are those of another one of its
// type, which more speaks for, or those of a price. Other texts may be shared:
// "Knopf (2010)".
func shared(t *template.Template, best []*group, i, pages int) bool {
	mine := t.Fields[i].Type
	for j, other := range best {
		if j == i || other == nil || !other.equal(best[i]) {
			continue
		}
		if t.Fields[j].Type == template.Price && mine != template.Price {
			return true
		}
		if mine == template.Text || mine != t.Fields[j].Type {
			continue
		}
		own, others := best[i].score(pages, t.Fields[i].Heading), other.score(pages, t.Fields[j].Heading)
		if own < others || own == others && i > j {
			return true
		}
	}
	return false
}

// equal reports whether two paths give the same values.
func (g *group) equal(o *group) bool {
	for i := range g.values {
		v, w := g.values[i], o.values[i]
		switch {
		case v == nil || w == nil:
			if v != w {
				return false
			}
		case v.Text == w.Text, v.Amount != nil && w.Amount != nil && *v.Amount == *w.Amount:
		default:
			return false
		}
	}
	return true
}

// collect groups the candidates of all pages by their paths, and returns the lowest price
// of each page, see lowestLabelled. A price is no old one where it is the one of now.
func collect(l *lexicon, field int, sheets []*sheet, now *group) (groups []*group, lowest []*candidate) {
	byPath := map[string]*group{}
	for page, s := range sheets {
		all := s.candidates(l, field)
		if isOld(&l.Fields[field]) && now != nil && now.values[page] != nil {
			all = slices.DeleteFunc(all, func(c candidate) bool { return *c.value.Amount == *now.values[page].Amount })
		}
		lowest = append(lowest, lowestLabelled(all))
		for _, c := range all {
			for _, p := range c.paths {
				g := byPath[p.xpath]
				if g == nil {
					g = &group{path: p, values: make([]*Value, len(sheets)), order: len(groups)}
					byPath[p.xpath] = g
					groups = append(groups, g)
				}
				if g.values[page] == nil {
					g.values[page] = &c.value
					g.sum += c.score
					g.pages++
					if c.firm {
						g.firm++
					}
					g.trust = min(g.trust, p.trust)
				}
			}
		}
	}
	return groups, lowest
}

// having is how many pages have a value: only products on sale have an old price.
func having(groups []*group, pages int) (n int) {
	for page := range pages {
		if slices.ContainsFunc(groups, func(g *group) bool { return g.values[page] != nil }) {
			n++
		}
	}
	return n
}

// What is left of the score of a value that is the same on all pages, and of one
// of which a word is.
const (
	coverage = 0.75 // exponent of the share of pages that a path has a value on
	constant = 0.4
	named    = 0.75 // and a name says what it is
	affixed  = 0.7
	always   = 0.75 // of the pages
)

// score of a path: how much speaks for its values, on how many pages.
func (g *group) score(pages int, heading bool) float64 {
	score := g.sum / float64(g.pages) * math.Pow(float64(g.pages)/float64(pages), coverage) * g.trust
	if g.pages >= 3 {
		score *= g.varies(heading)
	}
	return score
}

// varies is what is left of a score by how the values vary between pages: those
// of a heading are all different; a value that is always the same, or nearly
// always ends in the same word, is in part the site's.
func (g *group) varies(heading bool) float64 {
	texts := map[string]bool{}
	for _, v := range g.values {
		if v != nil {
			texts[v.Text] = true
		}
	}
	switch {
	case len(texts) == 1 && strings.HasPrefix(g.xpath, "//meta[@") && strings.Contains(g.xpath, "description"):
		return 0 // it describes the site
	case len(texts) == 1 && 2*g.firm >= g.pages:
		return named
	case len(texts) == 1:
		return constant
	}
	share := 1.0
	if heading {
		share = 0.5 + 0.5*float64(len(texts))/float64(g.pages)
	}
	if len(texts) > 2 && g.tailed() {
		share *= affixed
	}
	return share
}

// tailed reports whether nearly all values end in the same word.
func (g *group) tailed() bool {
	ends, most := map[string]int{}, 0
	for _, v := range g.values {
		if v == nil {
			continue
		}
		end := v.Text[strings.LastIndexByte(v.Text, ' ')+1:]
		if strings.IndexFunc(end, unicode.IsLetter) < 0 {
			continue // a year
		}
		ends[end]++
		most = max(most, ends[end])
	}
	return float64(most) >= always*float64(g.pages)
}

func choose(groups []*group, pages int, heading bool) *group {
	if len(groups) == 0 {
		return nil
	}
	best := slices.MinFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.score(pages, heading), a.score(pages, heading)), cmp.Compare(a.order, b.order))
	})
	if best.score(pages, heading) < least/2 {
		return nil
	}
	if heading {
		return shorter(groups, best, pages)
	}
	return best
}

// shorter returns the heading without what the site adds on all pages, if another
// path leads to that: "Roadrunner" for "Roadrunner Review".
func shorter(groups []*group, best *group, pages int) *group {
	if best.pages < 3 || !best.tailed() {
		return best
	}
	var found *group
	for _, g := range groups {
		same := 0
		for i, v := range best.values {
			if v == nil || g.values[i] == nil {
				continue
			}
			if rest, ok := strings.CutPrefix(v.Text, g.values[i].Text); ok && strings.HasPrefix(rest, " ") && !strings.Contains(rest[1:], " ") {
				same++
			}
		}
		if float64(same) >= always*float64(best.pages) && (found == nil || g.score(pages, true) > found.score(pages, true)) {
			found = g
		}
	}
	if found == nil {
		return best
	}
	return found
}

func (g *group) found(f *template.Field, xpath string) Found {
	result := Found{Name: f.Name, XPath: xpath, Score: math.Round(10*g.sum/float64(g.pages)) / 10}
	if data, ok := strings.CutPrefix(g.xpath, dataPath); ok {
		result.XPath, result.Data = "//script[@type='application/ld+json']", data
	}
	for _, v := range g.values {
		if v != nil {
			result.Value = *v
			break
		}
	}
	return result
}

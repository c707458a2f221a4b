package neardup

import (
	"slices"
	"strings"
)

// functionWords are characters by which Chinese sentences hang together: those
// of pronouns, particles, prepositions, conjunctions and auxiliaries, and of the
// verbs and nouns that are hardly more. Names of people, places, trades and
// companies seldom have one. Those that often do are left out: 于 is a surname,
// 成都 a town, 和平 a street, 有色金属 a trade, 手表 a product.
const functionWords = "的了是在这那也就被把让使并且或及与将已还而但其所以等很最不没我们他她它你却又再才只可能要说得到着过来去从由则即" +
	"示指认续继需求提供施推持现存问题些每个后时间此次该种样给看想知作做受吗呢吧"

const (
	clause   = 5 // characters that one text alone has: more than a longer name has more
	ofNumber = 6 // characters of a change up to which digits in it make it one of a number
)

// rewording says what the changes of an overlap are about. Those of single
// characters are errors, of a fact as of anything else.
type rewording struct {
	grammar int // changes, of single characters too, that take or give a function word

	words    int // changes of more than a character, and neighbours that changed places
	slots    int // of these, those for which both texts have something
	wording  int // of these, those of the wording rather than of a fact
	function int // of the wording, those that take or give a function word, or change places
}

// rewordingOf examines each change. It is one of the wording if it removes or
// adds a function word, a word that occurs elsewhere in the text that both
// share, or a clause for which the other text has nothing; so is a change of
// places. The slot of a form is filled with a fact, and with one that the form
// does not have.
func rewordingOf(a, b []rune, pieces []piece) rewording {
	shared := pairsOf(a, pieces)
	var r rewording
	for i := 0; i < len(pieces); i++ {
		if n := moved(a, b, pieces[i:]); n > 0 {
			r.words++
			r.wording++
			r.function++
			i += n - 1
			continue
		}
		if p := pieces[i]; !p.same {
			r.add(a[p.a0:p.a1], b[p.b0:p.b1], shared)
		}
	}
	return r
}

// add adds the change of x to y.
func (r *rewording) add(x, y []rune, shared pairs) {
	function := functionOf(x) != functionOf(y)
	if function {
		r.grammar++
	}
	least, most := min(len(x), len(y)), max(len(x), len(y))
	if most < 2 {
		return
	}
	r.words++
	if least > 0 {
		r.slots++
	}
	switch {
	case most <= ofNumber && (slices.ContainsFunc(x, digit) || slices.ContainsFunc(y, digit)):
	case function:
		r.function++
		r.wording++
	case shared.have(x), shared.have(y), least == 0 && most >= clause:
		r.wording++
	}
}

// refilled reports whether one word was changed for the same other at two
// places: a fact that a form has twice. Errors do not repeat themselves.
func refilled(a, b []rune, pieces []piece) bool {
	seen := make(map[string]bool)
	for _, p := range pieces {
		x, y := a[p.a0:p.a1], b[p.b0:p.b1]
		if p.same || min(len(x), len(y)) == 0 || max(len(x), len(y)) < 2 {
			continue
		}
		change := string(x) + ">" + string(y)
		if seen[change] {
			return true
		}
		seen[change] = true
	}
	return false
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// functionOf returns the function words of a word.
func functionOf(word []rune) string {
	var found []rune
	for _, r := range word {
		if strings.ContainsRune(functionWords, r) {
			found = append(found, r)
		}
	}
	return string(found)
}

// pairs are the pairs of neighbouring characters that two texts share.
type pairs map[[2]rune]struct{}

func pairsOf(a []rune, pieces []piece) pairs {
	found := make(pairs)
	for _, p := range pieces {
		if p.same {
			for i := p.a0; i+1 < p.a1; i++ {
				found[[2]rune{a[i], a[i+1]}] = struct{}{}
			}
		}
	}
	return found
}

// have reports whether a Chinese word consists of such pairs.
func (p pairs) have(word []rune) bool {
	if len(word) < 2 {
		return false
	}
	for i := range len(word) - 1 {
		if _, ok := p[[2]rune{word[i], word[i+1]}]; !ok || word[i] < firstDense {
			return false
		}
	}
	return true
}

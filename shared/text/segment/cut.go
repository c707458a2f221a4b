package segment

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// path is the memory that cutting one run needs.
type path struct {
	units []unit
	steps []step // the last word of the cheapest way to the end of each unit
	words []span
}

// unit is what words are made of: a Chinese character, or a whole plain Latin
// word, within which no word of the dictionary ends.
type unit struct {
	start int32
	char  rune // 0: a Latin word
}

// step is the last word of a way.
type step struct {
	cost float32 // of the way, in bits; 0: there is none yet
	from int32   // the unit the word begins with
	kind kind
}

// span is a word of a run.
type span struct {
	start, end int
	kind       kind
}

// cut cuts a run of Chinese characters and plain Latin words and emits its
// words, the parts of new words as one.
func (w *walk) cut(run string) {
	for words := w.path.find(run, &dictionary().trie, w.userTrie()); len(words) > 0 && !w.done; {
		parts, whole := chain(run, words)
		if whole {
			w.emit(run[words[0].start:words[parts-1].end], true)
		} else {
			w.each(run, words[:parts])
		}
		words = words[parts:]
	}
}

// each emits words of a run as they are.
func (w *walk) each(run string, words []span) {
	for _, s := range words {
		switch text := run[s.start:s.end]; {
		case s.kind == latin:
			w.word(text)
		case s.kind&(userWord|stopped) != stopped:
			w.emit(text, s.kind&content != 0)
		}
	}
}

// userTrie returns the user words that the dictionary has to know, or nil.
func (s *Segmenter) userTrie() *trie {
	s.load.Do(func() {
		var words []string
		for word := range s.user {
			if strings.IndexFunc(word, isHan) >= 0 && isPiece(word) {
				words = append(words, word)
			}
		}
		if len(words) > 0 {
			s.overlay = dictionary().userTrie(words)
		}
	})
	return s.overlay
}

// find returns the words of the cheapest way through a run, valid until the next
// call. It decides as gse does, in the same arithmetic, with words of the
// overlay before equal ones of the base.
func (p *path) find(run string, base, overlay *trie) []span {
	p.split(run)
	for i := range p.units {
		alone := overlay != nil && p.extend(overlay, run, i)
		alone = p.extend(base, run, i) || alone
		if !alone {
			p.offer(i, step{p.before(i) + unknownCost, int32(i), p.unknown(i)})
		}
	}
	return p.trace(len(run))
}

// split finds the units of a run.
func (p *path) split(run string) {
	units := p.units[:0]
	within := false // a Latin word
	for i := 0; i < len(run); {
		char, size := mainHan(run, i), 3
		if char == 0 {
			if char, size = utf8.DecodeRuneInString(run[i:]); !isHan(char) {
				char = 0
			}
		}
		if char != 0 || !within {
			units = append(units, unit{int32(i), char})
		}
		within = char == 0
		i += size
	}
	p.units = units
	p.steps = slices.Grow(p.steps[:0], len(p.units))[:len(p.units)]
	clear(p.steps)
}

// extend offers all words of a trie that begin with unit i. It reports whether
// one of them is that unit alone.
func (p *path) extend(t *trie, run string, i int) (alone bool) {
	var at int32
	before := p.before(i)
	for k := i; k < len(p.units); k++ {
		switch char := p.units[k].char; {
		case char == 0:
			at = t.descend(at, p.latin(run, k))
		case k == i:
			at = t.root(char)
		default:
			at = t.child(at, char)
		}
		if at == 0 {
			break
		}
		if word := &t.nodes[at]; word.cost > 0 {
			p.offer(k, step{before + word.cost, int32(i), word.kind})
			alone = alone || k == i
		}
	}
	return alone
}

// latin returns the Latin word that is unit k of a run.
func (p *path) latin(run string, k int) string {
	if k+1 < len(p.units) {
		run = run[:p.units[k+1].start]
	}
	return run[p.units[k].start:]
}

// unknown returns the kind of a unit that is no word of the dictionary.
func (p *path) unknown(i int) kind {
	if p.units[i].char == 0 {
		return latin
	}
	return single
}

// before returns the cost of the cheapest way to the start of unit i.
func (p *path) before(i int) float32 {
	if i == 0 {
		return 0
	}
	return p.steps[i-1].cost
}

// offer proposes a last word of a way to the end of a unit; of equally cheap
// ones the first stays.
func (p *path) offer(to int, s step) {
	if last := &p.steps[to]; last.cost == 0 || s.cost < last.cost {
		*last = s
	}
}

// trace follows the cheapest way back and returns its words.
func (p *path) trace(end int) []span {
	p.words = p.words[:0]
	for i := len(p.steps) - 1; i >= 0; {
		last := p.steps[i]
		start := int(p.units[last.from].start)
		p.words = append(p.words, span{start, end, last.kind})
		i, end = int(last.from)-1, start
	}
	slices.Reverse(p.words)
	return p.words
}

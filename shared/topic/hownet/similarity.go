package hownet

// The constants of concept similarity (METHOD A3).
const (
	weightFirst     = 0.5
	weightOthers    = 0.2
	weightRelations = 0.17
	weightSymbols   = 0.13

	unlike = 0.2 // of a sememe and a specific word, and of something with nothing
)

// parts are how similar two concepts are, part by part.
type parts [4]float64

// total is the sum over i of β_i · Π_{j≤i} Sim_j.
func (p parts) total() float64 {
	return p[0] * (weightFirst + p[1]*(weightOthers+p[2]*(weightRelations+p[3]*weightSymbols)))
}

// conceptSimilarity is the similarity of two concepts. A result that cannot
// exceed floor may be any number up to floor: the first sememes alone often
// decide.
func (l *Lexicon) conceptSimilarity(i, j int32, floor float64) float64 {
	if i == j {
		return 1
	}
	a, b := l.ordered(i, j)
	if a.function != b.function || l.firsts(a, b) <= floor {
		return 0
	}
	return l.compare(a, b).total()
}

// ordered returns two concepts in an order independent of the arguments: greedy
// pairing of equally similar elements depends on the order.
func (l *Lexicon) ordered(i, j int32) (a, b *concept) {
	if i > j {
		i, j = j, i
	}
	return &l.concepts[i], &l.concepts[j]
}

// compare compares two concepts part by part. A function word and a content
// word have nothing in common.
func (l *Lexicon) compare(a, b *concept) parts {
	if a.function != b.function {
		return parts{}
	}
	return parts{
		l.firsts(a, b),
		l.sets(a.others, b.others),
		l.features(a.relations, b.relations),
		l.features(a.symbols, b.symbols),
	}
}

// firsts compares the first independent sememes.
func (l *Lexicon) firsts(a, b *concept) float64 {
	switch {
	case a.hasFirst && b.hasFirst:
		return l.values(a.first, b.first)
	case a.hasFirst || b.hasFirst:
		return unlike
	}
	return 1
}

// values compares two sememes or specific words.
func (l *Lexicon) values(a, b symbol) float64 {
	switch {
	case a == b:
		return 1
	case a < 0 && b < 0:
		return 0
	case a < 0 || b < 0:
		return unlike
	}
	return l.sememes.near.similarity(int32(a), int32(b))
}

// sets pairs the elements greedily, the most similar first, and returns the
// mean; what remains of the larger set is paired with nothing.
func (l *Lexicon) sets(a, b []symbol) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	var usedA, usedB uint64 // bit by bit: there are at most maxItems
	pairs := min(len(a), len(b))
	larger := max(len(a), len(b))
	sum := unlike * float64(larger-pairs)
	for range pairs {
		best, bestA, bestB := -1.0, 0, 0
		for i := range a {
			if usedA>>i&1 != 0 {
				continue
			}
			for j := range b {
				if usedB>>j&1 != 0 {
					continue
				}
				if v := l.values(a[i], b[j]); v > best {
					best, bestA, bestB = v, i, j
				}
			}
		}
		usedA |= 1 << bestA
		usedB |= 1 << bestB
		sum += best
	}
	return sum / float64(larger)
}

// features pairs features by their keys and returns the mean over all keys; a
// key that only one side has is paired with nothing.
func (l *Lexicon) features(a, b []feature) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	sum, keys := 0.0, 0
	for ; len(a) > 0 || len(b) > 0; keys++ {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].key < b[0].key:
			sum += unlike
			a = a[1:]
		case len(a) == 0 || b[0].key < a[0].key:
			sum += unlike
			b = b[1:]
		default:
			sum += l.sets(a[0].values, b[0].values)
			a, b = a[1:], b[1:]
		}
	}
	return sum / float64(keys)
}

package demo

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// text is the text of one article.
type text struct {
	title, desc string
	keys        []string
	body        []string // paragraphs
}

// compose writes the article number serial of the subject. The same number
// gives the same article; different numbers give another story, or the same
// kind of story about other places, firms and figures.
func (s *subject) compose(serial int) text {
	return s.tell(s.stories, serial)
}

// composeBridge is compose for the stories that lead from this subject to
// finance: the title speaks of money, the description hardly does.
func (s *subject) composeBridge(serial int) text {
	return s.tell(s.bridges, serial)
}

func (s *subject) tell(stories []story, serial int) text {
	kind := serial % len(stories)
	st := stories[kind]
	rng := rand.New(rand.NewPCG(hash(s.name+st.title), uint64(serial)))
	f := filler{slots: s.slots, turn: serial/len(stories) + 3*kind, rng: rng, numbers: map[string]string{}}

	t := text{title: f.fill(st.title), desc: f.fill(st.desc)}
	for k := range strings.SplitSeq(f.fill(st.keys), ", ") {
		t.keys = append(t.keys, k)
	}
	for _, p := range st.paras {
		t.body = append(t.body, f.fill(p))
	}
	for _, i := range someOf(rng, len(s.common)) {
		t.body = append(t.body, f.fill(s.common[i]))
	}
	return t
}

// someOf draws two to four indexes below n, ascending: the files list first
// what comes early in an article.
func someOf(rng *rand.Rand, n int) []int {
	drawn := rng.Perm(n)
	drawn = drawn[:min(n, 2+rng.IntN(3))]
	slices.Sort(drawn)
	return drawn
}

// filler puts values into the patterns of one article. A slot keeps its value
// all through the article.
type filler struct {
	slots   map[string]slot
	turn    int
	rng     *rand.Rand
	numbers map[string]string // drawn so far, by slot reference
}

func (f *filler) fill(pattern string) string {
	return slotRef.ReplaceAllStringFunc(pattern, func(ref string) string {
		m := slotRef.FindStringSubmatch(ref)
		sl := f.slots[m[1]]
		if sl.values == nil {
			return f.number(ref, sl)
		}
		// Values go round instead of being drawn, so that two articles of the
		// same story never share a title.
		start := int(hash(m[1])%97) + f.turn
		return sl.values[(start+ordinal(m[2]))%len(sl.values)]
	})
}

func (f *filler) number(ref string, sl slot) string {
	if s, ok := f.numbers[ref]; ok {
		return s
	}
	n := sl.lo + f.rng.IntN(sl.hi-sl.lo+1)
	s := strconv.Itoa(n)
	if sl.scale == 10 {
		s = fmt.Sprintf("%d.%d", n/10, n%10)
	}
	f.numbers[ref] = s
	return s
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

package neardup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// span returns n different characters, from the given one of the script on.
func span(from, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4E00 + from + i))
	}
	return b.String()
}

// written writes pieces as text: those that differ as "[of a>of b]".
func written(l *aligner) string {
	var out strings.Builder
	for _, p := range l.pieces {
		if p.same {
			out.WriteString(string(l.a[p.a0:p.a1]))
		} else {
			fmt.Fprintf(&out, "[%s>%s]", string(l.a[p.a0:p.a1]), string(l.b[p.b0:p.b1]))
		}
	}
	return out.String()
}

func newAligner(a, b string) *aligner { return &aligner{a: []rune(a), b: []rune(b)} }

func TestEdit(t *testing.T) {
	for _, tc := range []struct {
		a, b, want string
		same       int
	}{
		{"", "", "", 0},
		{"abc", "", "[abc>]", 0},
		{"", "abc", "[>abc]", 0},
		{"abc", "abc", "abc", 3},
		{"abc", "axc", "a[b>x]c", 2},
		{"abc", "ac", "a[b>]c", 2},
		{"ac", "abc", "a[>b]c", 2},
		{"abcd", "bcda", "[a>]bcd[>a]", 3},
		{"abcxx", "xxabc", "[>xx]abc[xx>]", 3},
		{"kitten", "sitting", "[k>s]itt[e>i]n[>g]", 4},
	} {
		l := newAligner(tc.a, tc.b)
		if same := l.edit(l.a, l.b); same != tc.same || written(l) != tc.want {
			t.Errorf("%q and %q: %s, %d the same; want %s, %d", tc.a, tc.b, written(l), same, tc.want, tc.same)
		}
	}
}

// distance is the edit distance by its definition.
func distance(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	if a[0] == b[0] {
		return distance(a[1:], b[1:])
	}
	return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))
}

// An alignment has as few changes as possible, and all of both texts.
func TestEditIsShortest(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		letters := make([]byte, draw.IntN(7))
		for i := range letters {
			letters[i] = "abc"[draw.IntN(3)]
		}
		return string(letters)
	}
	for range 300 {
		a, b := random(), random()
		l := newAligner(a, b)
		l.edit(l.a, l.b)
		changed := 0
		var inA, inB strings.Builder
		for _, p := range l.pieces {
			inA.WriteString(a[p.a0:p.a1])
			inB.WriteString(b[p.b0:p.b1])
			if !p.same {
				changed += max(p.a1-p.a0, p.b1-p.b0)
			}
		}
		if changed > distance(a, b) || inA.String() != a || inB.String() != b {
			t.Errorf("%q and %q: %s, %d changes, want %d", a, b, written(l), changed, distance(a, b))
		}
	}
}

// A walk ends with the first step of which less than half is the same.
func TestWalk(t *testing.T) {
	for same, want := range map[int]int{maxEdge / 2: 100, maxEdge/2 - 1: maxEdge} {
		a := span(0, maxEdge) + span(100, 52)
		l := newAligner(a, string([]rune(a)[:same])+span(300, maxEdge-same)+span(100, 52))
		if l.walk(100, 100); l.i != want || l.j != want {
			t.Errorf("with %d the same it goes to %d and %d, want %d", same, l.i, l.j, want)
		}
	}
	l := newAligner(span(0, 10), span(0, 10))
	if l.walk(4, 6); l.i != 4 || l.j != 6 {
		t.Errorf("to 4 and 6 it goes to %d and %d", l.i, l.j)
	}
	if l.walk(4, 9); l.i != 4 || l.j != 6 {
		t.Errorf("from the end of one text it goes to %d and %d", l.i, l.j)
	}
	if l.walk(9, 6); l.i != 4 || l.j != 6 {
		t.Errorf("from the end of the other it goes to %d and %d", l.i, l.j)
	}
}

// A gap of more than 200 characters is aligned for a step; what is still longer then,
// only at its end.
func TestFill(t *testing.T) {
	before := span(2000, 100)
	for _, tc := range []struct {
		name  string
		n     int // characters that differ, but for one in the middle
		tail  string
		found bool // the one
	}{
		{"short", maxGap, "", true},
		{"short after a step", maxGap + maxEdge, "", true},
		{"long after a step", maxGap + maxEdge + 1, "", false},
		{"short, the end the same", maxGap, "尾", true},
		{"long, the end the same", 2 * maxGap, "尾巴", false},
		{"all the same", 0, "都一样", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b, want := span(0, tc.n), span(1000, tc.n), ""
			if tc.n > 0 {
				const at = 100
				x, y, c := []rune(a), []rune(b), "共"
				a, b = string(x[:at])+c+string(x[at+1:]), string(y[:at])+c+string(y[at+1:])
				want = "[" + a + ">" + b + "]"
				if tc.found {
					want = fmt.Sprintf("[%s>%s]%s[%s>%s]", string(x[:at]), string(y[:at]), c, string(x[at+1:]), string(y[at+1:]))
				}
			}
			l := newAligner(before+a+tc.tail, before+b+tc.tail)
			l.i, l.j = 100, 100
			if l.fill(len(l.a), len(l.b)); written(l) != want+tc.tail {
				t.Errorf("aligned as %s, want %s", written(l), want+tc.tail)
			}
		})
	}
	for n, whole := range map[int]bool{maxGap: true, maxGap + 1: false} { // a text that is shifted by more than a step
		a, b, both := span(0, n-140), span(1000, n-140), span(500, 140)
		l := newAligner(before+both+a, before+b+both)
		l.i, l.j = 100, 100
		if l.fill(100+n, 100+n); (written(l) == "[>"+b+"]"+both+"["+a+">]") != whole {
			t.Errorf("a gap of %d is aligned as %s", n, written(l))
		}
	}
	for _, tc := range []struct{ a, b, want string }{{"甲乙", "丙甲乙", "[>甲]乙"}, {"丙甲乙", "甲乙", "[甲>]乙"}} {
		l := newAligner(tc.a, tc.b) // the first characters are done
		l.i, l.j = 1, 1
		if l.fill(len(l.a), len(l.b)); written(l) != tc.want {
			t.Errorf("aligned as %s, want %s", written(l), tc.want)
		}
	}
}

// Only some characters before the first shingle and after the last are aligned.
func TestAlign(t *testing.T) {
	shared := span(0, 30)
	for _, tc := range []struct{ name, a, b, want string }{
		{"nothing in common", span(0, 30), span(100, 30), ""},
		{"other frames", span(100, 60) + shared + span(200, 60), span(300, 70) + shared + span(400, 70), "[" + span(112, 48) + ">" + span(322, 48) + "]" + shared + "[" + span(200, 48) + ">" + span(400, 48) + "]"},
		{"one shingle, at the start", span(0, 5) + span(100, 9), span(300, 60) + span(0, 5) + span(400, 9), "[>" + span(312, 48) + "]" + span(0, 5) + "[" + span(100, 9) + ">" + span(400, 9) + "]"},
		{"short frames", span(100, 3) + shared, span(300, 2) + shared, "[" + span(100, 3) + ">" + span(300, 2) + "]" + shared},
		{"much put in before one shingle", shared + span(100, 5), shared + span(300, 100) + span(100, 5), shared + "[>" + span(300, 100) + "]" + span(100, 5)},
		{"much left out before one shingle", shared + span(300, 100) + span(100, 5), shared + span(100, 5), shared + "[" + span(300, 100) + ">]" + span(100, 5)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := new(aligner)
			l.align(newText(tc.a), newText(tc.b))
			if got := written(l); got != tc.want {
				t.Errorf("aligned as %s, want %s", got, tc.want)
			}
		})
	}
}

func TestLongestChain(t *testing.T) {
	for _, tc := range []struct{ a, want []int }{
		{nil, nil},
		{[]int{7}, []int{7}},
		{[]int{1, 2, 3}, []int{1, 2, 3}},
		{[]int{3, 2, 1}, []int{1}},
		{[]int{5, 1, 2, 6, 3, 4}, []int{1, 2, 3, 4}},
		{[]int{1, 9, 2, 3, 8, 4}, []int{1, 2, 3, 4}},
	} {
		var all []anchor
		for b, a := range tc.a {
			all = append(all, anchor{a, b})
		}
		var got []int
		for _, x := range longestChain(all) {
			got = append(got, x.a)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("of %v (-want +got):\n%s", tc.a, diff)
		}
	}
}

// A detour is shifted by more than it is long, and half a shingle.
func TestWithoutDetours(t *testing.T) {
	type stretch struct{ shift, anchors int }
	for _, tc := range []struct {
		name      string
		stretches []stretch
		removed   []int // their numbers
	}{
		{"straight", []stretch{{0, 9}}, nil},
		{"a paragraph put in", []stretch{{0, 9}, {30, 9}}, nil},
		{"put in twice", []stretch{{0, 9}, {10, 2}, {20, 9}}, nil},
		{"there and back", []stretch{{0, 9}, {20, 3}, {0, 9}}, []int{1}},
		{"back and there", []stretch{{30, 9}, {10, 3}, {30, 9}}, []int{1}},
		{"shorter than its length", []stretch{{0, 9}, {10, 16}, {0, 9}}, nil},
		{"shifted, shorter than its length", []stretch{{30, 9}, {40, 16}, {30, 9}}, nil},
		{"shifted, longer than its length", []stretch{{30, 9}, {20, 15}, {30, 9}}, []int{1}},
		{"longer than its length", []stretch{{0, 9}, {10, 15}, {0, 9}}, []int{1}},
		{"back only in part", []stretch{{0, 9}, {20, 26}, {5, 9}}, nil},
		{"back in part, shorter", []stretch{{0, 9}, {20, 25}, {5, 9}}, []int{1}},
		{"little drift", []stretch{{0, 9}, {4, 1}, {0, 9}}, nil},
		{"more than drift", []stretch{{0, 9}, {5, 1}, {0, 9}}, []int{1}},
		{"no more than a paragraph counts", []stretch{{0, 9}, {500, 60}, {0, 9}}, nil},
		{"as far as a paragraph", []stretch{{0, 9}, {500, 59}, {0, 9}}, []int{1}},
		{"two in a row", []stretch{{0, 9}, {20, 3}, {50, 3}, {0, 9}}, []int{1, 2}},
		{"at the start", []stretch{{20, 2}, {0, 9}}, nil},
		{"at the end", []stretch{{0, 9}, {20, 2}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var chain, want []anchor
			for i, s := range tc.stretches {
				for range s.anchors {
					at := anchor{a: 1000 + len(chain)}
					at.b = at.a + s.shift
					chain = append(chain, at)
					if !slices.Contains(tc.removed, i) {
						want = append(want, at)
					}
				}
			}
			if diff := cmp.Diff(want, withoutDetours(chain), cmp.AllowUnexported(anchor{})); diff != "" {
				t.Errorf("chain (-want +got):\n%s", diff)
			}
		})
	}
}

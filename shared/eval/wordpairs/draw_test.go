package wordpairs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newThesaurus has two classes with five words in each of their ten lines; the
// first word of each line is in both.
func newThesaurus(t *testing.T) *Thesaurus {
	t.Helper()
	var b strings.Builder
	for line := range 10 {
		fmt.Fprintf(&b, "Aa01A%02d= both%d a%d.1 a%d.2 a%d.3 hidden%d\n", line, line, line, line, line, line)
		fmt.Fprintf(&b, "Ba01A%02d= both%d b%d.1 b%d.2 b%d.3\n", line, line, line, line, line)
	}
	b.WriteString("Ca01A01# c1 c2\n")
	thesaurus, err := ReadThesaurus(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return thesaurus
}

func visible(word string) bool { return !strings.HasPrefix(word, "hidden") }

// haveLine reports whether the words are in one line.
func (d *Draws) haveLine(p Drawn) bool {
	return slices.ContainsFunc(d.synonyms, func(line []string) bool {
		return slices.Contains(line, p.A) && slices.Contains(line, p.B)
	})
}

// classesOf returns the classes of a word of newThesaurus.
func classesOf(word string) string {
	if strings.HasPrefix(word, "both") {
		return "ab"
	}
	return word[:1]
}

func TestDraw(t *testing.T) {
	draws := newThesaurus(t).Eligible(visible)
	if got, want := draws.Words(), 10*(1+3+3)+2; got != want {
		t.Errorf("%d eligible words, want %d", got, want)
	}
	pairs, err := draws.Draw(100, 7)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	synonyms, related := 0, 0
	for _, p := range pairs {
		if p.Synonym {
			synonyms++
			if !draws.haveLine(p) {
				t.Errorf("%s and %s are no synonyms", p.A, p.B)
			}
		} else if strings.ContainsAny(classesOf(p.A), classesOf(p.B)) {
			t.Errorf("%s and %s have a class in common", p.A, p.B)
		}
		if strings.HasPrefix(p.A, "c") || strings.HasPrefix(p.B, "c") {
			related++
		}
		if !visible(p.A) || !visible(p.B) || p.A == p.B || seen[p.A+" "+p.B] {
			t.Errorf("%s and %s are drawn", p.A, p.B)
		}
		seen[p.A+" "+p.B], seen[p.B+" "+p.A] = true, true
	}
	if len(pairs) != 100 || synonyms != 50 || related == 0 {
		t.Errorf("%d pairs, %d of synonyms, %d with a word that has none", len(pairs), synonyms, related)
	}
	again, err := draws.Draw(100, 7)
	if diff := cmp.Diff(pairs, again); diff != "" || err != nil {
		t.Errorf("another draw for the same seed (-first +second):\n%s%v", diff, err)
	}
	if other, _ := draws.Draw(100, 8); cmp.Equal(pairs, other) {
		t.Error("the same draw for another seed")
	}
}

func TestDrawRefuses(t *testing.T) {
	thesaurus := newThesaurus(t)
	for name, tc := range map[string]struct {
		eligible func(string) bool
		want     string
	}{
		"no words":    {func(string) bool { return false }, "cover 0 words"},
		"one class":   {func(word string) bool { return word[0] == 'a' }, "too few pairs of words of different classes"},
		"no synonyms": {func(word string) bool { return strings.HasSuffix(word, ".1") }, "too few pairs of synonyms"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := thesaurus.Eligible(tc.eligible).Draw(10, 1)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want it to say %q", err, tc.want)
			}
		})
	}
	if _, err := thesaurus.Eligible(visible).Draw(1000, 1); err == nil {
		t.Error("more pairs are drawn than there are")
	}
}

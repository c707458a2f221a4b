package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// refined refines a topic that knows half of its words, one word of general
// use, one that no text has, and one that only other themes have.
func refined(t *testing.T, o RefineOptions) (*Refinement, []byte) {
	t.Helper()
	source := "name: made-up\nwords:\n"
	for _, word := range firstThemeWords(themeWords / 2) {
		source += "  - " + word + "\n"
	}
	source += "  - nowhere\n  - unheard\n  - " + generalWord(2) + ": 0.1\n  - " + generalWord(3) + "\n" +
		"related:\n  - " + generalWord(1) + ": 0.1\n"
	file := parseTopic(t, source)
	samples, _, _ := newTexter(1).crawl(1000)
	r, err := Refine(file.Lexicon(), file, samples, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, []byte(source)
}

func TestRefine(t *testing.T) {
	r, source := refined(t, RefineOptions{})
	if r.Relevant < 190 || r.Relevant > 210 || r.Relevant+r.Background != 1000 || r.Threshold <= 0 {
		t.Errorf("%d texts on the topic, %d off, split at %v", r.Relevant, r.Background, r.Threshold)
	}
	if len(r.Cut) != 1 || r.Cut[0].Word != generalWord(1) || r.Cut[0].Weight != 0 {
		t.Errorf("cut: %+v", r.Cut)
	}
	var added []string
	for _, c := range r.Added {
		added = append(added, c.Word)
		if c.Weight < 1 || c.Relevant < 3 || !c.Related {
			t.Errorf("proposed on little evidence, or not as related: %+v", c)
		}
	}
	slices.Sort(added)
	var lacking []string
	for i := themeWords / 2; i < themeWords; i++ {
		lacking = append(lacking, themeWord(0, i))
	}
	slices.Sort(lacking)
	if diff := cmp.Diff(lacking, added); diff != "" {
		t.Errorf("proposals (-lacking +got):\n%s", diff)
	}
	for _, c := range r.Kept {
		switch c.Word {
		case "nowhere", "unheard":
			if c.Reason != "no evidence" || c.Weight != 1 {
				t.Errorf("%+v", c)
			}
		case generalWord(2): // the author's, with a weight
			if c.Reason != "weighed by hand" || c.Weight != 0 {
				t.Errorf("%+v", c)
			}
		case generalWord(3):
			if c.Reason != "as common off the topic" || c.Weight != 1 {
				t.Errorf("%+v", c)
			}
		default:
			if c.Reason != "marks the topic" || c.Weight < 1 {
				t.Errorf("%+v", c)
			}
		}
	}
	for i := range generalWords {
		if w := r.Weights.Words[generalWord(i)]; w > 0.5 {
			t.Errorf("%s of general use weighs %v", generalWord(i), w)
		}
	}
	for theme := 1; theme < themes; theme++ {
		if w := r.Weights.Words[themeWord(theme, 3)]; w != 0 && theme != 1 {
			t.Errorf("a word of theme %d weighs %v", theme, w)
		}
	}

	again, _ := refined(t, RefineOptions{})
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
	if _, err := r.Apply("topic.yaml", source); err != nil {
		t.Error(err)
	}
}

func TestRefineProposesTheBest(t *testing.T) {
	all, _ := refined(t, RefineOptions{})
	few, _ := refined(t, RefineOptions{Add: 5})
	if diff := cmp.Diff(all.Added[:5], few.Added); diff != "" {
		t.Errorf("(-first five +got):\n%s", diff)
	}
	if none, _ := refined(t, RefineOptions{Add: -1}); len(none.Added) != 0 {
		t.Errorf("proposed %v", none.Added)
	}
}

func TestRefineMakesTheTopicBetter(t *testing.T) {
	file := topicOf(t, firstThemeWords(4)...)
	samples, pages, onTopic := newTexter(1).crawl(1000)
	l := file.Lexicon()
	r, err := Refine(l, file, samples, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	source := "name: made-up\nwords:\n- " + strings.Join(firstThemeWords(4), "\n- ") + "\n"
	changed, err := r.Apply("topic.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	better := parseTopic(t, string(changed)).Lexicon()
	var before, after []float64
	for _, page := range pages {
		before, after = append(before, l.Value(page.Body)), append(after, better.Value(page.Body))
	}
	cut := func(values []float64) float64 {
		c, _ := otsu(slices.Clone(values))
		return f1(values, onTopic, c)
	}
	if cut(before) > 0.9 || cut(after) < 0.97 {
		t.Errorf("F1 before %v, after %v", cut(before), cut(after))
	}
}

func TestRefineKeepsWhatWasAdjusted(t *testing.T) {
	words := firstThemeWords(10)
	file := parseTopic(t, "name: a\nwords: ["+strings.Join(words, ", ")+"]\nadjust: {"+words[0]+": 2, "+themeWord(0, 30)+": 0.1}\n")
	samples, _, _ := newTexter(1).crawl(500)
	r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Kept[0]; c.Word != words[0] || c.Weight != 0 || c.Reason != "adjusted by hand" {
		t.Errorf("%+v", c)
	}
	for _, c := range r.Added {
		if c.Word == themeWord(0, 30) {
			t.Error("proposes a word that was adjusted by hand")
		}
	}
}

func TestRefineErrors(t *testing.T) {
	file := topicOf(t, firstThemeWords(5)...)
	w := newTexter(1)
	texts := func(themes ...int) *Samples {
		samples := &Samples{}
		for _, theme := range themes {
			samples.Add(w.page(theme))
		}
		return samples
	}
	repeat := func(n, theme int) []int { return slices.Repeat([]int{theme}, n) }
	for _, test := range []struct {
		name    string
		samples *Samples
		want    string
	}{
		{"no texts", &Samples{}, "there are no texts"},
		{"one text", texts(0), "fewer than 10"},
		{"nothing on the topic", texts(repeat(50, 2)...), "crawl more pages"},
		{"little on the topic", texts(append(repeat(50, 2), repeat(5, 0)...)...), "crawl more pages"},
		{"nothing else", func() *Samples {
			samples := &Samples{}
			for i := range 40 {
				samples.Add(Sample{Body: append(firstThemeWords(5), generalWord(i))})
			}
			return samples
		}(), "0 texts are off the topic"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Refine(file.Lexicon(), file, test.samples, RefineOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestProposable(t *testing.T) {
	for word, want := range map[string]bool{
		"股票": true, "股": false, "a": false, "g20": false, "20国": false, "5g网络": true, "covid-19": true,
		"2020": false, "银行 业": true, "银行  业": false, "": false, "Bank": false, "--": false,
		"p.m": false, "u.s.": false, "e.g": false, "ph.d": true, "node.js": true, "5th": false, "mp3": true,
	} {
		if got := proposable("zh", word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
	if proposable("en", "markets") || !proposable("en", "market") {
		t.Error("of English words, stems are proposed")
	}
}

package compile

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sluice/shared/text/segment"
)

// A crawl's verdict overrides the topic's.
func TestRefineTrustsTheCrawl(t *testing.T) {
	file := parseTopic(t, "name: a\nwords: ["+themeWord(0, 0)+"]\nrelated: ["+generalWord(0)+"]\n")
	samples, _, _ := newTexter(1).judgedCrawl(500)
	w := newTexter(2)
	for range 50 {
		samples.Add(w.page(0)) // from elsewhere
	}
	r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Relevant != 100 || r.Background != 400 || r.Threshold != 0 || r.Clamped {
		t.Errorf("%d texts on the topic, %d others, split at %v, clamped %v; want 100, 400, by the crawl", r.Relevant, r.Background, r.Threshold, r.Clamped)
	}
	if len(r.Kept) != 1 || r.Kept[0].Word != themeWord(0, 0) || r.Kept[0].Related {
		t.Errorf("kept %+v", r.Kept)
	}
	if len(r.Cut) != 1 || r.Cut[0].Word != generalWord(0) || !r.Cut[0].Related || r.Cut[0].Reason != "as common off the topic" {
		t.Errorf("cut %+v", r.Cut)
	}
	if len(r.Added) != themeWords-1 {
		t.Errorf("%d words proposed, want the other %d of the theme", len(r.Added), themeWords-1)
	}
}

// A crawl has judged only if ten texts that are compared are of either kind.
func TestRefineSplitsUnjudgedPages(t *testing.T) {
	for _, test := range []struct {
		name         string
		kept, passed int // pages that the crawl judged, of 30 on the topic and 60 others
		textless     int // besides them, pages that the crawl passed over without a main text
		byCrawl      bool
	}{
		{"nothing judged", 0, 0, 0, false},
		{"nine kept", 9, 60, 0, false},
		{"nine passed over", 30, 9, 0, false},
		{"ten of each", 10, 10, 0, true},
		{"passed over by description", 30, 0, 40, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := topicOf(t, firstThemeWords(themeWords)...)
			w, samples := newTexter(1), &Samples{}
			add := func(theme, n, judged int, fate Fate) {
				for i := range n {
					page := w.page(theme)
					if i < judged {
						page.Fate = fate
					}
					samples.Add(page)
				}
			}
			add(0, 30, test.kept, Kept)
			add(2, 60, test.passed, PassedOver)
			for range test.textless {
				samples.Add(Sample{Description: w.page(3).Description, Fate: PassedOver})
			}
			r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
			if err != nil {
				t.Fatal(err)
			}
			relevant, background := 30, 60
			if test.byCrawl {
				relevant, background = test.kept, test.passed
			}
			if r.Relevant != relevant || r.Background != background || (r.Threshold == 0) != test.byCrawl {
				t.Errorf("%d texts on the topic, %d others, split at %v; want %d, %d, by the crawl: %v",
					r.Relevant, r.Background, r.Threshold, relevant, background, test.byCrawl)
			}
		})
	}
}

// A page on the topic counts once, a passed-over one as often as it represents
// others.
func TestRefineCountsByTimes(t *testing.T) {
	file := topicOf(t, "ab")
	samples := &Samples{}
	for range 12 {
		samples.Add(Sample{Body: []string{"ab", "cd"}, Times: 5, Fate: Kept})
		samples.Add(Sample{Body: []string{"ef"}, Times: 5, Fate: PassedOver})
	}
	r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Relevant != 12 || r.Background != 60 {
		t.Errorf("%d texts on the topic, %d others; want 12 and 60", r.Relevant, r.Background)
	}
}

// A word that is frequent in the language weighs no more than it does against
// that, though no page passed over has it.
func TestRefineWeighsAgainstTheLanguage(t *testing.T) {
	const common, rare, kept, passed = "公司", "量化紧缩", 20, 40
	page := append(strings.Fields(common+" "+rare), shared(18, 18)...)
	file := topicOf(t, themeWord(0, 0))
	samples := &Samples{}
	for range kept {
		samples.Add(Sample{Body: page, Fate: Kept})
	}
	for range passed {
		samples.Add(Sample{Body: shared(0, 20), Fate: PassedOver})
	}
	r, err := Refine(file.Lexicon(), file, samples, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	weight := func(background float64) float64 {
		return math.Log((kept+0.5)/(kept+1)/background) * kept / (kept + 8)
	}
	// 20 words other than stop words represent 26 words of running text.
	expected := math.Round(1e6 * (1 - math.Exp(-1.3*20*segment.Frequency(common))))
	againstLanguage := weight((expected + 0.5) / (1e6 + 1))
	againstCrawl := weight(0.5 / (passed + 1))
	if !(againstLanguage < againstCrawl) {
		t.Fatalf("%s weighs %v against the language, %v against the crawl: choose a more frequent word", common, againstLanguage, againstCrawl)
	}
	if got := r.Weights.Words[common]; !near(got, againstLanguage) {
		t.Errorf("%s weighs %v, want %v", common, got, againstLanguage)
	}
	if got := r.Weights.Words[rare]; !near(got, againstCrawl) {
		t.Errorf("%s weighs %v, want %v", rare, got, againstCrawl)
	}
	if i := slices.IndexFunc(r.Added, func(c Candidate) bool { return c.Word == rare }); i < 0 {
		t.Errorf("%s is not proposed: %+v", rare, r.Added)
	}
}

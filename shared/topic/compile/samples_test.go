package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewSample(t *testing.T) {
	long := make([]string, longText)
	for i := range long {
		long[i] = generalWord(i)
	}
	page := strings.Join(long, " ")
	for _, test := range []struct {
		name                     string
		title, description, text string
		want                     Sample
	}{
		{"page", "a", "b", "c", Sample{Description: []string{"a", "b"}, Anchor: []string{"a"}, Body: []string{"c"}}},
		{"page off topic without text", "a", "a b", "", Sample{Description: []string{"a", "a", "b"}, Anchor: []string{"a"}}},
		{"headline", "", "", "a b", Sample{Description: []string{"a", "b"}, Anchor: []string{"a", "b"}}},
		{"text without title", "", "", page, Sample{Body: long}},
		{"nothing", "", " ", "\n", Sample{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := newSample(test.title, test.description, test.text, strings.Fields)
			if diff := cmp.Diff(fmt.Sprint(test.want), fmt.Sprint(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSamplesScoreAsTheLexiconDoes(t *testing.T) {
	file := parseTopic(t, "name: a\nwords: [{"+themeWord(0, 1)+": 1.7}, {"+themeWord(0, 2)+": 0.3}]\n")
	l := file.Lexicon()
	samples, pages, _ := newTexter(1).crawl(100)
	rel := samples.scorer(l)
	for i, page := range pages {
		if got, want := rel(samples.texts[i].body), l.Value(page.Body); got != want {
			t.Errorf("page %d: %v, want %v", i, got, want)
		}
	}
}

func TestSamplesAreBounded(t *testing.T) {
	whole := &Samples{most: maxWhole}
	for i := range maxWhole + 10 {
		whole.Add(Sample{Page: []string{madeUp("a", i%1700)}})
	}
	if whole.Len() != maxWhole {
		t.Errorf("%d samples of whole pages", whole.Len())
	}
	draw := func() *Samples {
		s := &Samples{}
		for i := range maxSamples + 2000 {
			s.Add(Sample{Description: []string{madeUp("a", i%1700)}})
		}
		return s
	}
	s := draw()
	if s.Len() != maxSamples {
		t.Fatalf("%d samples", s.Len())
	}
	late := 0
	for i := range s.texts {
		if want := int32(i % 1700); s.texts[i].description[0] != want {
			late++
		}
	}
	if late < 1500 || late > 2000 { // each late text has a chance of 98 % or more
		t.Errorf("%d texts came in late", late)
	}
	for i, text := range draw().texts {
		if text.description[0] != s.texts[i].description[0] {
			t.Fatal("a second draw differs")
		}
	}
}

func BenchmarkCalibrate(b *testing.B) {
	samples, _, _ := newTexter(1).crawl(5000)
	file := topicOf(b, firstThemeWords(20)...)
	l := file.Lexicon()
	for b.Loop() {
		if _, _, err := calibrate(l, file, samples); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRefine(b *testing.B) {
	samples, _, _ := newTexter(1).crawl(5000)
	file := topicOf(b, firstThemeWords(20)...)
	l := file.Lexicon()
	for b.Loop() {
		if _, err := Refine(l, file, samples, RefineOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

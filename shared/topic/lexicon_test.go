package topic

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/segment"
)

// The compiled lexicon gives what the double sum of equation 3 gives.
func TestCompileEqualsTheSum(t *testing.T) {
	topic := map[string]float64{"央行": 1.5, "股市": 0.5, "利率": 2}
	weights := map[string]float64{"央行": 0.25, "银行": 3, "天气": 0.1}
	const mean = 0.75
	sim := func(d, w string) float64 {
		switch [2]string{d, w} {
		case [2]string{"银行", "央行"}:
			return 0.8
		case [2]string{"银行", "利率"}:
			return 0.3
		case [2]string{"央行", "银行"}:
			return 0.9 // the wrong way round: must not count
		}
		return SameWord(d, w)
	}
	l := Compile(topic, weights, mean, sim, []string{"央行", "银行", "天气", "股市", "利率"})

	for _, test := range []struct {
		name  string
		words []string
		want  float64
	}{
		{"no words", nil, 0},
		{"topic word", []string{"央行"}, 0.25 * 1.5},
		{"mean weight", []string{"股市"}, 0.75 * 0.5},
		{"similar word", []string{"银行"}, 3 * (1.5*0.8*0.8 + 2*0.3*0.3)},
		{"unrelated", []string{"天气"}, 0},
		{"unknown words count in M", []string{"利率", "x", "y", "z"}, 0.75 * 2 / 4},
		{"repetitions do not count", []string{"利率", "x", "利率", "x"}, 0.75 * 2 / 2},
		{"all", []string{"央行", "银行", "天气", "股市"}, (0.25*1.5 + 3*(1.5*0.64+2*0.09) + 0.75*0.5) / 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := l.Rel(test.words).Value
			if math.Abs(got-test.want) > 1e-12 {
				t.Errorf("Rel(%q) = %v, want %v", test.words, got, test.want)
			}
			if value := l.Value(test.words); value != got {
				t.Errorf("Value(%q) = %v, Rel says %v", test.words, value, got)
			}
		})
	}
}

func TestRelExplains(t *testing.T) {
	l := Compile(map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, nil, 1, SameWord,
		[]string{"a", "b", "c", "d", "e", "f", "known"})
	got := l.Rel([]string{"a", "b", "c", "d", "e", "f", "known", "new", "new"})
	want := Relevance{
		Value: 21.0 / 8, Words: 8, OOV: 1.0 / 8,
		Top: []Contribution{
			{"f", "f", 6.0 / 8}, {"e", "e", 5.0 / 8}, {"d", "d", 4.0 / 8}, {"c", "c", 3.0 / 8}, {"b", "b", 2.0 / 8},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Rel (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Relevance{}, l.Rel(nil)); diff != "" {
		t.Errorf("Rel(nil) (-want +got):\n%s", diff)
	}
}

// A word weighs the same on both sides; what is adjusted by hand wins.
func TestFileLexicon(t *testing.T) {
	file, err := Parse("t.yaml", []byte("name: x\nwords: [央行, 股市: 2, 利率]\nadjust: {利率: 3, 公司: 9}\nmean_weight: 0.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := file.Lexicon()
	for word, want := range map[string]float64{"央行": 0.25, "股市": 4, "利率": 9, "公司": 0, "天气": 0} {
		if got := l.Value([]string{word}); got != want {
			t.Errorf("Value(%s) = %v, want %v", word, got, want)
		}
	}
	if got := l.Rel([]string{"公司", "天气"}).OOV; got != 0.5 {
		t.Errorf("OOV = %v, want 0.5: adjusted words are known", got)
	}
}

func TestMatchAnchor(t *testing.T) {
	l := Compile(map[string]float64{"银行": 1, "央行": 1, "银行业": 1, "a股": 1, "climate change": 1}, nil, 1, SameWord, nil)
	for _, test := range []struct {
		name, text, want string
	}{
		{"empty", "", ""},
		{"none", "天气预报", ""},
		{"whole", "央行", "央行"},
		{"inside", "今日央行公告", "央行"},
		{"longest at a place", "中国银行业协会", "银行业"},
		{"first place", "央行与银行", "央行"},
		{"begins but does not end", "银河与央", ""},
		{"traditional", "中國銀行", "银行"},
		{"full width, upper case", "Ａ股大涨", "a股"},
		{"with a space", "On Climate Change", "climate change"},
		{"invalid UTF-8", "\xff央行\xfe", "央行"},
	} {
		t.Run(test.name, func(t *testing.T) {
			word, ok := l.MatchAnchor(test.text)
			if word != test.want || ok != (test.want != "") {
				t.Errorf("MatchAnchor(%q) = %q, %v; want %q", test.text, word, ok, test.want)
			}
		})
	}
	if word, ok := Compile(nil, nil, 1, SameWord, nil).MatchAnchor("央行"); ok {
		t.Errorf("MatchAnchor without topic words = %q", word)
	}
}

func TestValueAllocatesNothing(t *testing.T) {
	l := Compile(map[string]float64{"w1": 1}, nil, 1, SameWord, []string{"w1"})
	words := make([]string, 12)
	for i := range words {
		words[i] = fmt.Sprintf("w%d", i)
	}
	if n := testing.AllocsPerRun(100, func() { l.Value(words) }); n != 0 {
		t.Errorf("Value allocates %v times, want 0", n)
	}
	if n := testing.AllocsPerRun(100, func() { l.MatchAnchor("今日公告 w1") }); n != 0 {
		t.Errorf("MatchAnchor allocates %v times, want 0", n)
	}
}

// A whole page takes the path that Value reuses memory for.
func TestValueOfManyWords(t *testing.T) {
	l := Compile(map[string]float64{"w1": 1}, nil, 1, SameWord, []string{"w1"})
	words := make([]string, 1000)
	for i := range words {
		words[i] = fmt.Sprintf("w%d", i%500)
	}
	for range 3 {
		if got := l.Value(words); got != 1.0/500 {
			t.Errorf("Value = %v, want 1/500", got)
		}
	}
}

func BenchmarkAnchor(b *testing.B) {
	file, err := Load("../../topics/finance.yaml")
	if err != nil {
		b.Fatal(err)
	}
	user := make([]string, len(file.Words))
	for i, word := range file.Words {
		user[i] = word.Text
	}
	segmenter, err := segment.New(user)
	if err != nil {
		b.Fatal(err)
	}
	l := file.Lexicon()
	const anchor = "央行下调存款准备金率"
	words := segmenter.Words(anchor)
	b.Run("match", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.MatchAnchor(anchor)
		}
	})
	b.Run("value", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Value(words)
		}
	})
}

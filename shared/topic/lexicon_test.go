package topic

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/text/segment"
)

// The compiled lexicon equals the double sum of equation 3.
func TestCompileEqualsTheSum(t *testing.T) {
	topic := map[string]float64{"央行": 1.5, "股市": 0.5, "利率": 2}
	weights := map[string]float64{"央行": 0.25, "银行": 3, "天气": 0.1}
	const mean = 0.75
	sim := func(t string) func(d string) float64 {
		return func(d string) float64 {
			switch [2]string{d, t} {
			case [2]string{"银行", "央行"}:
				return 0.8
			case [2]string{"银行", "利率"}:
				return 0.3
			case [2]string{"央行", "银行"}:
				return 0.9 // the wrong way round: must not count
			}
			return SameWord(t)(d)
		}
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
	got := l.Rel([]string{"a", "b", "c", "d", "e", "f", "known", "new"})
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

// A word weighs the same on both sides; a weight set by hand wins.
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

// English is compared by stems; anchors are matched by the words as written.
func TestEnglishLexicon(t *testing.T) {
	file, err := Parse("t.yaml", []byte("name: x\nlanguage: en\nwords: [economies, bank: 2, banks: 3, central bank]\nadjust: {Companies: 0.5}"))
	if err != nil {
		t.Fatal(err)
	}
	l := file.Lexicon()
	segmenter, err := segment.NewFor(file.Language, file.anchors())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		want float64
	}{
		{"The economy", 1},
		{"banking", 9},
		{"Banks", 9},
		{"central banks", 1},
		{"companies", 0},
		{"weather", 0},
	} {
		if got := l.Value(segmenter.Words(test.text)); got != test.want {
			t.Errorf("Value of %q as %q = %v, want %v", test.text, segmenter.Words(test.text), got, test.want)
		}
	}
	if row, ok := l.Row(file.form("companies")); !ok || row.Value != 0 {
		t.Errorf("Row of an adjusted word = %+v, %v", row, ok)
	}
	for text, want := range map[string]string{"Two economies": "economies", "An economy": "", "Our Central Bank": "central bank"} {
		if got, _ := l.MatchAnchor(text); got != want {
			t.Errorf("MatchAnchor(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMatchAnchor(t *testing.T) {
	l := Compile(map[string]float64{"银行": 1, "央行": 1, "银行业": 1, "a股": 1, "climate change": 1, "ai": 1, "bank": 1, "gdp": 1}, nil, 1, SameWord, nil)
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
		{"Latin inside a word", "email retail embank", ""},
		{"short Latin word that goes on", "first aid", ""},
		{"Latin word that goes on", "Banking", "bank"},
		{"short Latin word in Chinese", "去年GDP增速", "gdp"},
		{"short Latin word before a number", "GDP2024年", "gdp"},
		{"Latin word at the end", "on AI", "ai"},
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

// The rows that inspect shows.
func TestRow(t *testing.T) {
	l := money(t).Lexicon
	for _, test := range []struct {
		word string
		want Row
		ok   bool
	}{
		{"央行", Row{"央行", 0.75, 0.75, []Share{{"央行", 1, 1, 0.75}}}, true},
		{"银行", Row{"银行", 3 * (0.64 + 2*0.09), 3, []Share{
			{"央行", 1, 0.8, 3 * 0.64}, {"利率", 2, 0.3, 3 * 2 * 0.09},
		}}, true},
		{"公司", Row{Word: "公司"}, true}, // similar, with weight 0
		{"天气", Row{Word: "天气"}, true},
		{"新词", Row{}, false},
		{"", Row{}, false},
	} {
		t.Run(test.word, func(t *testing.T) {
			got, ok := l.Row(test.word)
			if diff := cmp.Diff(test.want, got, near); diff != "" || ok != test.ok {
				t.Errorf("Row = %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// near compares stored numbers to seven digits.
var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-6 })

func TestHeaviest(t *testing.T) {
	l := money(t).Lexicon
	for _, test := range []struct {
		n    int
		want []string
	}{
		{-1, []string{}},
		{0, []string{}},
		{2, []string{"银行", "利率"}},
		{99, []string{"银行", "利率", "央行", "股市"}}, // 公司 has weight 0, 天气 no similar topic word
	} {
		words := []string{}
		for _, row := range l.Heaviest(test.n) {
			words = append(words, row.Word)
		}
		if diff := cmp.Diff(test.want, words); diff != "" {
			t.Errorf("Heaviest(%d) (-want +got):\n%s", test.n, diff)
		}
	}
	same := Compile(map[string]float64{"b": 1, "a": 1, "c": 1}, nil, 1, SameWord, []string{"c", "b", "a"}).Heaviest(2)
	if same[0].Word != "a" || same[1].Word != "b" {
		t.Errorf("equal rows come as %v, not by word", same)
	}
}

func TestAll(t *testing.T) {
	l := money(t).Lexicon
	got := maps.Collect(l.All())
	want := map[string]float64{"央行": 0.75, "利率": 1.5, "股市": 0.375, "银行": 3 * (0.8*0.8 + 2*0.3*0.3), "公司": 0, "天气": 0}
	if diff := cmp.Diff(want, got, near); diff != "" || l.Len() != len(want) {
		t.Errorf("All, %d words (-want +got):\n%s", l.Len(), diff)
	}
	for range l.All() {
		break // must stop here
	}
}

// direct is equation 3 of METHOD A8, literally.
func direct(words []string, topic, weights map[string]float64, mean float64, sim Similarity) float64 {
	var sum float64
	for _, d := range words {
		weight, ok := weights[d]
		if !ok {
			weight = mean
		}
		for t, w := range topic {
			sum += weight * w * math.Pow(sim(t)(d), 2)
		}
	}
	if len(words) == 0 {
		return 0
	}
	return sum / float64(len(words))
}

// Random topics over random vocabularies equal the direct sum, from memory and
// from an artifact, with the same bytes on any number of cores.
func TestCompiledEqualsDirect(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	for round := range 30 {
		vocabulary := make([]string, 1+random.IntN(9000))
		weights := make(map[string]float64)
		topic := make(map[string]float64)
		for i := range vocabulary {
			vocabulary[i] = fmt.Sprintf("词%05d", random.IntN(2*len(vocabulary)))
			if random.IntN(2) == 0 {
				weights[vocabulary[i]] = random.ExpFloat64()
			}
			if random.IntN(len(vocabulary)/60+1) == 0 {
				topic[vocabulary[i]] = random.ExpFloat64()
			}
		}
		const mean = 0.3
		l := Compile(topic, weights, mean, nearby, vocabulary)
		c := money(t)
		c.Lexicon = l
		artifact := encode(t, c)
		decoded, err := decodeFor(artifact, atHand)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			words := make([]string, random.IntN(200))
			for i := range words {
				words[i] = vocabulary[random.IntN(len(vocabulary))]
			}
			slices.Sort(words)
			words = slices.Compact(words)
			want := direct(words, topic, weights, mean, nearby)
			for name, l := range map[string]*Lexicon{"compiled": l, "decoded": decoded.Lexicon} {
				rel, value := l.Rel(words).Value, l.Value(words)
				if math.Abs(rel-want) > 1e-6 || value != rel {
					t.Fatalf("round %d, %s: Rel %v, Value %v, direct %v", round, name, rel, value, want)
				}
			}
		}
		before := runtime.GOMAXPROCS(1 + round%3)
		c.Lexicon = Compile(topic, weights, mean, nearby, vocabulary)
		runtime.GOMAXPROCS(before)
		if !bytes.Equal(artifact, encode(t, c)) {
			t.Fatalf("round %d: another number of cores gives another lexicon", round)
		}
	}
}

func BenchmarkAnchor(b *testing.B) {
	file := readTopic(b, "../../topics/finance.yaml")
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

// BenchmarkRel measures the relevance of a page's words against the direct
// double sum over word vectors, for 100,000 words and 400 topic words.
func BenchmarkRel(b *testing.B) {
	l := large(b).Lexicon
	vocabulary := slices.Collect(maps.Keys(maps.Collect(l.All())))
	slices.Sort(vocabulary)
	words := make([]string, 300) // as many as a page of news has
	size := 0
	for i := range words {
		words[i] = vocabulary[i*331]
		if i%10 == 9 {
			words[i] = fmt.Sprint("新词", i)
		}
		size += len(words[i])
	}
	perWord := func(b *testing.B, n int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/word")
	}
	b.Run("value", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			l.Value(words)
		}
		perWord(b, len(words))
	})
	b.Run("explained", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			l.Rel(words)
		}
		perWord(b, len(words))
	})
	b.Run("direct", func(b *testing.B) {
		few := words[:10]
		vectors := make(map[string][]float32)
		for _, word := range slices.Concat(few, vocabulary[:400]) {
			vectors[word] = make([]float32, 100)
			for i := range vectors[word] {
				vectors[word][i] = float32(len(vectors)%7) / 7
			}
		}
		var sum float64
		for b.Loop() {
			for _, d := range few {
				v := vectors[d]
				for _, t := range vocabulary[:400] {
					var dot float32
					for i, x := range vectors[t] {
						dot += x * v[i]
					}
					sum += float64(dot) * float64(dot)
				}
			}
		}
		perWord(b, len(few))
		if math.IsNaN(sum) {
			b.Fatal("no sum")
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		large(b)
	}
}

// Related words count in Rel, but make no anchor pass.
func TestRelatedWords(t *testing.T) {
	file, err := Parse("t.yaml", []byte("name: x\nwords: [央行]\nrelated: [利率: 0.5]"))
	if err != nil {
		t.Fatal(err)
	}
	l := file.Lexicon()
	if got := l.Value([]string{"利率"}); got != 0.25 {
		t.Errorf("Rel of a related word of weight 0.5 = %v, want 0.25", got)
	}
	if word, ok := l.MatchAnchor("利率下调"); ok {
		t.Errorf("MatchAnchor matches the related word %s", word)
	}
	if _, ok := l.MatchAnchor("央行下调利率"); !ok {
		t.Error("MatchAnchor does not match the topic word")
	}
}

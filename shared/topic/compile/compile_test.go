package compile

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

func parseTopic(t testing.TB, yaml string) *topic.File {
	t.Helper()
	file, err := topic.Parse("t.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// world has all inputs: vectors of some words, a lexicon, and weights of some
// words, all of them overlapping.
func world(t testing.TB) Inputs {
	lexicon := sememes(t)
	words := lexicon.Words()
	random := rand.New(rand.NewPCG(7, 7))
	weights := &Weights{Words: make(map[string]float64), Mean: 0.4, Documents: 10}
	for _, word := range words[:len(words)/2] {
		weights.Words[word] = 2 * random.Float64()
	}
	weights.Words["语料词"] = 1.5
	s := DefaultSimilarity()
	s.HowNet = lexicon
	s.Vectors = randomVectors(t, 3, 16, append(words[len(words)/3:len(words):len(words)], "大模型", "區塊鏈", "GDP"))
	return Inputs{
		File: parseTopic(t, `
name: test
words: [银行, 股票: 2.5, 医生, 比赛, 新词组, 中央银行, 区块链]
adjust: {足球: 3, 医生: 0.25}
`),
		Similarity: s,
		Weights:    weights,
		Digests:    Digests{Vectors: "v", HowNet: "h", Weights: "w"},
	}
}

// reload writes a topic and reads it again, as a crawl does.
func reload(t testing.TB, c *topic.Compiled) *topic.Compiled {
	t.Helper()
	data, err := topic.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := topic.Read("x.topic", data)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.ID != c.ID || c.ID == "" {
		t.Errorf("the artifact has ID %s, Compile said %s", loaded.ID, c.ID)
	}
	return loaded
}

func compiled(t testing.TB, in Inputs) (*topic.Compiled, *Report) {
	t.Helper()
	c, report, err := Compile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return c, report
}

// sameOnAllCores compiles a topic on several numbers of cores and returns it.
func sameOnAllCores(t *testing.T, in Inputs) *topic.Compiled {
	t.Helper()
	var first []byte
	var c *topic.Compiled
	for _, cores := range []int{1, 2, 7, 7} {
		before := runtime.GOMAXPROCS(cores)
		c, _ = compiled(t, in)
		runtime.GOMAXPROCS(before)
		data, err := topic.Encode(c)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Errorf("%d cores give another artifact than one", cores)
		}
	}
	return c
}

func TestCompileIsDeterministic(t *testing.T) {
	sameOnAllCores(t, world(t))
}

// Related words count in Rel, but make no anchor pass, before the artifact is
// written and after.
func TestCompileRelatedWords(t *testing.T) {
	c, _ := compiled(t, Inputs{File: parseTopic(t, "name: x\nwords: [央行]\nrelated: [新词组: 2]\n"), Similarity: DefaultSimilarity()})
	for _, c := range []*topic.Compiled{c, reload(t, c)} {
		if got := c.Lexicon.Value([]string{"新词组"}); got != 4 {
			t.Errorf("Rel of a related word is %v, want 4", got)
		}
		if !slices.Contains(c.UserWords, "新词组") {
			t.Errorf("the segmenter learns %q: want the related word among them", c.UserWords)
		}
		if word, ok := c.Lexicon.MatchAnchor("关于新词组"); ok {
			t.Errorf("an anchor passes for %q", word)
		}
		if word, ok := c.Lexicon.MatchAnchor("新词组与央行"); !ok || word != "央行" {
			t.Errorf("an anchor passes for %q, want 央行", word)
		}
	}
}

func TestCompileMeta(t *testing.T) {
	in := world(t)
	before := *in.File
	c, _ := compiled(t, in)
	if diff := gocmp.Diff(before, *in.File); diff != "" {
		t.Errorf("Compile changed its input (-before +after):\n%s", diff)
	}
	m := c.Meta
	m.Segmenter, m.Calibration = segment.Fingerprint{}, nil
	want := topic.Meta{
		Language: "zh", Vectors: "v", HowNet: "h", Weights: "w", MeanWeight: 0.4,
		Similarity: topic.Blend{Th1: in.Similarity.Th1, Th2: in.Similarity.Th2, Alpha: in.Similarity.Alpha, Beta: in.Similarity.Beta},
	}
	if diff := gocmp.Diff(want, m); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
	if c.Meta.Calibration == nil || c.Meta.Calibration.Samples != 0 {
		t.Errorf("calibration %+v: want that of no samples", c.Meta.Calibration)
	}
	if word, ok := c.Lexicon.MatchAnchor("新詞組"); word != "新词组" || !ok {
		t.Errorf("an anchor of 新詞組 matches %q", word)
	}
}

// Without vectors, HowNet and weights a topic is compiled from the file alone.
func TestCompileOfWordsAlone(t *testing.T) {
	file := parseTopic(t, "name: x\nwords: [央行, 股市: 2, 利率]\nadjust: {利率: 3, 公司: 9}\nmean_weight: 0.5\n")
	c, report := compiled(t, Inputs{File: file, Similarity: DefaultSimilarity()})
	plain := file.Lexicon()
	for _, words := range [][]string{{"央行"}, {"股市", "天气"}, {"利率", "公司", "央行"}, nil} {
		if got, want := c.Lexicon.Rel(words), plain.Rel(words); !gocmp.Equal(got, want) {
			t.Errorf("Rel(%q) = %+v, the file says %+v", words, got, want)
		}
	}
	if report.Noise.Surviving != report.Noise.Identity || report.NoVector != nil || report.NotInHowNet != nil {
		t.Errorf("report %+v: nothing is missing of what was not brought", report)
	}
}

// In English words are compared by their stems, however topic, weights and
// vectors spell them.
func TestCompileEnglish(t *testing.T) {
	s := DefaultSimilarity()
	s.Vectors = vectorsOf(t, 2, []string{"Banks", "lenders", "weather"}, func(i int) []float32 {
		return [][]float32{{1, 0}, {1, 0}, {0, 1}}[i]
	})
	in := Inputs{
		File:       parseTopic(t, "name: x\nlanguage: en\nwords: [banking, climate changes]\n"),
		Similarity: s,
		Weights:    &Weights{Words: map[string]float64{"banks": 2, "climate change": 3, "lender": 5, "lenders": 7}, Mean: 1},
	}
	c, _ := compiled(t, in)
	c = reload(t, c)
	segmenter, err := segment.NewFor("en", c.UserWords)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		want float64
	}{
		{"banks", 2 * 2},
		{"Climate changed", 3 * 3},
		{"a lender", 5 * 2 * 0.4 * 0.4}, // Sim is α, by the vectors of Banks and lenders
		{"weather", 0},
		{"banked weather", 2 * 2 / 2.},
	} {
		if got := c.Lexicon.Value(segmenter.Words(test.text)); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("Rel of %q = %v, want %v", test.text, got, test.want)
		}
	}
	if word, ok := c.Lexicon.MatchAnchor("Climate changes again"); !ok || word != "climate changes" {
		t.Errorf("an anchor matches %q: want the topic word as it is written", word)
	}
}

func TestCompileRefuses(t *testing.T) {
	file := parseTopic(t, "name: x\nwords: [央行]\n")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		in   Inputs
		want string
	}{
		{"constants", t.Context(), Inputs{File: file, Similarity: Similarity{Th1: 2}}, "compile topic x: Th1 is 2"},
		{"file", t.Context(), Inputs{File: &topic.File{Name: "x"}}, "compile topic x: "},
		{"weights of one text", t.Context(), Inputs{File: file, Weights: countsOf("央行 股市").Weights()}, "the mean weight of 2 words of 1 documents is 0"},
		{"weights not finite", t.Context(), Inputs{File: file, Weights: &Weights{Words: map[string]float64{"x": math.NaN()}, Mean: 1}}, "not a number"},
		{"cancelled", cancelled, Inputs{File: file, Similarity: DefaultSimilarity()}, "context canceled"},
		{
			"samples", t.Context(),
			Inputs{File: file, Samples: func(context.Context, func(string) []string) (*Samples, error) { return nil, errBroken }},
			"broken file",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, report, err := Compile(test.ctx, test.in)
			if err == nil || !strings.Contains(err.Error(), test.want) || c != nil || report != nil {
				t.Errorf("Compile: %v, %v, %v; want an error with %q", c, report, err, test.want)
			}
		})
	}
	if _, _, err := Compile(cancelled, Inputs{File: file}); !errors.Is(err, context.Canceled) {
		t.Errorf("Compile = %v, want that it was cancelled", err)
	}
}

package compile

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sluice/shared/text/segment"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// direct is equation 3 of METHOD A8, with A5 and A6: it shares only the cosines
// and SimH with the code.
type direct struct {
	Inputs
	vocabulary map[string]bool
}

func newDirect(in Inputs) *direct {
	all := slices.Concat(in.Similarity.HowNet.Words(), slices.Collect(maps.Keys(in.Weights.Words)),
		slices.Collect(maps.Keys(in.File.Adjust)))
	for _, word := range in.Similarity.Vectors.Words() {
		all = append(all, segment.Fold(word))
	}
	for _, word := range in.File.Words {
		all = append(all, word.Text)
	}
	d := &direct{Inputs: in, vocabulary: make(map[string]bool, len(all))}
	for _, word := range all {
		d.vocabulary[word] = true
	}
	return d
}

func (d *direct) weight(word string) float64 {
	if w, ok := d.File.Adjust[word]; ok {
		return w
	}
	for _, t := range d.File.Words {
		if t.Text == word && t.Given {
			return t.Weight
		}
	}
	if w, ok := d.Weights.Words[word]; ok {
		return w
	}
	return d.Weights.Mean
}

func (d *direct) sim(word, topicWord string) float64 {
	if word == topicWord {
		return 1
	}
	spelled := func(word string) string {
		return cmp.Or(map[string]string{"区块链": "區塊鏈", "gdp": "GDP"}[word], word)
	}
	simD, _ := d.Similarity.Vectors.Cosine(spelled(word), spelled(topicWord))
	simH, _ := d.Similarity.HowNet.Similarity(word, topicWord)
	if simD < 0 {
		return 0
	}
	if simD < d.Similarity.Th1 {
		simD = 0
	}
	if simH < d.Similarity.Th2 {
		simH = 0
	}
	result := d.Similarity.Beta*simH + (1-d.Similarity.Beta)*simD
	if simH == 0 {
		result = d.Similarity.Alpha * simD
	}
	if result < d.Similarity.Th1 {
		result = 0
	}
	return result
}

func (d *direct) rel(words []string) float64 {
	sum := 0.0
	for _, word := range words {
		if !d.vocabulary[word] {
			continue
		}
		for _, t := range d.File.Words {
			sum += d.weight(word) * d.weight(t.Text) * math.Pow(d.sim(word, t.Text), 2)
		}
	}
	if len(words) == 0 {
		return 0
	}
	return sum / float64(len(words))
}

// Compiled Rel is the double sum, on any set of words.
func TestCompileEqualsDirect(t *testing.T) {
	in := world(t)
	d := newDirect(in)
	c, _ := compiled(t, in)
	c = reload(t, c)
	random := rand.New(rand.NewPCG(5, 5))
	words := append(slices.Sorted(maps.Keys(d.vocabulary)), "外词", "unheard", "大股")
	nonzero := 0
	for range 2000 {
		text := make([]string, random.IntN(30))
		for i := range text {
			text[i] = words[random.IntN(len(words))]
		}
		slices.Sort(text)
		text = slices.Compact(text)
		got, want := c.Lexicon.Value(text), d.rel(text)
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("Rel(%q) = %v, the double sum is %v", text, got, want)
		}
		if got > 0 {
			nonzero++
		}
	}
	if nonzero < 500 {
		t.Errorf("only %d texts of 2000 have a relevance: the test says little", nonzero)
	}
}

// Compiled Rel equals the double sum from raw HTML, too: traditional
// characters, full-width letters and new words become words of the vocabulary.
func TestCompileEqualsDirectOnHTML(t *testing.T) {
	in := world(t)
	d := newDirect(in)
	c, _ := compiled(t, in)
	c = reload(t, c)
	segmenter, err := segment.NewFor(c.Meta.Language, c.UserWords)
	if err != nil {
		t.Fatal(err)
	}
	base, err := urlnorm.Parse("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, html string
		has        []string // expected words
	}{
		{"simplified", `<title>中央银行发行股票</title><meta name=description content="银行与医生的足球比赛">`, []string{"中央银行", "股票", "医生"}},
		{"traditional", `<title>區塊鏈與銀行</title><meta name=description content="醫生看足球比賽">`, []string{"区块链", "银行", "足球"}},
		{"full width", `<title>ＧＤＰ增长，新词组！</title>`, []string{"gdp", "新词组"}},
		{"nothing known", `<title>天地玄黄</title>`, nil},
		{"empty", ``, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := page.Parse([]byte(test.html), "utf-8", base)
			if err != nil {
				t.Fatal(err)
			}
			words := segmenter.Words(p.Title + "\n" + p.Description)
			for _, word := range test.has {
				if !slices.Contains(words, word) {
					t.Errorf("words %q: want %s among them", words, word)
				}
			}
			if got, want := c.Lexicon.Value(words), d.rel(words); math.Abs(got-want) > 1e-6 {
				t.Errorf("Rel = %v, the double sum is %v", got, want)
			}
		})
	}
}

package compile

import (
	"context"
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/text/segment"
)

// tokens yields words as a segmenter would; those that end in "-" carry no
// content.
func tokens(text string) iter.Seq[segment.Token] {
	return func(yield func(segment.Token) bool) {
		for word := range strings.FieldsSeq(text) {
			form, dropped := strings.CutSuffix(word, "-")
			if !yield(segment.Token{Text: form, Content: !dropped}) {
				return
			}
		}
	}
}

func countsOf(texts ...string) *Counts {
	c := &Counts{}
	for _, text := range texts {
		c.Add(tokens(text))
	}
	return c
}

func TestCounts(t *testing.T) {
	got := countsOf("央行 股市 央行 很-", "", "股市 天气")
	want := &Counts{
		Documents:   2,
		Tokens:      6,
		In:          map[string]int{"央行": 1, "股市": 2, "天气": 1},
		Occurrences: map[string]int{"央行": 2, "股市": 2, "天气": 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got.meanTokens() != 3 || (&Counts{}).meanTokens() != 0 {
		t.Errorf("MeanTokens = %v, of nothing %v; want 3, 0", got.meanTokens(), (&Counts{}).meanTokens())
	}
}

// sequence yields texts, and an error for an empty one.
func sequence(texts ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			var err error
			if text == "" {
				err = errBroken
			}
			if !yield(text, err) {
				return
			}
		}
	}
}

var errBroken = errors.New("broken file")

// Counting on all cores gives the counts of one.
func TestCount(t *testing.T) {
	segmenter, err := segment.New([]string{"央行"})
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 200)
	want := &Counts{}
	for i := range texts {
		texts[i] = strings.Repeat("央行公布新的利率。", i%5+1) + "股市上涨。"
		want.Add(segmenter.Tokens(texts[i]))
	}
	got, err := Count(t.Context(), sequence(texts...), segmenter)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got.In["央行"] != 200 || got.Occurrences["央行"] != 600 {
		t.Errorf("央行 is in %d texts, %d times; want 200, 600", got.In["央行"], got.Occurrences["央行"])
	}
}

func TestCountStops(t *testing.T) {
	segmenter, err := segment.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Count(t.Context(), sequence("股市", "", "股市"), segmenter); !errors.Is(err, errBroken) {
		t.Errorf("Count = %v, want the sequence's error", err)
	}
	endless := func(yield func(string, error) bool) {
		for yield("股市上涨", nil) {
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Count(ctx, endless, segmenter); !errors.Is(err, context.Canceled) {
		t.Errorf("Count = %v, want that it was cancelled", err)
	}
}

// Equation 2, computed by hand.
func TestWeights(t *testing.T) {
	got := countsOf("股市 股市 股市 央行", "央行 利率", "央行 天气", "央行").Weights()
	want := &Weights{
		Words: map[string]float64{
			"股市": 3. / 4 * math.Log(4),
			"央行": 0, // in every text
			"利率": 1. / 4 * math.Log(4),
			"天气": 1. / 4 * math.Log(4),
		},
		Mean:      5. / 16 * math.Log(4),
		Documents: 4,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-15)); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
	if got.Of("股市") != got.Words["股市"] || got.Of("新词") != got.Mean || (*Weights)(nil).Of("新词") != 1 {
		t.Error("Of is the weight, else the mean, else 1")
	}
	if empty := (&Counts{}).Weights(); empty.Mean != 0 || len(empty.Words) != 0 {
		t.Errorf("weights of nothing = %v", empty)
	}
}

func TestClassWeights(t *testing.T) {
	domain := countsOf("股市 我国", "股市 我国", "股市 我国 偶然")
	background := countsOf("我国 天气", "我国 天气", "我国", "我国", "我国", "我国", "我国")
	got := ClassWeights(domain, background, 3)
	want := &Weights{
		Words: map[string]float64{
			"股市": math.Log((3.5/4)/(0.5/8)) * 3 / 6,
			"偶然": math.Log((1.5/4)/(0.5/8)) * 1 / 4,
			"我国": 0, // (3.5/4)/(7.5/8) is below 1
			"天气": 0,
		},
		Documents:  3,
		Background: 7,
	}
	want.Mean = (want.Words["股市"] + want.Words["偶然"]) / 4
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-15)); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}

func TestDictionaryBackground(t *testing.T) {
	domain := countsOf("股市 我国 新词 很-", "股市 我国 很- 很-") // 4 tokens a text
	background := dictionaryBackground(domain, func(word string) float64 {
		return stopWordShare * map[string]float64{"我国": 0.5, "股市": 0.001}[word]
	})
	want := map[string]int{
		"我国": int(math.Round(1e6 * (1 - math.Exp(-0.5*1.3*4)))),
		"股市": int(math.Round(1e6 * (1 - math.Exp(-0.001*1.3*4)))),
		"新词": 0,
	}
	if diff := cmp.Diff(want, background.In); diff != "" {
		t.Errorf("texts that contain the word (-want +got):\n%s", diff)
	}
	w := ClassWeights(domain, background, 1)
	if !(w.Words["新词"] > w.Words["股市"]) || w.Words["我国"] != 0 || !(w.Words["股市"] > 1) {
		t.Errorf("class weights %v: want rare words of the language above common ones", w.Words)
	}
}

func TestAtMost(t *testing.T) {
	w := &Weights{Words: map[string]float64{"股市": 3, "央行": 1, "利率": 2}}
	w.atMost(&Weights{Words: map[string]float64{"股市": 1, "央行": 3}})
	want := &Weights{Words: map[string]float64{"股市": 1, "央行": 1, "利率": 2}, Mean: 4. / 3}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}

func TestKnow(t *testing.T) {
	for _, test := range []struct {
		name   string
		before map[string]float64
		topic  []string
		after  map[string]float64
	}{
		{
			"absent, and without weight", map[string]float64{"股市": 3, "央行": 1, "利率": 0, "天气": 0, "公司": 9},
			[]string{"股市", "央行", "利率", "新词"}, map[string]float64{"股市": 3, "央行": 1, "利率": 2, "新词": 2, "天气": 0, "公司": 9},
		},
		{"all known", map[string]float64{"股市": 3, "天气": 0}, []string{"股市"}, map[string]float64{"股市": 3, "天气": 0}},
		{"none known", map[string]float64{"天气": 2, "股市": 0}, []string{"股市", "新词"}, map[string]float64{"天气": 2, "股市": 0}},
		{"no weights", nil, []string{"股市"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &Weights{Words: test.before, Mean: 0.5}
			w.Know(test.topic)
			if diff := cmp.Diff(&Weights{Words: test.after, Mean: 0.5}, w); diff != "" {
				t.Errorf("weights (-want +got):\n%s", diff)
			}
		})
	}
}

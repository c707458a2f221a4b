package compile

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	in := world(t)
	c, r := compiled(t, in)
	if r.Vocabulary != c.Lexicon.Len() || r.TopicWords != 7 || r.HowNet != len(in.Similarity.HowNet.Words()) || r.Bytes == 0 {
		t.Errorf("report %+v", r)
	}
	n := r.Noise
	if n.Pairs != r.Vocabulary*r.TopicWords || n.Identity != 7/float64(n.Pairs) || n.HowNet == 0 || n.Vectors == 0 ||
		math.Abs(n.Surviving-n.Identity-n.HowNet-n.Vectors) > 1e-12 {
		t.Errorf("noise %+v", n)
	}
	if len(r.Heaviest) != 30 || r.Words.Count != r.Vocabulary || !(0 < r.Words.Reaching && r.Words.Reaching < 1) {
		t.Errorf("%d heaviest words, c spreads as %+v", len(r.Heaviest), r.Words)
	}
	if diff := gocmp.Diff([]string{"新词组", "中央银行", "区块链"}, r.NotInHowNet); diff != "" {
		t.Errorf("not in HowNet (-want +got):\n%s", diff)
	}
	if !slices.Contains(r.NotOneWord, "新词组") || slices.Contains(r.NotOneWord, "银行") {
		t.Errorf("not one word: %q", r.NotOneWord)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bytes", "composed_vector", "heaviest", "hownet_words", "new_words", "no_vector", "noise",
		"not_in_hownet", "not_one_word", "topic_words", "vector_words", "vocabulary", "words",
	}
	if diff := gocmp.Diff(want, slices.Sorted(maps.Keys(keys))); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// The segmenter keeps important words of the vectors that the dictionary would
// split; words that the filter by part of speech drops stay dropped.
func TestNewWords(t *testing.T) {
	vectors := vectorsOf(t, 2, []string{"银行", "大模型库", "无关词组", "非常", "的"}, func(i int) []float32 {
		return [][]float32{{1, 0}, {1, 0.1}, {0, 1}, {1, 0.1}, {1, 0.1}}[i]
	})
	s := DefaultSimilarity()
	s.Vectors = vectors
	c, report := compiled(t, Inputs{File: parseTopic(t, "name: x\nwords: [银行]\n"), Similarity: s})
	if diff := gocmp.Diff([]string{"银行", "大模型库"}, c.UserWords); diff != "" {
		t.Errorf("user words (-want +got):\n%s", diff)
	}
	if report.NewWords != 1 {
		t.Errorf("%d new words, want 1", report.NewWords)
	}
}

package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/text/segment"
)

// atHand is the fingerprint of the segmenter of these tests.
func atHand(language string) segment.Fingerprint {
	return segment.Fingerprint{Dictionary: "d1", StopWords: "s1", PartsOfSpeech: "p1", Conversion: "c1", Rules: language}
}

const compiledYAML = `
name: money
words: [央行, 利率: 2, 股市]
adjust: {公司: 0}
seeds: ["https://a.example/"]
scope: {mode: host, allow: ["*.b.example"]}
thresholds: {priority: 0.2, body: 0.5}
budgets: {max_duration: 90s}
`

// money is a small compiled topic: 央行, 利率 and 股市, with 银行 similar to two
// of them, 公司 weighed to 0, and 天气 similar to none.
func money(tb testing.TB) *Compiled {
	tb.Helper()
	file, err := Parse("money.yaml", []byte(compiledYAML))
	if err != nil {
		tb.Fatal(err)
	}
	file.Strategy, file.Implied = "", false // as the first programs compiled it
	sims := map[[2]string]float64{{"银行", "央行"}: 0.8, {"银行", "利率"}: 0.3, {"公司", "股市"}: 0.5}
	sim := func(t string) func(d string) float64 {
		return func(d string) float64 { return max(sims[[2]string{d, t}], SameWord(t)(d)) }
	}
	return &Compiled{
		File: file,
		Lexicon: Compile(map[string]float64{"央行": 1, "利率": 2, "股市": 0.5}, map[string]float64{"银行": 3, "公司": 0}, 0.75, sim,
			[]string{"天气", "央行", "利率", "股市", "银行", "公司", "央行"}),
		UserWords: []string{"央行", "利率", "股市", "大模型"},
		Meta: Meta{
			Segmenter:  atHand("zh"),
			Similarity: Blend{Th1: 0.3, Th2: 0.5, Alpha: 0.4, Beta: 0.6},
			Vectors:    "abc", MeanWeight: 0.75,
			Calibration: &Calibration{Samples: 3, Fallback: 0.06, Spread: []Distribution{Spread("body", []float64{0, 1, 2}, 1)}},
		},
	}
}

func encode(tb testing.TB, c *Compiled) []byte {
	tb.Helper()
	data, err := Encode(c)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Decoding returns the encoded topic, which works the same.
func TestArtifact(t *testing.T) {
	want := money(t)
	data := encode(t, want)
	got, err := decodeFor(data, atHand)
	if err != nil {
		t.Fatal(err)
	}
	meta := want.Meta
	meta.Version, meta.Language = formatVersion, "zh"
	for _, part := range []struct {
		name      string
		want, got any
	}{
		{"File", want.File, got.File},
		{"Meta", meta, got.Meta},
		{"UserWords", want.UserWords, got.UserWords},
		{"Heaviest", want.Lexicon.Heaviest(99), got.Lexicon.Heaviest(99)},
		{"Len", 6, got.Lexicon.Len()},
	} {
		if diff := cmp.Diff(part.want, part.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", part.name, diff)
		}
	}
	words := []string{"央行", "银行", "天气", "公司", "新词"}
	if diff := cmp.Diff(want.Lexicon.Rel(words), got.Lexicon.Rel(words)); diff != "" {
		t.Errorf("Rel (-want +got):\n%s", diff)
	}
	if word, ok := got.Lexicon.MatchAnchor("今日股市"); !ok || word != "股市" {
		t.Errorf("MatchAnchor = %q, %v", word, ok)
	}
	if sum := sha256.Sum256(data[:len(data)-sha256.Size]); got.ID != hex.EncodeToString(sum[:]) {
		t.Errorf("ID = %s, not the checksum", got.ID)
	}
	if !bytes.Equal(data, encode(t, got)) {
		t.Error("what was decoded is encoded to other bytes")
	}
	if !bytes.Equal(data, encode(t, money(t))) {
		t.Error("the same topic is encoded to other bytes")
	}
}

// The format may change with its version only: raise formatVersion and update
// the checksum when this fails.
func TestArtifactFormat(t *testing.T) {
	const version, checksum = 1, "c1a10b55a655ad98"
	data := encode(t, money(t))
	if got := hex.EncodeToString(data[len(data)-sha256.Size:]); formatVersion != version || got[:16] != checksum {
		t.Errorf("version %d has checksum %.16s, want version %d with %s", formatVersion, got, version, checksum)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(c *Compiled)
		want   string
	}{
		{"an invalid file", func(c *Compiled) { c.File.Weights.Lambda = 1 }, "lambda is"},
		{"an infinite threshold", func(c *Compiled) { c.File.Thresholds.Body = math.Inf(1) }, "encode topic file"},
		{"an infinite mean", func(c *Compiled) { c.Meta.MeanWeight = math.NaN() }, "encode parameters"},
		{"infinite values", func(c *Compiled) {
			c.Lexicon = Compile(map[string]float64{"a": math.MaxFloat64}, nil, 10, SameWord, []string{"a"})
		}, "number 0 is 1.79"},
		{"an invalid user word", func(c *Compiled) { c.UserWords = []string{"央行", "、"} }, "not a word"},
		{"no words but related ones", func(c *Compiled) {
			for i := range c.File.Words {
				c.File.Words[i].Related = true
			}
		}, "add words of the topic"},
		{"a topic file beyond all size", func(c *Compiled) { c.File.Seeds = []string{strings.Repeat("x", maxJSON)} }, "at most"},
		{"words not in UTF-8", func(c *Compiled) { c.UserWords = []string{"\xff"} }, "UTF-8"},
		{"too large", func(c *Compiled) { c.UserWords = []string{strings.Repeat("x", maxArtifact)} }, "size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := money(t)
			test.change(c)
			data, err := Encode(c)
			if data != nil || err == nil || !strings.Contains(err.Error(), "encode topic money: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Encode = %d bytes, %v; want an error with %q", len(data), err, test.want)
			}
		})
	}
}

// A topic without any word in its vocabulary is a topic.
func TestArtifactOfEmptyLexicon(t *testing.T) {
	c := money(t)
	c.Lexicon = Compile(nil, nil, 1, SameWord, nil)
	got, err := decodeFor(encode(t, c), atHand)
	if err != nil {
		t.Fatal(err)
	}
	if rel := got.Lexicon.Rel([]string{"央行"}); rel.Value != 0 || rel.OOV != 1 {
		t.Errorf("Rel = %+v, want nothing known", rel)
	}
}

func TestLoadAny(t *testing.T) {
	c := money(t)
	c.Meta.Segmenter = segment.FingerprintOf("zh")
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	artifact := encode(t, c)
	compiled, err := LoadAny(write("money.topic", artifact))
	if err != nil {
		t.Fatal(err)
	}
	if got := compiled.Lexicon.Value([]string{"银行"}); got != 3*(0.8*0.8+2*0.3*0.3) {
		t.Errorf("compiled c(银行) = %v", got)
	}
	file, err := LoadAny(write("money.yaml", []byte(compiledYAML)))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(compiledYAML))
	if got := file.Lexicon.Value([]string{"利率"}); got != 4 || file.ID != hex.EncodeToString(sum[:]) {
		t.Errorf("c(利率) = %v, ID %s", got, file.ID)
	}
	if diff := cmp.Diff([]string{"央行", "利率", "股市"}, file.UserWords); diff != "" {
		t.Errorf("UserWords (-want +got):\n%s", diff)
	}

	if data, err := ReadSource(write("huge.yaml", make([]byte, 4*maxBytes))); err != nil || len(data) != maxBytes+1 {
		t.Errorf("ReadSource of a huge topic file = %d bytes, %v; want %d", len(data), err, maxBytes+1)
	}
	path := write("half.topic", artifact[:len(artifact)/2])
	if _, err := LoadAny(path); !errors.Is(err, ErrTruncated) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("LoadAny of half an artifact = %v", err)
	}
	var problems Problems
	if _, err := LoadAny(write("bad.yaml", []byte("name: x"))); !errors.As(err, &problems) {
		t.Errorf("LoadAny of a bad topic file = %v, want Problems", err)
	}
	if _, err := LoadAny(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("LoadAny of a missing file = %v, want ErrNotExist", err)
	}
}

// large is a topic of the documented size: 100,000 words, 400 topic words, more
// than a fifth of the vocabulary similar to some of them.
func large(tb testing.TB) *Compiled {
	tb.Helper()
	c := money(tb)
	words := make([]string, 100_000)
	for i := range words {
		words[i] = fmt.Sprintf("词%05d语", i)
	}
	topic := make(map[string]float64, 400)
	for i := range 400 {
		topic[words[i*250]] = 1 + float64(i%7)/4
	}
	c.Lexicon = Compile(topic, nil, 0.1, nearby, words)
	return c
}

// nearby gives words similarity by the distance of their numbers.
func nearby(t string) func(d string) float64 {
	number := func(word string) (n int) {
		for _, r := range word {
			if '0' <= r && r <= '9' {
				n = 10*n + int(r-'0')
			}
		}
		return n
	}
	center := number(t)
	return func(d string) float64 {
		distance := number(d) - center
		if distance < 0 {
			distance = -distance
		}
		return max(0, 1-float64(distance)/30)
	}
}

func TestLargeArtifactIsSmall(t *testing.T) {
	c := large(t)
	data := encode(t, c)
	if similar := c.Lexicon.table.similar(); similar < 20_000 || len(data) > 3<<20 {
		t.Errorf("%d bytes for %d words, %d with a similar topic word: want at most 3 MiB, and 20,000", len(data), c.Lexicon.Len(), similar)
	}
}

func BenchmarkLoad(b *testing.B) {
	c := large(b)
	c.Meta.Segmenter = segment.FingerprintOf("zh")
	path := filepath.Join(b.TempDir(), "large.topic")
	data := encode(b, c)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadAny(path); err != nil {
			b.Fatal(err)
		}
	}
}

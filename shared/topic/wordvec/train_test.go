package wordvec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sentences is a corpus in memory.
type sentences [][]string

func (s sentences) Sentences(context.Context) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for _, sentence := range s {
			if !yield(sentence, nil) {
				return
			}
		}
	}
}

// twoTopics is text in which words of a topic occur together.
func twoTopics(words int) sentences {
	random := rand.New(rand.NewPCG(1, 2))
	topics := [][]string{
		strings.Fields("股票 基金 银行 债券 利率 央行 汇率 通胀 经济 市场"),
		strings.Fields("足球 篮球 球员 教练 联赛 决赛 冠军 进球 球队 比赛"),
	}
	both := strings.Fields("今天 记者 报道 北京 中国")
	var text sentences
	for n := 0; n < words; n += 10 {
		topic := topics[random.IntN(len(topics))]
		var sentence []string
		for range 8 {
			sentence = append(sentence, topic[random.IntN(len(topic))])
		}
		for range 2 {
			sentence = append(sentence, both[random.IntN(len(both))])
		}
		random.Shuffle(len(sentence), func(i, j int) { sentence[i], sentence[j] = sentence[j], sentence[i] })
		text = append(text, sentence)
	}
	return text
}

// quick trains small vectors.
func quick() Training { return Training{Dim: 16, Threads: 1, Epochs: 3, Seed: 1} }

func TestTrainLearnsTopics(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("%d threads", threads), func(t *testing.T) {
			options := quick()
			options.Threads = threads
			options.Sample = 1
			var reports []Progress
			options.Progress = func(p Progress) { reports = append(reports, p) }
			text := twoTopics(100_000)
			v, err := Train(t.Context(), text, options)
			if err != nil {
				t.Fatal(err)
			}
			if v.Len() != 25 || v.Dim() != 16 {
				t.Errorf("%d words of %d components", v.Len(), v.Dim())
			}
			for _, n := range v.Nearest("股票", 9) {
				if !strings.Contains("基金 银行 债券 利率 央行 汇率 通胀 经济 市场", n.Word) {
					t.Errorf("near 股票: %v", n)
				}
			}
			last := reports[len(reports)-1]
			if last.Words != 300_000 || last.TotalWords != 300_000 || last.Epoch != 3 || last.ETA != 0 || last.WordsPerSecond <= 0 {
				t.Errorf("last report %+v", last)
			}
			// Not the loss of the first report: with four blocks, eight threads
			// are then already in the second epoch.
			if untrained := 6 * math.Ln2; last.Loss <= 0 || last.Loss >= 0.75*untrained {
				t.Errorf("loss %v at last, %v of one that knows nothing", last.Loss, untrained)
			}
		})
	}
}

func TestTrainOrdersWords(t *testing.T) {
	text := sentences{
		{"b", "b", "c", "a", "a", "climate change", "d"},
		{"b", "", "c\td", strings.Repeat("x", maxWord+1), "climate change"},
	}
	tests := []struct {
		name    string
		options Training
		want    []string
	}{
		{"all", Training{MinCount: 1}, []string{"b", "a", "climate_change", "c", "d"}},
		{"frequent", Training{MinCount: 2}, []string{"b", "a", "climate_change"}},
		{"at most two", Training{MinCount: 1, MaxVocabulary: 2}, []string{"b", "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Dim = 4
			v, err := Train(t.Context(), text, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, v.Words()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !v.Has("b") || v.Has("climate change") == (tt.options.MaxVocabulary == 2) {
				t.Error("Has does not find words, or finds others")
			}
		})
	}
}

func TestTrainIsDeterministic(t *testing.T) {
	text := twoTopics(100_000)
	bytesOf := func(seed uint64) []byte {
		options := quick()
		options.Seed = seed
		v, err := Train(t.Context(), text, options)
		if err != nil {
			t.Fatal(err)
		}
		return binaryOf(t, v)
	}
	first := bytesOf(1)
	if !bytes.Equal(first, bytesOf(1)) {
		t.Error("the same seed gives other vectors")
	}
	if bytes.Equal(first, bytesOf(2)) {
		t.Error("another seed gives the same vectors")
	}
}

func binaryOf(t *testing.T, v *Vectors) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := v.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// interrupted trains until so many blocks are done, then stops.
func interrupted(t *testing.T, text Corpus, options Training, blocks int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	options.Progress = func(Progress) {
		if blocks--; blocks == 0 {
			cancel()
		}
	}
	if _, err := Train(ctx, text, options); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted training: %v", err)
	}
}

func TestTrainResumes(t *testing.T) {
	text := twoTopics(150_000)
	whole, err := Train(t.Context(), text, quick())
	if err != nil {
		t.Fatal(err)
	}
	options := quick()
	options.Checkpoint = filepath.Join(t.TempDir(), "training")
	interrupted(t, text, options, 2)
	interrupted(t, text, options, 4)
	first := int64(0)
	options.Progress = func(p Progress) {
		if first == 0 {
			first = p.Words
		}
	}
	resumed, err := Train(t.Context(), text, options)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(binaryOf(t, whole), binaryOf(t, resumed)) {
		t.Error("a resumed training gives other vectors")
	}
	if first < 6*blockWords {
		t.Errorf("the first report after resuming is at %d words", first)
	}
	var reports []Progress
	options.Progress = func(p Progress) { reports = append(reports, p) }
	again, err := Train(t.Context(), text, options)
	if len(reports) != 1 || reports[0].Words != 450_000 || reports[0].Epoch != 3 || reports[0].Loss <= 0 {
		t.Errorf("a finished training reports %+v", reports)
	}
	if err != nil || !bytes.Equal(binaryOf(t, whole), binaryOf(t, again)) {
		t.Errorf("a finished training gives other vectors, or %v", err)
	}
	files, err := os.ReadDir(filepath.Dir(options.Checkpoint))
	if err != nil || len(files) != 1 {
		t.Errorf("files left: %v, %v", files, err)
	}
}

func TestTrainRefusesCheckpoints(t *testing.T) {
	text := twoTopics(100_000)
	options := quick()
	options.Checkpoint = filepath.Join(t.TempDir(), "training")
	interrupted(t, text, options, 1)
	good, err := os.ReadFile(options.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int, to byte) []byte {
		data := bytes.Clone(good)
		data[(at+len(data))%len(data)] ^= to
		return data
	}
	other := options
	other.Seed++
	swapped := append(sentences{text[1], text[0]}, text[2:]...)
	tests := []struct {
		name    string
		text    Corpus
		options Training
		data    []byte
		want    string
	}{
		{"other text", twoTopics(110_000), options, good, "another text"},
		{"the same words in another order", swapped, options, good, "another text"},
		{"other options", text, other, good, "other options"},
		{"empty", text, options, nil, "not a checkpoint"},
		{"another file", text, options, []byte(strings.Repeat("PK\x03\x04", 100)), "not a checkpoint"},
		{"another version", text, options, changed(8, 0x40), "version 65"},
		{"a changed value", text, options, changed(200, 1), "damaged"},
		{"a changed position", text, options, changed(28, 1), "damaged"},
		{"a changed checksum", text, options, changed(-1, 1), "damaged"},
		{"cut short", text, options, good[:len(good)-100], "damaged"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(options.Checkpoint, tt.data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Train(t.Context(), tt.text, tt.options)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), options.Checkpoint) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
			if kept, _ := os.ReadFile(options.Checkpoint); !bytes.Equal(kept, tt.data) {
				t.Error("the refused file was changed")
			}
		})
	}
}

// broken is a corpus that fails in the given pass, from 1.
type broken struct {
	sentences
	pass *int
	at   int
}

var errBroken = errors.New("disk on fire")

func (b broken) Sentences(ctx context.Context) iter.Seq2[[]string, error] {
	*b.pass++
	if *b.pass < b.at {
		return b.sentences.Sentences(ctx)
	}
	return func(yield func([]string, error) bool) { yield(nil, errBroken) }
}

func TestTrainErrors(t *testing.T) {
	text := twoTopics(1000)
	tests := []struct {
		name    string
		text    Corpus
		options Training
		want    string
	}{
		{"no text", sentences{}, Training{}, "no word occurs 5 times"},
		{"rare words", sentences{{"a", "b"}}, Training{}, "no word occurs 5 times"},
		{"single words", sentences{{"a"}, {"a"}}, Training{MinCount: 1}, "no two known words"},
		{"first pass", broken{text, new(int), 1}, Training{}, "count words: disk on fire"},
		{"second pass", broken{text, new(int), 2}, Training{}, "write word ids: disk on fire"},
		{"dim", text, Training{Dim: -1}, "dim is -1"},
		{"dim and rate", text, Training{Dim: maxDim + 1, LearningRate: 1e9}, "learning rate is 1e+09"},
		{"no folder", text, Training{Checkpoint: filepath.Join(t.TempDir(), "x", "y")}, "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Train(t.Context(), tt.text, tt.options)
			if err == nil || v != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v; want an error with %q", v, err, tt.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, text, Training{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

// TestCountForgetsRareWords checks that memory is bounded if every word is new.
func TestCountForgetsRareWords(t *testing.T) {
	var text sentences
	for i := range 3 * roomToCount {
		text = append(text, []string{fmt.Sprintf("new%d", i), "often", "a", "b"}[:2+i%3])
	}
	v, err := countWords(t.Context(), text, 5, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"often", "a", "b"}, v.words); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if v.counts[0] != 3*roomToCount {
		t.Errorf("often counts %d", v.counts[0])
	}
}

// TestSpool checks that ids are read back, with long sentences cut.
func TestSpool(t *testing.T) {
	vocab := small(300)
	var text sentences
	var want [][]int32
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 300 {
		length *= 8
		var words []string
		var ids []int32
		for range length {
			id := int32(random.IntN(300))
			words, ids = append(words, vocab.words[id], "unknown"), append(ids, id)
		}
		text = append(text, words)
		for ; len(ids) > maxSentence; ids = ids[maxSentence:] {
			want = append(want, ids[:maxSentence])
		}
		if len(ids) > 1 {
			want = append(want, ids)
		}
	}
	dir := t.TempDir()
	s, err := newSpool(t.Context(), text, vocab, dir)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int32
	words := int64(0)
	var buffer []byte
	for i, b := range s.blocks {
		if b.before != words {
			t.Errorf("block %d begins at word %d, not %d", i, words, b.before)
		}
		if buffer, err = s.read(i, buffer); err != nil {
			t.Fatal(err)
		}
		for rest := buffer; len(rest) > 0; {
			var sentence []int32
			rest, sentence = nextSentence(rest, nil)
			got = append(got, sentence)
			words += int64(len(sentence))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || words != s.words || len(s.blocks) < 3 {
		t.Errorf("%d words in %d blocks, %d said (-want +got):\n%.1000s", words, len(s.blocks), s.words, diff)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

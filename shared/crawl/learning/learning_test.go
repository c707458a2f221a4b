package learning_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"sluice/shared/crawl/learning"
	"sluice/shared/crawl/plan"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/topic"
)

// bucket is a bucket in memory.
type bucket map[string][]byte

func (b bucket) Sized(_ context.Context, prefix string) (keys []string, size int64, err error) {
	for key, data := range b {
		if strings.HasPrefix(key, prefix) {
			keys, size = append(keys, key), size+int64(len(data))
		}
	}
	slices.Sort(keys)
	return keys, size, nil
}

func (b bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	data, err := b.Get(ctx, key, 0)
	return io.NopCloser(bytes.NewReader(data)), err
}

func (b bucket) Get(_ context.Context, key string, _ int64) ([]byte, error) {
	if data, ok := b[key]; ok {
		return data, nil
	}
	return nil, errors.New("no " + key)
}

func (b bucket) Put(_ context.Context, key string, data []byte, _ string) error {
	b[key] = data
	return nil
}

type topics struct{ b bucket }

func (t topics) Get(_ context.Context, key string) (*topic.Compiled, error) {
	return topic.Read(key, t.b[key])
}

const source = "name: money\nlanguage: zh\nwords: [股市, 银行, 利率: 1.5]\nstrategy: adaptive\nseeds: ['http://a.test/']\n"

// crawled is a bucket after a crawl that has kept pages about 国债, and passed over others
// about football.
func crawled(t *testing.T, kept, passed int) bucket {
	t.Helper()
	b := bucket{"topics/t.yaml": []byte(source)}
	add := func(key string, line []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		b[key] = append(b[key], line...)
	}
	for i := range kept {
		d := corpus.Document{URL: fmt.Sprintf("http://h%d.test/s%d/%d", i%3, i%2, i), Title: "股市的消息", Language: "zh",
			Text: fmt.Sprintf("股市和银行的消息说，国债的发行和利率有关，投资者把国债卖给银行，这是今年的第%d次，城市里的人都在谈论这件事情。", i)}
		line, err := d.AppendJSON(nil)
		add(fmt.Sprintf("corpus/one/%d.jsonl", i/10), line, err)
	}
	for i := range passed {
		r := corpus.Reject{URL: fmt.Sprintf("http://h%d.test/g%d/%d", i%3, i%2, i), Title: "球队的消息", Rule: "description_threshold",
			OffTopic: &corpus.OffTopic{SampledOneIn: 1, Description: "球队的消息", Text: fmt.Sprintf("球队和球员的消息说，足球的联赛和教练有关，观众把门票卖给球迷，这是今年的第%d次，孩子们也在学校里听说了。", i)}}
		line, err := r.AppendJSON(nil)
		add(fmt.Sprintf("rejects/one/%d.jsonl", i/10), line, err)
	}
	b["corpus/two/0.jsonl"] = []byte("of another crawl\n")
	b["corpus/one/mine/0.jsonl"] = b["corpus/one/0.jsonl"] // of a user's archive
	delete(b, "corpus/one/0.jsonl")
	return b
}

// A crawl learns from its records, and from no others; the topic is stored under what is in
// it, so that to learn again changes nothing.
func TestLearn(t *testing.T) {
	b := crawled(t, 60, 90)
	l := learning.New(learning.Ports{Topics: topics{b}, Objects: b}, slog.New(slog.DiscardHandler))
	j := &job.Job{ID: "one", Topic: "topics/t.yaml", Strategy: "adaptive"}
	words, err := l.Learn(t.Context(), j)
	if err != nil || words == nil {
		t.Fatalf("learned %+v, %v", words, err)
	}
	var found []string
	for _, w := range words.Learned {
		found = append(found, w.Word)
	}
	if !slices.Contains(found, "国债") || slices.Contains(found, "足球") {
		t.Errorf("learned %v", found)
	}
	learned, err := topics{b}.Get(t.Context(), words.Key)
	if err != nil || plan.TopicVersion(learned) != words.Version {
		t.Errorf("stored as %s, noted as %s, %v", plan.TopicVersion(learned), words.Version, err)
	}
	if words.Thresholds != job.Thresholds(learned.File.Thresholds) || learned.File.Strategy != "adaptive" {
		t.Errorf("%+v, stored with %+v", words, learned.File)
	}
	objects := len(b)
	if again, err := l.Learn(t.Context(), j); err != nil || again.Key != words.Key || len(b) != objects {
		t.Errorf("again %+v, %v, %d objects, %d before", again, err, len(b), objects)
	}
}

// Where there is too little to learn from, or a topic that was compiled, the words stay.
func TestNothingLearned(t *testing.T) {
	file, err := topic.Parse("t.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	artifact, err := topic.Encode(file.Compiled())
	if err != nil {
		t.Fatal(err)
	}
	few, compiled := crawled(t, 3, 2), crawled(t, 60, 90)
	compiled["topics/t.yaml"] = artifact
	for name, b := range map[string]bucket{"few texts": few, "a compiled topic": compiled} {
		l := learning.New(learning.Ports{Topics: topics{b}, Objects: b}, slog.New(slog.DiscardHandler))
		objects := len(b)
		words, err := l.Learn(t.Context(), &job.Job{ID: "one", Topic: "topics/t.yaml", Strategy: "adaptive"})
		if err != nil || words != nil || len(b) != objects {
			t.Errorf("%s: learned %+v, %v", name, words, err)
		}
	}
	missing := bucket{}
	l := learning.New(learning.Ports{Topics: topics{missing}, Objects: missing}, slog.New(slog.DiscardHandler))
	if words, err := l.Learn(t.Context(), &job.Job{ID: "one", Topic: "topics/t.yaml"}); err == nil {
		t.Errorf("without a topic: %+v", words)
	}
}

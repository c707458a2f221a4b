package reading_test

import (
	"sync"
	"testing"

	"sluice/shared/crawl/reading"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// segmenter is made once: it takes a while.
var segmenter = sync.OnceValues(func() (*segment.Segmenter, error) {
	return segment.NewFor("zh", []string{"股市", "银行"})
})

// newReader returns a reader for a topic of two words.
func newReader(t testing.TB) *reading.Reader {
	t.Helper()
	seg, err := segmenter()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]float64{"股市": 1, "银行": 1}
	return &reading.Reader{
		Topic: "money", TopicVersion: "v1", Language: "zh", Segmenter: seg,
		Lexicon:              topic.Compile(words, words, 1, topic.SameWord, []string{"股市", "银行"}),
		DescriptionThreshold: 0.3,
	}
}

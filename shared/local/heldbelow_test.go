package local

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

// A page without any word of the topic stays among the rejects where one with some would
// become a document.
func TestHeldBelowTheCut(t *testing.T) {
	t.Parallel()
	file, err := topic.Parse("topic.yaml", []byte("name: money\nwords: [股市]\nseeds: ['http://a.test/']\nthresholds: {description: 0.3, priority: 0.45}\n"))
	if err != nil {
		t.Fatal(err)
	}
	prose, err := compile.NewProse("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	var money, weather []string
	for i := range rune(20) {
		money, weather = append(money, string([]rune{'金' + i, '钱'})), append(weather, string([]rune{'天' + i, '气'}))
	}
	s := &compile.Samples{}
	for i := range 30 {
		s.Add(compile.Sample{Body: slices.Concat([]string{"股市"}, money[i%10:], weather[:i%7]), Fate: compile.Kept})
		s.Add(compile.Sample{Body: slices.Concat(weather[i%10:], money[:i%7]), Fate: compile.PassedOver})
	}
	by, err := compile.LearnFeedback(file, s, prose)
	if err != nil {
		t.Fatal(err)
	}
	p, tried := &secondLook{by: by, words: strings.Fields}, 0
	for m := range money {
		for w := range weather {
			words := slices.Concat(money[:m], weather[:w])
			if v := by.Value(words); v < by.ThresholdOf(true) || v >= by.ThresholdOf(false) {
				continue
			}
			tried++
			r := &corpus.Reject{Rule: reading.RuleDescription, OffTopic: &corpus.OffTopic{Text: strings.Join(words, " "), SampledOneIn: 4}}
			line, err := r.AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			if left, err := p.reject(t.Context(), line); err != nil || !bytes.Equal(left, line) {
				t.Errorf("%v: left is %s, %v", words, left, err)
			}
		}
	}
	if tried == 0 {
		t.Error("no text is between the two thresholds")
	}
}

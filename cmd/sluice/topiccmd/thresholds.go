package topiccmd

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"sluice/shared/topic"
)

// threshold is one of a topic's, and where it comes from.
type threshold struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	From    string  `json:"from"`
	Clamped bool    `json:"clamped"` // the samples were no guide: drawn in to what is sane
}

// The values of threshold.From.
const (
	byHand     = "by hand"    // the author of the topic file wrote it
	calibrated = "calibrated" // on samples
	byFallback = "fallback"   // by the weights of the topic words; there were no samples for it
	asFile     = "default"    // of topic files: the topic is not compiled
)

// thresholdsOf tells the thresholds of a topic, and λ, which goes with them.
func thresholdsOf(c *topic.Compiled) []threshold {
	t, given := c.File.Thresholds, c.File.Given
	list := []threshold{
		{Name: "description", Value: t.Description, From: origin(c, "description", given.Description)},
		{Name: "body", Value: t.Body, From: origin(c, "body", given.Body)},
		{Name: "anchor", Value: t.Anchor, From: origin(c, "anchor", given.Anchor)},
		// Priority and λ follow from the anchors.
		{Name: "priority", Value: t.Priority, From: origin(c, "anchor", given.Priority)},
		{Name: "lambda", Value: c.File.Weights.Lambda, From: origin(c, "anchor", given.Lambda)},
	}
	if c.Meta.Calibration != nil {
		for i := range list {
			list[i].Clamped = list[i].From == calibrated && slices.Contains(c.Meta.Calibration.Clamped, list[i].Name)
		}
	}
	return list
}

// origin says where a threshold comes from that rests on a part of the samples.
func origin(c *topic.Compiled, part string, given bool) string {
	switch told := c.Meta.Calibration; {
	case given:
		return byHand
	case told == nil:
		return asFile
	case told.Samples > 0 && slices.ContainsFunc(told.Spread, func(d topic.Distribution) bool { return d.Of == part && d.Count > 0 }):
		return calibrated
	}
	return byFallback
}

// wordTally counts the words of samples as they are cut.
type wordTally struct {
	mu   sync.Mutex
	seen map[string]int
	all  int
}

// watch counts what words returns.
func (t *wordTally) watch(words func(string) []string) func(string) []string {
	return func(text string) []string {
		found := words(text)
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.seen == nil {
			t.seen = make(map[string]int)
		}
		for _, word := range found {
			if _, known := t.seen[word]; !known {
				word = strings.Clone(word) // it may be a part of a whole page
			}
			t.seen[word]++
		}
		t.all += len(found)
		return found
	}
}

// unknownWords are words of samples outside a topic's vocabulary: candidates
// for the text that vectors are trained on, or for the topic file.
type unknownWords struct {
	Ratio float64       `json:"oov_ratio"` // of all words of the samples
	Words []unknownWord `json:"words"`     // the most frequent first
}

type unknownWord struct {
	Word string `json:"word"`
	Seen int    `json:"seen"` // in titles, descriptions and texts
}

const unknownShown = 30

func (t *wordTally) unknown(l *topic.Lexicon) unknownWords {
	u := unknownWords{Words: []unknownWord{}}
	missing := 0
	for word, n := range t.seen {
		if _, ok := l.Row(word); !ok {
			u.Words = append(u.Words, unknownWord{word, n})
			missing += n
		}
	}
	slices.SortFunc(u.Words, func(a, b unknownWord) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Word, b.Word))
	})
	u.Words = slices.Clip(u.Words[:min(len(u.Words), unknownShown)])
	u.Ratio = float64(missing) / float64(max(t.all, 1))
	return u
}

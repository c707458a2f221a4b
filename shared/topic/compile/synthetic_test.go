package compile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/shared/topic"
)

// texter makes texts of known themes: every text has words of general use and
// words of one theme. Theme 0 is the topic.
type texter struct {
	random *rand.Rand
}

const (
	themes       = 5
	themeWords   = 40
	generalWords = 300
)

func newTexter(seed uint64) *texter { return &texter{rand.New(rand.NewPCG(seed, 1))} }

// madeUp returns a word of letters for a number.
func madeUp(prefix string, n int) string {
	letters := "bdfgklmnprst"
	return prefix + string(letters[n/12%12]) + "a" + string(letters[n%12]) + "o" + string(letters[n/144%12])
}

func themeWord(theme, n int) string { return madeUp(string(rune('a'+theme))+"x", n) }

func generalWord(n int) string { return madeUp("zz", n) }

// words draws distinct words: n general ones and m of the theme.
func (w *texter) words(theme, n, m int) []string {
	var words []string
	for _, i := range w.random.Perm(generalWords)[:n] {
		words = append(words, generalWord(i))
	}
	for _, i := range w.random.Perm(themeWords)[:m] {
		words = append(words, themeWord(theme, i))
	}
	w.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}

// page draws a page of the theme. Some pages mention another theme in passing.
func (w *texter) page(theme int) Sample {
	title := w.words(theme, 3, 4+w.random.IntN(2))
	body := w.words(theme, 50+w.random.IntN(40), 12+w.random.IntN(8))
	if w.random.IntN(3) == 0 {
		body = append(body, themeWord((theme+1)%themes, w.random.IntN(themeWords)))
	}
	return Sample{Description: title, Anchor: title, Body: body}
}

// crawl draws pages of which one in five is on the topic, and which are.
func (w *texter) crawl(n int) (samples *Samples, pages []Sample, onTopic []bool) {
	samples = &Samples{}
	for i := range n {
		page := w.page(i % themes)
		samples.Add(page)
		pages, onTopic = append(pages, page), append(onTopic, i%themes == 0)
	}
	return samples, pages, onTopic
}

// judgedCrawl is crawl with the pages as a crawl that errs never has judged them.
func (w *texter) judgedCrawl(n int) (samples *Samples, pages []Sample, onTopic []bool) {
	_, pages, onTopic = w.crawl(n)
	samples = &Samples{}
	for i, page := range pages {
		page.Fate = PassedOver
		if onTopic[i] {
			page.Fate = Kept
		}
		samples.Add(page)
	}
	return samples, pages, onTopic
}

// topicOf parses a topic file of the words.
func topicOf(t testing.TB, words ...string) *topic.File {
	t.Helper()
	return parseTopic(t, "name: made-up\nlanguage: zh\nwords:\n- "+strings.Join(words, "\n- ")+"\n")
}

// firstThemeWords are words of the topic that an author would think of.
func firstThemeWords(n int) []string {
	var words []string
	for i := range n {
		words = append(words, themeWord(0, i))
	}
	return words
}

// f1 is the harmonic mean of precision and recall of a threshold.
func f1(values []float64, positive []bool, threshold float64) float64 {
	var hits, found, wanted float64
	for i, v := range values {
		if positive[i] {
			wanted++
		}
		if v >= threshold {
			found++
			if positive[i] {
				hits++
			}
		}
	}
	return 2 * hits / (found + wanted)
}

func TestTexterHasDistinctWords(t *testing.T) {
	seen := make(map[string]string)
	add := func(word, what string) {
		if other, ok := seen[word]; ok {
			t.Fatalf("%s is %s and %s", word, what, other)
		}
		seen[word] = what
	}
	for i := range generalWords {
		add(generalWord(i), fmt.Sprint("general ", i))
	}
	for theme := range themes {
		for i := range themeWords {
			add(themeWord(theme, i), fmt.Sprint("theme ", theme, i))
		}
	}
}

package compile

import (
	"slices"

	"sluice/shared/topic"
)

// halves are texts on the topic and others, by their words.
type halves struct {
	on, off   *Counts
	places    *places // of the texts on the topic
	threshold float64 // the relevance that split them; 0 if a crawl judged them
	clamped   bool    // the threshold is not the best cut, which lay beyond all sense
}

// split counts the words of the texts on the topic, and of the others: as the
// crawl judged them, else as Otsu's cut does. Words are judged best by the best
// cut, so that may lie as far from the fallback as one of judged texts. Disputed
// texts of a crawl are neither: the threshold may have refused the topic.
func (s *Samples) split(l *topic.Lexicon, fallback float64) halves {
	texts, part := s.full()
	var h halves
	certain := slices.DeleteFunc(slices.Clone(texts), func(t numbered) bool { return t.fate == Disputed })
	if judged(certain) {
		texts = certain
	} else {
		texts = slices.Clone(texts)
		h.threshold, h.clamped = judgeByCut(texts, part, s.scorer(l), ofBodies*fallback)
	}
	h.on, h.off, h.places = s.count(texts, part, Kept), s.count(texts, part, PassedOver), newPlaces()
	for i := range texts {
		if texts[i].fate == Kept {
			h.places.add(texts[i].place, s.spelled(part(&texts[i])))
		}
	}
	return h
}

// judged reports whether a crawl has judged enough texts to learn from.
func judged(texts []numbered) bool {
	var of [Disputed + 1]int
	for i := range texts {
		of[texts[i].fate]++
	}
	return of[Kept] >= fewTexts && of[PassedOver]+of[Disputed] >= fewTexts
}

// judgeByCut gives each text its fate by the cut between the relevances of all.
func judgeByCut(texts []numbered, part func(*numbered) []int32, rel func([]int32) float64, fallback float64) (threshold float64, clamped bool) {
	scores := make([]float64, len(texts))
	var all []float64
	for i := range texts {
		scores[i] = rel(part(&texts[i]))
		for range texts[i].times {
			all = append(all, scores[i])
		}
	}
	threshold, clamped = fallback, true
	if cut, ok := otsu(all); ok {
		threshold, clamped = bounded(cut, leastJudged*fallback, mostJudged*fallback)
	}
	for i := range texts {
		texts[i].fate = PassedOver
		if scores[i] >= threshold {
			texts[i].fate = Kept
		}
	}
	return threshold, clamped
}

// count counts the texts of one fate that each word is in. A text on the topic
// is evidence only once and counts once; the others count as often as they
// represent texts.
func (s *Samples) count(texts []numbered, part func(*numbered) []int32, fate Fate) *Counts {
	c := &Counts{In: make(map[string]int)}
	in := make([]int, len(s.words))
	for i := range texts {
		if texts[i].fate != fate {
			continue
		}
		n := 1
		if fate != Kept {
			n = texts[i].times
		}
		words := part(&texts[i])
		c.Documents += n
		c.Tokens += n * len(words) // each word once: the least that there are
		for _, word := range words {
			in[word] += n
		}
	}
	for word, n := range in {
		if n > 0 {
			c.In[s.words[word]] = n
		}
	}
	return c
}

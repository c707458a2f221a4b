package pagescore

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"sluice/shared/topic/compile"
)

const (
	seedTexts    = 20  // stand for the seed pages of METHOD B1
	featureWords = 100 // of the topic vector, beside the author's
)

// topicVector returns the topic vector of METHOD B1: the author's words, and the
// best words of the seed pages, which are here the texts nearest to the author's
// words. A word k of them weighs t · ln(N/n + 0.01) · c(k); our copy of the paper
// lacks c(k), which is the class weight here. Both parts have length 1.
func (s *space) topicVector(author map[string]float64) map[string]float64 {
	near := s.cosines(author)
	seeds := make([]int, 0, len(near))
	for i, c := range near {
		if c > 0 {
			seeds = append(seeds, i)
		}
	}
	slices.SortStableFunc(seeds, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	seeds = seeds[:min(len(seeds), seedTexts)]
	times, texts := map[string]int{}, float64(len(s.counts))
	on := compile.Counts{Documents: len(seeds), In: map[string]int{}}
	off := compile.Counts{Documents: len(s.counts) - len(seeds), In: map[string]int{}}
	for _, i := range seeds {
		for word, n := range s.counts[i] {
			times[word] += n
			on.In[word]++
		}
	}
	all := map[string]float64{} // texts that have a word
	for word := range times {
		all[word] = math.Round(texts / math.Exp(s.idf[word]))
		off.In[word] = int(all[word]) - on.In[word]
	}
	extracted := map[string]float64{}
	for word, class := range compile.ClassWeights(&on, &off, 0).Words {
		if weight := float64(times[word]) * math.Log(texts/all[word]+0.01) * class; weight > 0 {
			extracted[word] = weight
		}
	}
	ranked := slices.SortedFunc(maps.Keys(extracted), func(a, b string) int {
		return cmp.Or(cmp.Compare(extracted[b], extracted[a]), cmp.Compare(a, b))
	})
	vector := map[string]float64{}
	for _, part := range []map[string]float64{s.weighed(author), only(extracted, ranked[:min(len(ranked), featureWords)])} {
		length := norm(part)
		for word, weight := range part {
			if length > 0 {
				vector[word] += weight / length
			}
		}
	}
	return vector
}

func only(weights map[string]float64, words []string) map[string]float64 {
	chosen := make(map[string]float64, len(words))
	for _, word := range words {
		chosen[word] = weights[word]
	}
	return chosen
}

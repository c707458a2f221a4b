package pagescore

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

const (
	seedTexts    = 20  // stand for the seed pages of METHOD B1
	featureWords = 100 // of the topic vector, beside the author's
)

// topicVector returns the topic vector of METHOD B1: the author's words, and the
// best words of the seed pages, which are here the texts nearest to the author's
// words. A word k of them weighs t · ln(N/n + 0.01) · c(k); c(k), which our copy of
// the paper lacks, is the logarithm of how many times as likely a seed page has it
// as another text, with half a text added to both. Both parts have length 1.
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
	times, in := map[string]int{}, map[string]float64{}
	for _, i := range seeds {
		for word, n := range s.counts[i] {
			times[word] += n
			in[word]++
		}
	}
	texts, on := float64(len(s.counts)), float64(len(seeds))
	extracted := map[string]float64{}
	for word, t := range times {
		n := texts / math.Exp(s.idf[word]) // texts that have it
		class := math.Log((in[word] + 0.5) / (on + 1) * (texts - on + 1) / (n - in[word] + 0.5))
		if weight := float64(t) * math.Log(texts/n+0.01) * class; class > 0 && weight > 0 {
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

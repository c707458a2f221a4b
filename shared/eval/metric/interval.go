package metric

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how many samples Interval draws.
const resamples = 2000

// Interval returns the 95 % confidence interval of the mean of groups of values,
// such as topics with a value for each draw of seeds: the bootstrap's
// percentiles, where groups are drawn with replacement, and values within them.
// It is NaN for fewer than two values, and if one is NaN.
func Interval(groups [][]float64) (low, high float64) {
	n := 0
	for _, values := range groups {
		n += len(values)
		if slices.ContainsFunc(values, math.IsNaN) {
			return math.NaN(), math.NaN()
		}
	}
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	rng := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, resamples)
	for i := range means {
		total, drawn := 0.0, 0
		for range groups {
			values := groups[rng.IntN(len(groups))]
			for range values {
				total += values[rng.IntN(len(values))]
			}
			drawn += len(values)
		}
		means[i] = total / float64(drawn)
	}
	slices.Sort(means)
	return means[resamples/40], means[resamples-1-resamples/40]
}

package frontier

import "math"

// Lane returns the lane of a priority given as a multiple of the crawl's
// priority threshold: the last of lanes below 2, and one lane up for each
// doubling, to lane 0.
func Lane(ratio float64, lanes int) int {
	if !(ratio >= 2) { // NaN too
		return lanes - 1
	}
	up := math.Min(math.Floor(math.Log2(ratio)), float64(lanes-1))
	return lanes - 1 - int(up)
}

package rank

import (
	"errors"
	"fmt"
	"math"
)

// Weights are the constants of A's equation 5 (METHOD A11).
type Weights struct {
	Alpha  float64 // of the relevance of the page that holds the link, 0 to 1
	Beta   float64 // of the relevance of the anchor text, 0 to 1
	Lambda float64 // of the structure vote, above 0
}

// Parts are the inputs of equation 5 for one link.
type Parts struct {
	Description float64 // Rel of the description of the page that holds the link
	Anchor      float64 // Rel of the anchor text
	Structure   bool    // the structure vote of the link's URL (METHOD A10)
}

// Validate reports every constant out of its range. A link is followed if its
// priority exceeds priorityThreshold, so Lambda must be below it: otherwise the
// vote alone would pass any link.
func (w Weights) Validate(priorityThreshold float64) error {
	return errors.Join(
		unit("alpha", w.Alpha),
		unit("beta", w.Beta),
		w.validateLambda(priorityThreshold),
	)
}

func (w Weights) validateLambda(priorityThreshold float64) error {
	switch {
	case !(w.Lambda > 0) || math.IsInf(w.Lambda, 0):
		return fmt.Errorf("lambda is %v: it must be above 0", w.Lambda)
	case !(w.Lambda < priorityThreshold):
		return fmt.Errorf("lambda is %v: it must be below the priority threshold %v, or the structure vote alone passes any link",
			w.Lambda, priorityThreshold)
	}
	return nil
}

// unit reports a weight outside 0 to 1, NaN included.
func unit(name string, value float64) error {
	if !(0 <= value && value <= 1) {
		return fmt.Errorf("%s is %v: it must lie between 0 and 1", name, value)
	}
	return nil
}

// Priority returns α·Rel(description) + β·Rel(anchor) + λ·structure, equation
// 5. Its scale is that of the topic's Rel.
func (w Weights) Priority(p Parts) float64 {
	priority := w.Alpha*p.Description + w.Beta*p.Anchor
	if p.Structure {
		priority += w.Lambda
	}
	return priority
}

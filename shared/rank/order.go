package rank

import "cmp"

// Order is the place of a link among those that wait.
type Order struct {
	Priority float64 // the highest first
	Tie      float64 // of links with one priority, again the highest first
}

// Compare returns a negative number if o comes before p, a positive one if it
// comes after p, and 0 if the two are equal.
func (o Order) Compare(p Order) int {
	return cmp.Or(cmp.Compare(p.Priority, o.Priority), cmp.Compare(p.Tie, o.Tie))
}

package neardup

import "math"

// How much of two texts has to be common to them.
const (
	minNear      = 50      // characters: shorter texts are only compared by their digests
	nearCover    = 2.0 / 3 // share of either text that the overlap of copies has
	shortText    = 200     // with less than so many characters that are the same
	shortCover   = 0.8     // the share has to be this
	containCover = 0.8     // share of a text that is contained in the other
)

// How much of the overlap may be changed between copies, and how.
const (
	maxScattered = 0.40 // share of the characters, where chance may have struck them
	maxEdited    = 0.15 // in passages, or in a long text
	maxSlots     = 0.02 // else

	passage  = 4.5 // characters that a change of a passage has, in the mean
	between  = 40  // characters that are the same, for each of them
	longText = 600 // characters that are the same

	minTurned     = 2    // numbers that became others
	turnedShare   = 0.25 // of the numbers
	turnedChanges = 0.15 // of the changes
)

// relation says what one text is to another.
type relation uint8

const (
	apart    relation = iota
	near              // copies of one another
	within            // the first is contained in the second
	contains          // the second is contained in the first
)

// judge compares two texts. The number is the share of characters that are the
// same, of the text that is contained in the other, else of the longer.
func (l *aligner) judge(a, b *text) (relation, float64) {
	o := overlapOf(a, b, l.align(a, b))
	rel := o.relation()
	if rel == apart || !o.sameFacts() {
		return apart, 0
	}
	switch rel {
	case within:
		return rel, float64(o.same) / float64(o.lenA)
	case contains:
		return rel, float64(o.same) / float64(o.lenB)
	}
	return rel, float64(o.same) / float64(max(o.lenA, o.lenB))
}

// relation says what the texts are to each other if the overlap is one text.
func (o *overlap) relation() relation {
	cover := nearCover
	if o.same < shortText {
		cover = shortCover
	}
	switch {
	case o.coveredA >= cover && o.coveredB >= cover:
		return near
	case o.coveredA >= containCover:
		return within
	case o.coveredB >= containCover:
		return contains
	}
	return apart
}

// sameFacts reports whether the changes in the overlap are those between two
// copies, rather than what two texts fill one form with.
func (o *overlap) sameFacts() bool {
	share := o.changedShare()
	switch {
	case share > maxScattered, o.numbers.others(o.changes):
		return false
	case o.scattered():
		return true
	case o.same >= longText, o.passages() && !o.endsDiffer:
		return share <= maxEdited
	}
	return share <= maxSlots
}

// passages reports whether what was changed is few passages.
func (o *overlap) passages() bool {
	return float64(o.changed) >= passage*float64(o.changes) && o.same >= between*o.changes
}

// scattered reports whether the characters that were changed stand where chance
// puts them: single ones make runs of 1/(1-share) characters in the mean.
func (o *overlap) scattered() bool {
	if o.changes == 0 {
		return true
	}
	changes := float64(o.changes)
	return float64(o.changed)/changes*(1-o.changedShare()) <= 1.05+2.5*math.Sqrt(o.changedShare()/changes)
}

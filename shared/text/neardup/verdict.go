package neardup

import "math"

// How much of two texts has to be common to them.
const (
	minNear      = 50      // characters: shorter texts are only compared by their digests
	nearCover    = 2.0 / 3 // share of either text that the overlap of copies has
	shortText    = 200     // with fewer equal characters
	shortCover   = 0.8     // the share has to be this
	containCover = 0.8     // share of a text that is contained in the other
)

// How much of the overlap may be changed between copies, and how.
const (
	maxScattered = 0.40 // share of the characters, where chance may have struck them
	maxReworded  = 0.30 // where words were replaced, of the wording as of facts
	maxEdited    = 0.15 // in passages, or in a long text
	maxFew       = 0.02 // else

	passage  = 4.5 // characters that a change of a passage has, in the mean
	between  = 40  // characters that are the same, for each of them
	longText = 600 // characters that are the same

	manyChanges = 8 // changes whose lengths tell errors from words
	manySingle  = 4 // changes for each word among them: chance makes a word of two errors that often

	longWord       = 4   // characters that a word has, in the mean
	shortWord      = 3   // and where nothing but recurring words tell
	wordingShare   = 0.3 // of the words that changed, those of the wording
	recurringShare = 0.3 // the same, where none is a function word

	otherFrame = 12 // characters that one text has more: a form has one frame

	minTurned     = 2    // numbers that became others
	turnedShare   = 0.25 // of the numbers
	turnedChanges = 0.15 // of the changes
	someNumbers   = 3    // different numbers that stayed, in support of a rewording
	manyNumbers   = 5    // and such that two events seldom share
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
	if rel == apart || !o.sameFacts(rel) {
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
// copies, rather than what two texts fill one form with. Of a text within another
// less may be reworded: the other has more places that it could be laid upon.
func (o *overlap) sameFacts(rel relation) bool {
	share := o.changedShare()
	rewordable := maxEdited
	if rel == near {
		rewordable = maxReworded
	}
	scattered := o.scattered() && (o.same >= longText || !refilled(o.a, o.b, o.pieces))
	switch {
	case share > maxScattered, o.numbers.others(o.changes + o.moves), o.same < longText && o.numbers.only(o.changes):
		return false
	case scattered && (o.changes >= manyChanges || o.changed == o.changes):
		return true
	case o.same >= longText && share <= maxEdited:
		return true
	}
	r := rewordingOf(o.a, o.b, o.pieces)
	switch {
	case scattered && (r.grammar > 0 || manySingle*r.slots <= o.changes || o.numbers.same(someNumbers)):
		return true
	case share <= maxEdited && o.passages() && !o.endsDiffer && 3*r.wording >= r.words:
		return true
	case share <= rewordable && o.reworded(r):
		return true
	}
	framed := max(o.lenA, o.lenB)-min(o.lenA, o.lenB) >= otherFrame
	return share <= maxFew && (r.slots == 0 || r.slots == 1 && framed || o.numbers.same(manyNumbers))
}

// passages reports whether what was changed is few passages.
func (o *overlap) passages() bool {
	return float64(o.changed) >= passage*float64(o.changes) && o.same >= between*o.changes
}

// scattered reports whether the changed characters are distributed as by
// chance: single ones make runs of 1/(1-share) characters on average.
func (o *overlap) scattered() bool {
	if o.changes == 0 {
		return true
	}
	changes := float64(o.changes)
	return float64(o.changed)/changes*(1-o.changedShare()) <= 1.05+2.5*math.Sqrt(o.changedShare()/changes)
}

// reworded reports whether words of any kind were replaced, or changed places:
// the slots of a form are filled with facts alone.
func (o *overlap) reworded(r rewording) bool {
	share := float64(r.wording) / float64(max(r.words, 1))
	switch {
	case o.changed > longWord*o.changes, o.numbers.turned > 0 && 2*o.moves < r.words:
		return false
	case o.numbers.same(someNumbers):
		return r.wording > 0
	case r.function > 0:
		return r.wording >= min(2, r.words) && share >= wordingShare
	}
	return r.words >= manyChanges && o.changed <= shortWord*o.changes && share >= recurringShare
}

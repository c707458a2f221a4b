package boilerplate

import "iter"

// Foreign lines that are not prose may be between the site's lines and the
// edge: an author and a date at the head, the items of a list at the tail.
const (
	foreignHead = 3
	foreignTail = 16
)

// place says of each line of a view whether it is a known one at an edge,
// separated from the text. A line next to the text that may open or close it
// belongs to it.
func (v view) place(known func(hash) bool) []bool {
	placed := make([]bool, len(v.lines))
	head := len(v.lines)
	if v.cut > 0 {
		head = v.cut
	}
	for first, last := range v.runs(0, head, 1, foreignHead, known) {
		for last >= first && v.lines[last].look.opening() {
			last--
		}
		if v.anyLong(first, last) {
			mark(placed, first, last)
		}
	}
	end := len(v.lines) - 1
	for last, first := range v.runs(end, v.cut-1, -1, foreignTail, known) {
		for first <= last && v.lines[first].look.closing() {
			first++
		}
		if last == end || v.anyLong(first, last) {
			mark(placed, first, last)
		}
	}
	return placed
}

// runs returns the first and the last of each run of known lines, in the order
// of the walk from at to before end. It ends at prose, and after too many
// foreign lines.
func (v view) runs(at, end, step, foreign int, known func(hash) bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := at; i != end; i += step {
			if !known(v.lines[i].hash) {
				if foreign--; foreign < 0 || v.lines[i].look.prose() {
					return
				}
				continue
			}
			first := i
			for i+step != end && known(v.lines[i+step].hash) {
				i += step
			}
			if !yield(first, i) {
				return
			}
		}
	}
}

func (v view) anyLong(first, last int) bool {
	for i := first; i <= last; i++ {
		if v.lines[i].look.long() {
			return true
		}
	}
	return false
}

func mark(placed []bool, first, last int) {
	for i := first; i <= last; i++ {
		placed[i] = true
	}
}
